//! `cargo course grade`: what submissions are worth, and why.
//!
//! `intake` takes the learner's files, `tokens` and `rules` say what is not built, `build` says in
//! which order `station` builds, `together` what shares a binary, `run` runs the checks, all under
//! the guard; `outcome` is the model that `report` writes.

mod build;
mod cache;
mod clean;
mod ending;
mod expect;
pub(crate) mod guarded;
pub(crate) mod intake;
mod merge;
mod one;
pub(crate) mod outcome;
mod progress;
mod prove;
pub(crate) mod report;
mod rules;
mod run;
mod shard;
mod station;
mod table;
mod together;
mod tokens;
pub(crate) mod tools;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, Subcommand};
use guard::{Guard, Protection as Kind};
use tempfile::TempDir;

use crate::manifest::{Course, Exercise};
use crate::workshop::{parallel, process};
use cache::{Cache, Key};
use ending::{finish, misused};
use intake::{Class, Submissions};
use one::{Exam, Grading};
use outcome::{Protection, Report, VERSION};
use progress::Progress;
use shard::Shard;
use station::{Hidden, Station};
use tools::Tools;

/// Grade submissions: tests and cases under a guard, points, reasons, reports
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Grade {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Submissions (folders, .zip, .tar.gz), folders of them, or .txt files that list them
    #[arg(required = true, value_name = "DIR")]
    submissions: Vec<PathBuf>,
    /// Take each DIR for one submission, whatever is in it
    #[arg(long)]
    single: bool,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = "grades")]
    out: PathBuf,
    /// Further cases, NAME/*.trycmd, which stay hidden from learners
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Grade this exercise alone; may be given more than once
    #[arg(long, value_name = "EXERCISE")]
    only: Vec<String>,
    /// How many compilers and tests run at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = counting::<NonZero<usize>>)]
    jobs: Option<NonZero<usize>>,
    /// Keep the grades that a run before this one wrote to the same folder
    #[arg(long)]
    resume: bool,
    /// Grade one part of the class, such as 3/8; `merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Print the report as JSON in place of the table
    #[arg(long)]
    json: bool,
    /// Write the sources here as well, for `JPlag` to compare
    #[arg(long, value_name = "DIR")]
    jplag: Option<PathBuf>,
    /// Seconds that one exercise may take to build
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = counting::<NonZero<u32>>)]
    build_limit: NonZero<u32>,
    /// Seconds that one test, or one command of a case, may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = counting::<NonZero<u32>>)]
    test_limit: NonZero<u32>,
    /// Seconds that one submission may take in all
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = counting::<NonZero<u32>>)]
    submission_limit: NonZero<u32>,
}

#[derive(Subcommand)]
enum Verb {
    Merge(merge::Merge),
}

