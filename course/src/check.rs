//! `cargo course check`: runs an exercise's tests and says what they teach.

use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, value_parser};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::manifest::{Course, Exercise};
use crate::outcome::Outcome;
use crate::outcome::Report;
use crate::progress::Progress;
use crate::testing::{LIMIT, Order, Run, Stop};
use crate::{RIGHT, WRONG, files, tell};

/// Run an exercise's tests and say what they teach
#[derive(Args)]
pub(crate) struct Check {
    /// The exercise [default: that of this folder, or the current one]
    name: Option<String>,
    /// Run the tests of every exercise
    #[arg(long, conflicts_with = "name")]
    all: bool,
    /// Stop tests that run longer; the build does not count
    #[arg(long, value_name = "SECONDS", default_value_t = LIMIT, value_parser = value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let progress = Progress::read(&course.root)?;
        files::is_writable(&course.root)?;
        let stop = Stopper::new()?;
        if self.all {
            return self.check_all(&course, &stop);
        }
        let Some(exercise) = progress.named_or_current(&course, self.name.as_deref())? else {
            return all_done(self.json);
        };
        let report = self.tests(&course, exercise, &stop)?;
        if report.outcome == Outcome::Stopped {
            return Ok(ExitCode::from(130));
        }
        let passed = report.passed();
        let (progress, ()) = Progress::change(&course.root, |progress| {
            progress.ran(exercise, &report);
        })?;
        let mut out = anstream::stdout().lock();
        if self.json {
            writeln!(out, "{}", told(&course, exercise, &report, &progress))?;
        } else {
            writeln!(out, "{}", tell::report(&course.root, exercise, &report))?;
            write!(
                out,
                "{}",
                tell::follows(&course, exercise, &progress, &report, tell::Ask::Command)
            )?;
        }
        Ok(ExitCode::from(u8::from(!passed)))
    }

    fn tests(&self, course: &Course, exercise: &Exercise, stop: &Stopper) -> Result<Report> {
        let order = Order {
            root: &course.root,
            exercise,
            limit: Duration::from_secs(self.limit),
            colour: stdout().is_terminal() && !self.json,
        };
        let (run, handle) = Run::new();
        stop.now_stops(handle);
        // On a terminal only: indicatif is silent elsewhere.
        let bar = if self.json {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        if stderr().is_terminal() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        bar.set_message(format!("building {}", exercise.id));
        let report = run.go(&order, || {
            bar.set_message(format!("testing {}", exercise.id));
        });
        bar.finish_and_clear();
        report
    }

    fn check_all(&self, course: &Course, stop: &Stopper) -> Result<ExitCode> {
        let mut out = anstream::stdout().lock();
        let mut reports = Vec::new();
        let mut passed = 0;
        for exercise in &course.exercises {
            let report = self.tests(course, exercise, stop)?;
            if report.outcome == Outcome::Stopped {
                return Ok(ExitCode::from(130));
            }
            if report.passed() {
                passed += 1;
                Progress::change(&course.root, |progress| progress.passes(exercise))?;
            }
            if self.json {
                let mut value = report.json();
                value["exercise"] = json!(exercise.id);
                reports.push(value);
                continue;
            }
            let all = report.tests.len() + report.missing.len();
            let id = &exercise.id;
            match report.outcome {
                Outcome::Passed => writeln!(out, "{RIGHT}passed{RIGHT:#} {id}")?,
                Outcome::Failed => writeln!(
                    out,
                    "{WRONG}failed{WRONG:#} {id}: {} of {all} tests pass",
                    report.passing()
                )?,
                Outcome::DoesNotCompile => {
                    writeln!(
                        out,
                        "{WRONG}failed{WRONG:#} {id}: does not compile; `cargo course check {id}` shows why"
                    )?;
                }
                Outcome::NoBuild => writeln!(
                    out,
                    "{WRONG}failed{WRONG:#} {id}: cargo came to no build; `cargo course check {id}` shows what it said"
                )?,
                _ => writeln!(
                    out,
                    "{WRONG}failed{WRONG:#} {id}: {}",
                    report.explanation().unwrap_or_default()
                )?,
            }
        }
        let total = course.exercises.len();
        if self.json {
            let report = json!({"passed": passed, "total": total, "exercises": reports});
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "{passed} of {total} exercises pass")?;
        }
        Ok(ExitCode::from(u8::from(passed < total)))
    }
}

/// The report of one exercise, for programs.
pub(crate) fn told(
    course: &Course,
    exercise: &Exercise,
    report: &Report,
    progress: &Progress,
) -> Value {
    let mut value = report.json();
    value["exercise"] = json!(exercise.id);
    if report.passed() {
        value["learnt"] = json!(exercise.learnt);
        value["next"] = json!(progress.after(course, exercise).map(|next| &next.id));
    }
    value
}

fn all_done(json: bool) -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({"exercise": null, "outcome": "passed"}))?;
    } else {
        writeln!(
            out,
            "Every exercise is passed. `cargo course check NAME` runs one again."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends the run at Ctrl-C: its processes are a group of their own and do not get the signal.
struct Stopper(Arc<Mutex<Option<Stop>>>);

impl Stopper {
    fn new() -> Result<Self> {
        let current = Arc::new(Mutex::new(None::<Stop>));
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGHUP]).context("signals cannot be watched")?;
        let stops = Arc::clone(&current);
        thread::spawn(move || {
            for _ in signals.forever() {
                let stop = stops.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(stop) = stop {
                    stop.stop();
                }
            }
        });
        Ok(Self(current))
    }

    fn now_stops(&self, stop: Stop) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Some(stop);
    }
}
