//! `cargo course conform --random N`: random programs, recorded on a real CPython while the loop
//! runs them. A program that differs is made small before it is shown.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;
use fastrand::Rng;
use indicatif::{ProgressBar, ProgressStyle};
use scenario::random::program;
use scenario::{LEVEL, Strictness};
use serde_json::{Value, json};

use crate::python::{Answer, Python, Recorder};
use crate::small::Small;
use crate::verdict::{Verdict, judge, trace};
use crate::{WRONG, source};

/// How many failing programs are made small. Those that come out alike are shown once.
const SHRUNK: usize = 10;
/// How many of the other seeds are listed.
const NAMED: usize = 10;

#[derive(Args)]
pub(crate) struct Random {
    /// Compare N random programs with a CPython that runs them now, in place of a corpus
    #[arg(
        long = "random",
        id = "random",
        value_name = "N",
        conflicts_with = "files"
    )]
    count: Option<NonZero<u64>>,
    /// The first program's seed, the next ones' follow it [default: a new one]
    #[arg(long, value_name = "S", requires = "random", conflicts_with = "files")]
    seed: Option<u64>,
    /// The CPython, 3.12 or 3.13 [default: python3.13, python3.12 or python3 on PATH]
    #[arg(
        long,
        value_name = "PATH",
        requires = "random",
        conflicts_with = "files"
    )]
    python: Option<PathBuf>,
    /// The level of the programs [default: the highest that the floors run]
    #[arg(long, value_name = "L", requires = "random", conflicts_with = "files")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=5))]
    level: Option<u8>,
}

/// How to run and to show.
pub(crate) struct Manner {
    pub(crate) strictness: Strictness,
    pub(crate) jobs: usize,
    pub(crate) json: bool,
}

/// A comparison while it runs, shared by the threads.
struct Run<'a> {
    root: &'a Path,
    python: &'a Python,
    level: u8,
    seed: u64,
    count: u64,
    strictness: Strictness,
    next: AtomicU64,
    broken: AtomicBool,
    progress: ProgressBar,
    tally: Mutex<Tally>,
}

/// What came of the programs so far.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: Vec<u64>,
    /// Programs without a trace to compare with: the seed, and why.
    left_out: Vec<(u64, String)>,
}

impl Random {
    /// Whether random programs are asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.count.is_some()
    }

    pub(crate) fn run(&self, manner: &Manner) -> Result<ExitCode> {
        let count = self.count.map_or(0, NonZero::get);
        let level = self.level.unwrap_or(LEVEL);
        if level > LEVEL {
            bail!("no loop to compare at level {level}: the floors that stand run level {LEVEL}");
        }
        let root = source::workspace()
            .context("no recorder here: random programs need the course's folder around you")?;
        let python = Python::find(self.python.as_deref())?;
        let progress = ProgressBar::new(count);
        let style = "{bar:40} {pos}/{len}, {per_sec}, {eta} to go";
        progress.set_style(ProgressStyle::with_template(style)?);
        let run = Run {
            root: &root,
            python: &python,
            level,
            // Short enough to be typed again.
            seed: self
                .seed
                .unwrap_or_else(|| fastrand::u64(..=u64::from(u32::MAX))),
            count,
            strictness: manner.strictness,
            next: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            progress,
            tally: Mutex::default(),
        };
        let fault = run.compare(manner.jobs).err();
        run.progress.finish_and_clear();
        run.conclude(fault, manner.json)
    }
}