impl Grade {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if let Some(Verb::Merge(merge)) = &self.verb {
            return merge.run();
        }
        let course = Course::here()?;
        let (class, exercises) = match self.asked(&course) {
            Ok(asked) => asked,
            Err(error) => return Ok(misused(&error)),
        };
        let all = class.submissions;
        let part = match self.shard {
            Some(shard) => shard.of(all.clone()),
            None => all.clone(),
        };
        let progress = Progress::new(part.len());
        let _temporary = self.leave_nothing(&progress)?;
        let (tools, guard) = (Tools::find()?, tools::guard()?);
        let hidden = self.hidden(&course, &all)?;
        // A test needs nothing of the course but its own program.
        let mut from_tests = hidden.clone();
        from_tests.push(course.root.clone());
        let grading = self.grading(&course, exercises, (&tools, &guard, &from_tests))?;
        let stations = self.stations(&course, (&tools, &guard, &hidden), part.len());
        progress.hold();
        let stations = stations?;
        if let (true, Some(station)) = (grading.has_hidden_cases(), stations.first()) {
            anstream::eprintln!("Trying the hidden cases on the solutions");
            let proved = grading.prove(station);
            progress.hold();
            proved?;
        }
        let graded = self.grade(&grading, &stations, &part, &progress)?;
        drop(stations);
        if let Some(folder) = &self.jplag {
            Self::export(&course, &part, folder)?;
        }
        let report = Report {
            version: VERSION,
            protections: protections(&guard),
            notes: guard.protections().notes.clone(),
            passed_over: class.passed_over,
            submissions: graded,
        };
        let removed = report::write(&report, &self.out)?;
        finish(&report, &self.out, &removed, self.json)
    }

    /// What the command line names.
    fn asked<'a>(&self, course: &'a Course) -> Result<(Class, Vec<&'a Exercise>)> {
        let class = intake::submissions(course, &self.submissions, self.single)?;
        if let Some(cases) = &self.cases {
            ensure!(
                cases.is_dir(),
                "{} is not a folder: --cases takes a folder of NAME/*.trycmd",
                cases.display()
            );
        }
        let only: Vec<_> = self
            .only
            .iter()
            .map(|id| course.find(id))
            .collect::<Result<_>>()?;
        let is_wanted = |exercise: &&Exercise| {
            only.is_empty() || only.iter().any(|wanted| wanted.id == exercise.id)
        };
        Ok((class, course.exercises.iter().filter(is_wanted).collect()))
    }

    /// One temporary folder for all others and for this program, which goes also when the run is
    /// interrupted.
    fn leave_nothing(&self, progress: &Progress) -> Result<TempDir> {
        let temporary = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        // It was set before: then nobody is about to set it again, and it is as good.
        let _ = tempfile::env::override_temp_dir(temporary.path());
        tools::settle(temporary.path())?;
        let (progress, out) = (progress.clone(), self.out.clone());
        let path = temporary.path().to_owned();
        process::end_groups_on_ctrl_c_and(move |end_all| progress.interrupt(end_all, &out, &path))
            .context("Ctrl-C cannot be had")?;
        Ok(temporary)
    }

    /// What no submission may see while it is built.
    fn hidden(&self, course: &Course, submissions: &Submissions) -> Result<Hidden> {
        fs::create_dir_all(&self.out)
            .with_context(|| format!("{} cannot be made", self.out.display()))?;
        let mut hidden = BTreeSet::from([course.root.join("solutions"), self.out.clone()]);
        hidden.insert(scratch(course).join("cache"));
        hidden.extend(self.submissions.iter().cloned());
        hidden.extend(submissions.values().cloned());
        hidden.extend(self.cases.iter().cloned());
        let full = |path: PathBuf| fs::canonicalize(path).ok();
        let hidden: BTreeSet<PathBuf> = hidden.into_iter().filter_map(full).collect();
        // What lies in a hidden folder needs no hiding of its own.
        let lies_in_another =
            |path: &PathBuf| path.ancestors().skip(1).any(|above| hidden.contains(above));
        Ok(hidden
            .iter()
            .filter(|path| !lies_in_another(path))
            .cloned()
            .collect())
    }

    fn grading<'a>(
        &self,
        course: &'a Course,
        exercises: Vec<&'a Exercise>,
        (tools, guard, hidden): (&Tools, &'a Guard, &'a Hidden),
    ) -> Result<Grading<'a>> {
        let mut expected = expect::of(course, &exercises, self.cases.as_deref())?;
        let surroundings = [
            tools.version.clone(),
            rules::text(),
            format!("{:?}", guard.protections().on),
            format!("{} {}", self.build_limit, self.test_limit),
        ];
        let key = Key::of_run(course, &surroundings)?;
        let exam = |exercise: &'a Exercise| {
            let checks = expected.remove(&exercise.id).unwrap_or_default();
            Exam::read(course, exercise, checks, &key)
        };
        Ok(Grading {
            exercises: exercises.into_iter().map(exam).collect::<Result<_>>()?,
            course,
            guard,
            hidden,
            cache: Cache::open(scratch(course).join("cache"))?,
            limits: (seconds(self.test_limit), seconds(self.submission_limit)),
            jobs: self.jobs().div_ceil(self.workers(usize::MAX)),
        })
    }

    /// A place for each worker, the floors built in each.
    fn stations<'a>(
        &self,
        course: &'a Course,
        with: (&'a Tools, &'a Guard, &'a Hidden),
        submissions: usize,
    ) -> Result<Vec<Station<'a>>> {
        let workers = self.workers(submissions);
        let jobs = self.jobs().div_ceil(workers);
        let open = |number: usize| {
            let folder = scratch(course).join(format!("{number}"));
            Station::open(course, with, &folder, jobs, seconds(self.build_limit))
        };
        anstream::eprintln!("Building what the exercises stand on");
        (0..workers).map(open).collect()
    }

    fn grade(
        &self,
        grading: &Grading<'_>,
        stations: &[Station<'_>],
        submissions: &Submissions,
        progress: &Progress,
    ) -> Result<Vec<outcome::Graded>> {
        let free: Mutex<Vec<&Station<'_>>> = Mutex::new(stations.iter().collect());
        let free = || free.lock().unwrap_or_else(PoisonError::into_inner);
        let list: Vec<_> = submissions.iter().collect();
        progress.begin();
        let one = |(name, path): &(&String, &PathBuf)| -> Result<outcome::Graded> {
            let key = grading.key(path);
            let before = self
                .resume
                .then(|| resumed(&self.out, name, key.as_deref()))
                .flatten();
            let graded = if let Some(graded) = before {
                graded
            } else {
                let station = free().pop().context("more workers than places")?;
                let graded = grading.grade(station, name, path);
                free().push(station);
                graded
            };
            progress.hold();
            report::keep(&self.out, key.as_deref(), &graded)?;
            progress.one(name);
            Ok(graded)
        };
        let graded = parallel::each(stations.len(), &list, one);
        progress.hold();
        progress.finish();
        graded.into_iter().collect()
    }

    fn export(course: &Course, submissions: &Submissions, folder: &Path) -> Result<()> {
        let mut taken = Vec::new();
        for (name, path) in submissions {
            // What cannot be read has said so in its report.
            if let Ok(files) = intake::take(course, path) {
                taken.push((name.as_str(), files));
            }
        }
        let list: Vec<_> = taken.iter().map(|(name, files)| (*name, files)).collect();
        report::export(course, &list, folder)
    }

    fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(cores, NonZero::get)
    }

    /// Cargo and the tests of one submission keep two or three cores busy.
    fn workers(&self, submissions: usize) -> usize {
        self.jobs().div_ceil(3).min(submissions.max(1))
    }
}

fn resumed(out: &Path, name: &str, key: Option<&str>) -> Option<outcome::Graded> {
    report::kept(out, name, key?)
}

/// A number of the command line that is not 0.
fn counting<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "give a whole number, 1 or more")
}

fn protections(guard: &Guard) -> Vec<Protection> {
    let on = guard.protections();
    Kind::ALL
        .iter()
        .map(|kind| Protection {
            name: kind.to_string(),
            on: on.holds(*kind),
        })
        .collect()
}

/// Where the grader works, kept from run to run; it can be deleted.
fn scratch(course: &Course) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| "target".into());
    course.root.join(target).join("course").join("grade")
}

fn seconds(seconds: NonZero<u32>) -> Duration {
    Duration::from_secs(seconds.get().into())
}
