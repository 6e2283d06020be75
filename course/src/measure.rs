//! `cargo course measure`: every number of a chapter again, side by side in one run.
//!
//! `rows.rs` is what there is to measure, `benches.rs` builds the programs, `sample.rs` takes a
//! sample, `rounds.rs` takes them in turn, `stats.rs` and `sums.rs` sum them up, `record.rs` is the
//! record, `table.rs` prints it; `machine.rs` and `versions.rs` say what it was measured on.

mod benches;
mod machine;
mod progress;
mod record;
mod rounds;
mod rows;
mod sample;
mod saving;
mod stats;
mod sums;
mod table;
mod versions;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::WRONG;
use crate::python::Python;
use crate::workshop::process::on_ctrl_c;
use benches::Bench;
use machine::Busy;
use progress::Progress;
use record::{FORMAT, Holds, Record, Versions};
use rounds::{Effort, Plan, Samplers};
use rows::{Chapter, Program};
use sample::Sampler;
use saving::Saving;
use sums::Taken;

/// Measure a chapter's numbers again: ours, CPython and peers side by side
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Measure {
    /// Chapters, such as `suspension`; `the-loop` is the loop beside its peers; none: all of them
    #[arg(value_name = "CHAPTER")]
    chapters: Vec<String>,
    /// A first look: fewer rounds, and shorter ones
    #[arg(long)]
    quick: bool,
    /// The CPython to measure beside, 3.12 or newer [default: the newest on PATH]
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Keep the records, for the column "your machine" of the book that `cargo book` serves
    #[arg(long)]
    save: bool,
    /// Where --save keeps them [default: target/measured]
    #[arg(long, value_name = "FOLDER", requires = "save")]
    to: Option<PathBuf>,
    /// Print the records that were kept, and measure nothing
    #[arg(long, conflicts_with_all = ["quick", "python", "save"])]
    show: bool,
    /// Print the records as JSON
    #[arg(long)]
    json: bool,
}

/// What all chapters of a run share.
struct Session {
    root: PathBuf,
    command: String,
    quick: bool,
    commit: Option<String>,
    dirty: bool,
    versions: Versions,
    samplers_of: SamplersOf,
    missing: Vec<String>,
    stop: Arc<AtomicBool>,
}

/// What it takes to make a chapter's samplers.
struct SamplersOf {
    built: std::collections::BTreeMap<String, PathBuf>,
    python: Result<PathBuf, String>,
    uvloop: Result<(), String>,
    budget: u32,
}