impl Run<'_> {
    fn compare(&self, jobs: usize) -> Result<()> {
        let jobs = jobs.min(usize::try_from(self.count).unwrap_or(usize::MAX));
        thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(|| self.work())).collect();
            // All are waited for; the first fault is the one to tell.
            let mut done = Ok(());
            for thread in threads {
                let ended = thread
                    .join()
                    .unwrap_or_else(|e| std::panic::resume_unwind(e));
                done = done.and(ended);
            }
            done
        })
    }

    /// One thread with a recorder of its own. Both loops run the same program at the same time.
    fn work(&self) -> Result<()> {
        let worked = self.record_and_compare();
        if worked.is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
        worked
    }

    fn record_and_compare(&self) -> Result<()> {
        let mut recorder = Recorder::start(self.python, self.root)?;
        while !self.broken.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                break;
            }
            let seed = self.seed.wrapping_add(index);
            let program = self.program(seed);
            recorder.send(&program)?;
            let ours = trace(&program);
            let answer = recorder.answer()?;
            let mut tally = self.tally();
            match answer {
                Answer::NoTrace(reason) => tally.left_out.push((seed, reason)),
                Answer::Trace(theirs) => match judge(ours, &theirs, self.strictness) {
                    Verdict::Equal => tally.passed += 1,
                    _ => tally.failed.push(seed),
                },
            }
            drop(tally);
            self.progress.inc(1);
        }
        Ok(())
    }

    /// Shows what came of it. A fault that ended it early does not take away what was compared.
    fn conclude(&self, mut fault: Option<Error>, as_json: bool) -> Result<ExitCode> {
        let mut tally = self.tally();
        tally.failed.sort_unstable();
        tally.left_out.sort();
        let mut small: Vec<Small> = Vec::new();
        for seed in tally.failed.iter().take(SHRUNK) {
            if fault.is_some() {
                break;
            }
            match self.shrink(*seed) {
                Ok(found) if small.iter().any(|known| known.cause() == found.cause()) => {}
                Ok(found) => small.push(found),
                Err(error) => fault = Some(error),
            }
        }
        let compared = tally.passed + tally.failed.len();
        let mut out = anstream::stdout().lock();
        if as_json {
            writeln!(out, "{}", self.report(&tally, &small))?;
        } else {
            self.print(&tally, &small, &mut out)?;
        }
        match fault {
            Some(fault) => Err(fault.context(format!("{compared} of {} compared", self.count))),
            // Programs that were all left out say nothing for the loop.
            None if compared == 0 => bail!("no program could be compared"),
            None => Ok(ExitCode::from(u8::from(!tally.failed.is_empty()))),
        }
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        // A thread that panics ends the comparison anyway.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn program(&self, seed: u64) -> Value {
        program(self.level, &mut Rng::with_seed(seed))
    }

    fn shrink(&self, seed: u64) -> Result<Small> {
        let recorder = Recorder::start(self.python, self.root)?;
        Small::find(seed, self.program(seed), recorder, self.strictness)
    }

    fn print(&self, tally: &Tally, small: &[Small], out: &mut impl Write) -> Result<()> {
        for small in small {
            small.failure(&self.repeat(small.seed)).write(out)?;
        }
        let shown = |seed: &&u64| small.iter().any(|small| small.seed == **seed);
        let others: Vec<&u64> = tally.failed.iter().filter(|seed| !shown(seed)).collect();
        if !others.is_empty() {
            let seeds: Vec<String> = others.iter().take(NAMED).map(ToString::to_string).collect();
            let rest = if others.len() > NAMED { ", …" } else { "" };
            let seeds = seeds.join(", ");
            writeln!(out, "{WRONG}FAILED{WRONG:#} too: seeds {seeds}{rest}")?;
        }
        if let [(seed, reason), ..] = &tally.left_out[..] {
            let count = tally.left_out.len();
            writeln!(out, "{count} left out, the first of seed {seed}: {reason}")?;
        }
        let last = self.seed.wrapping_add(self.count - 1);
        writeln!(
            out,
            "level {}, seeds {} to {last}, CPython {}",
            self.level, self.seed, self.python.version
        )?;
        let (passed, failed) = (tally.passed, tally.failed.len());
        writeln!(out, "{passed} passed, {failed} failed")?;
        Ok(())
    }

    fn report(&self, tally: &Tally, small: &[Small]) -> Value {
        let failures = small.iter().map(|small| {
            let mut entry = small.failure(&self.repeat(small.seed)).json();
            entry["seed"] = small.seed.into();
            entry["program"] = small.program.clone();
            entry
        });
        let left_out = tally.left_out.iter();
        json!({
            "comparison": self.strictness.to_string(),
            "cpython": self.python.version,
            "level": self.level,
            "seed": self.seed,
            "passed": tally.passed,
            "failed": tally.failed.len(),
            "failed_seeds": tally.failed,
            "left_out": left_out.map(|(seed, why)| json!({"seed": seed, "why": why})).collect::<Vec<_>>(),
            "failures": failures.collect::<Vec<Value>>(),
        })
    }

    /// The command that compares the program of one seed again.
    fn repeat(&self, seed: u64) -> String {
        let visible = match self.strictness {
            Strictness::Strict => "",
            Strictness::Visible => " --visible",
        };
        let level = self.level;
        format!("cargo course conform --random 1 --seed {seed} --level {level}{visible}")
    }
}