impl Measure {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let root = rows::root()?;
        let chapters = rows::chosen(Chapter::all(&root)?, &self.chapters)?;
        if self.show {
            return saving::show(&root, &chapters, self.json);
        }
        let load_before = machine::load();
        let stop = on_ctrl_c().context("signals cannot be watched")?;
        let saving = self.save.then(|| Saving::into(&root, self.to.as_deref()));
        let session = self.prepare(root, &chapters, stop)?;
        let records = session.measure(&chapters, load_before, |record| {
            if !self.json {
                let mut out = anstream::stdout().lock();
                // Who closed the output wants the record all the same.
                let _ = write!(out, "{}", table::text(record)).and_then(|()| out.flush());
            }
            if let Some(saving) = &saving {
                saving.keep(record);
            }
        });
        self.conclude(&session, &records, saving.as_ref())
    }

    /// Finds CPython and builds the benches.
    fn prepare(
        &self,
        root: PathBuf,
        chapters: &[Chapter],
        stop: Arc<AtomicBool>,
    ) -> Result<Session> {
        let mut missing = Vec::new();
        let python = match (
            Python::find_to_measure(self.python.as_deref()),
            &self.python,
        ) {
            (Ok(mut python), _) => {
                // A name is looked for on PATH; a path must not depend on the folder.
                if python.program.components().count() > 1 {
                    python.program = std::path::absolute(&python.program)?;
                }
                Some(python)
            }
            // Named on purpose, so that going on without it would be no help.
            (Err(error), Some(_)) => return Err(error),
            (Err(error), None) => {
                missing.push(error.to_string());
                None
            }
        };
        let uvloop = python
            .as_ref()
            .and_then(|python| versions::uvloop(python, &root));
        let no_uvloop = match &python {
            Some(_) => "uvloop is not installed beside this CPython".to_owned(),
            None => "no CPython to run it on".to_owned(),
        };
        let wants_uvloop = chapters.iter().flat_map(|chapter| &chapter.rows);
        let wants_uvloop = wants_uvloop
            .flat_map(|row| &row.sides)
            .any(|side| side == "uvloop");
        if python.is_some() && uvloop.is_none() && wants_uvloop {
            missing.push(no_uvloop.clone());
        }
        for missing in &missing {
            anstream::eprintln!("{WRONG}missing{WRONG:#}: {missing}");
        }
        let benches = benches_of(chapters);
        anstream::eprintln!("building what takes the samples");
        let built = benches::build(&root, &benches)?;
        let (commit, dirty) = versions::commit(&root);
        let program = python.as_ref().map(|python| python.program.clone());
        Ok(Session {
            command: self.command(),
            quick: self.quick,
            commit,
            dirty,
            versions: versions::versions(&root, python.as_ref(), uvloop.clone()),
            samplers_of: SamplersOf {
                built,
                python: program.ok_or_else(|| "no CPython 3.12 or newer was found".to_owned()),
                uvloop: uvloop.map(drop).ok_or(no_uvloop),
                budget: Effort { quick: self.quick }.budget(),
            },
            root,
            missing,
            stop,
        })
    }

    /// The command as it could be typed again.
    fn command(&self) -> String {
        let mut words = vec!["cargo course measure".to_owned()];
        words.extend(self.chapters.iter().cloned());
        words.extend(self.quick.then(|| "--quick".to_owned()));
        words.join(" ")
    }

    fn conclude(
        &self,
        session: &Session,
        records: &[Record],
        saving: Option<&Saving>,
    ) -> Result<ExitCode> {
        let mut out = anstream::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(records)?)?;
        } else {
            let claims = records.iter().flat_map(|record| &record.rows);
            let claims: Vec<Holds> = claims
                .filter_map(|row| Some(row.claim.as_ref()?.holds))
                .collect();
            let of = |holds| claims.iter().filter(|claim| **claim == holds).count();
            writeln!(
                out,
                "\n{} claims: {} hold here, {} do not, {} undecided, {} not measured.",
                claims.len(),
                of(Holds::Yes),
                of(Holds::No),
                of(Holds::Undecided),
                of(Holds::NotMeasured),
            )?;
        }
        drop(out);
        let kept = saving.is_none_or(Saving::conclude);
        if session.stop.load(Ordering::Relaxed) {
            anstream::eprintln!("stopped: what was measured until then is above");
            return Ok(ExitCode::from(130));
        }
        let failed = records
            .iter()
            .any(|record| record.missing.len() > session.missing.len());
        Ok(ExitCode::from(u8::from(failed || !kept)))
    }
}

/// What has to be built: the program of the chapters, and the peers' where rows need it.
fn benches_of(chapters: &[Chapter]) -> Vec<Bench> {
    let mut benches = BTreeSet::new();
    for chapter in chapters {
        benches.insert(Bench::of(chapter));
        if chapter.rows.iter().any(rows::Row::has_peers) {
            benches.insert(Bench::of_peers());
        }
    }
    benches.into_iter().collect()
}

impl Session {
    /// Measures the chapters one after the other; `on` gets each record.
    fn measure(
        &self,
        chapters: &[Chapter],
        load_before: Vec<f64>,
        on: impl Fn(&Record),
    ) -> Vec<Record> {
        let effort = Effort { quick: self.quick };
        let samplers: Vec<Samplers> = chapters
            .iter()
            .map(|chapter| self.samplers_of.chapter(chapter, &self.root))
            .collect();
        let mut plans: Vec<Plan> = chapters
            .iter()
            .zip(&samplers)
            .map(|(chapter, samplers)| Plan::new(chapter, effort, samplers))
            .collect();
        let mut progress = Progress::new();
        let mut records = Vec::new();
        for (at, chapter) in chapters.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let later: f64 = plans[at + 1..].iter().map(Plan::left).sum();
            let start = Start::now(load_before.clone());
            let mut taken = Taken::default();
            let rounds = plans[at].rounds();
            plans[at].go(&samplers[at], &mut taken, |round, row, side, left| {
                progress.sample(&chapter.name, (round, rounds), (row, side), left + later);
                !self.stop.load(Ordering::Relaxed)
            });
            let failed = plans[at].conclude(chapter, &samplers[at], &mut taken);
            let record = self.record(chapter, &samplers[at], &taken, start, failed);
            progress.print(|| on(&record));
            records.push(record);
        }
        progress.finish();
        records
    }

    fn record(
        &self,
        chapter: &Chapter,
        samplers: &Samplers,
        taken: &Taken,
        start: Start,
        failed: Vec<String>,
    ) -> Record {
        let mut machine = machine::machine(start.load);
        machine.load_after = machine::load();
        let noise = machine::noise(&machine, &start.busy, &Busy::now());
        let mut missing = self.missing.clone();
        for program in [Program::Bench, Program::Peers] {
            if let Some(Err(why)) = samplers.get(&program) {
                missing.push(why.clone());
            }
        }
        missing.extend(failed);
        Record {
            format: FORMAT.to_owned(),
            chapter: chapter.name.clone(),
            when: start.when,
            took_s: start.began.elapsed().as_secs(),
            command: self.command.clone(),
            quick: self.quick,
            commit: self.commit.clone(),
            dirty: self.dirty,
            machine,
            versions: self.versions.clone(),
            noise,
            rows: taken.rows(chapter),
            missing,
        }
    }
}

/// When a chapter began, and how busy the machine was.
struct Start {
    when: String,
    began: Instant,
    busy: Busy,
    load: Vec<f64>,
}

impl Start {
    fn now(load: Vec<f64>) -> Self {
        Self {
            when: jiff::Timestamp::now()
                .strftime("%Y-%m-%dT%H:%M:%SZ")
                .to_string(),
            began: Instant::now(),
            busy: Busy::now(),
            load,
        }
    }
}

impl SamplersOf {
    fn chapter(&self, chapter: &Chapter, root: &Path) -> Samplers {
        let after = vec!["--budget".to_owned(), self.budget.to_string()];
        let bench = |bench: &Bench| {
            let name = bench.name();
            let program = self.built.get(name);
            let program = program
                .ok_or_else(|| format!("{name} was not built: what cargo says stands above"))?;
            let mut before = vec!["--sample".to_owned()];
            if *bench == Bench::Samples {
                before.insert(0, chapter.name.clone());
            }
            Ok(Sampler {
                program: program.clone(),
                before,
                after: after.clone(),
            })
        };
        let script = chapter.python(root);
        let python = |uvloop: bool| {
            let program = self.python.clone()?;
            if uvloop {
                self.uvloop.clone()?;
            }
            if !script.is_file() {
                return Err(format!("{} has no cpython/measure.py", chapter.folder));
            }
            let mut after = after.clone();
            after.extend(uvloop.then(|| "--uvloop".to_owned()));
            Ok(Sampler {
                program,
                before: vec![script.display().to_string()],
                after,
            })
        };
        let mut samplers = Samplers::from([
            (Program::Bench, bench(&Bench::of(chapter))),
            (Program::Python { uvloop: false }, python(false)),
            (Program::Python { uvloop: true }, python(true)),
        ]);
        if chapter.rows.iter().any(rows::Row::has_peers) {
            samplers.insert(Program::Peers, bench(&Bench::of_peers()));
        }
        samplers
    }
}
