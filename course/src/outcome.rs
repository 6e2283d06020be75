//! What came of a run: the outcome, and each test.

use serde_json::{Value, json};

use std::path::Path;

use crate::begin::Untouched;
use crate::built::Build;
use crate::libtest::{self, Test};
use crate::testing::{End, Order};

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All of the exercise's tests passed.
    Passed,
    /// A test failed, or one that the exercise has did not run.
    Failed,
    /// rustc refuses it.
    DoesNotCompile,
    /// rustc refuses this package, which the exercise stands on.
    FloorDoesNotCompile(String),
    /// Cargo came to no build.
    NoBuild,
    /// The tests ran too long. Whether they were computing, where that is known.
    Late(Option<bool>),
    /// The tests printed too much.
    Flood,
    /// The test program ended in the middle of a test.
    Died,
    /// Somebody stopped it.
    Stopped,
}

/// A run, told.
pub(crate) struct Report {
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// The tests that began.
    pub(crate) tests: Vec<Test>,
    /// Tests that the exercise has and that did not begin.
    pub(crate) missing: Vec<String>,
    /// rustc's errors.
    pub(crate) errors: Vec<String>,
    /// rustc's warnings.
    pub(crate) warnings: Vec<String>,
    /// What cargo said, if there was no build.
    pub(crate) said: String,
    /// How the test program ended, if it did not end well.
    pub(crate) ended: Option<String>,
    /// Whether the exercise is as it was shipped, and where the work in it begins.
    pub(crate) untouched: Option<Untouched>,
    /// How long the tests may run, in seconds.
    pub(crate) limit: u64,
}

impl Report {
    /// Judges a run by how it ended and by what was printed.
    pub(crate) fn new(
        order: &Order<'_>,
        build: Build,
        output: &str,
        end: End,
        untouched: Option<Untouched>,
    ) -> Self {
        let mut tests = libtest::tests(output);
        // The manifest has them from the first step to the last; the harness sorts them by name.
        let places = &order.exercise.points.tests;
        tests.sort_by_key(|test| places.get_index_of(&test.name).unwrap_or(usize::MAX));
        let wanted = order.exercise.points.tests.keys();
        let missing: Vec<String> = wanted
            .filter(|name| !tests.iter().any(|test| test.name == **name))
            .cloned()
            .collect();
        let unfinished = tests
            .iter()
            .any(|test| test.end == libtest::End::Unfinished);
        let own = order.exercise.folder(Path::new("")).join("Cargo.toml");
        let mut broken = build.broken.iter();
        let is_own = build.errors.is_empty() || broken.any(|one| one.manifest.ends_with(&own));
        let floor = build.broken.first().filter(|_| !is_own);
        let outcome = match end {
            End::Stopped => Outcome::Stopped,
            End::Late(busy) => Outcome::Late(busy),
            End::Flood => Outcome::Flood,
            End::Over(_) if let Some(floor) = floor => {
                Outcome::FloorDoesNotCompile(floor.name.clone())
            }
            End::Over(_) if !build.errors.is_empty() => Outcome::DoesNotCompile,
            End::Over(_) if !build.is_done() => Outcome::NoBuild,
            End::Over(_) if unfinished => Outcome::Died,
            End::Over(status) if status.success() && missing.is_empty() => Outcome::Passed,
            End::Over(_) => Outcome::Failed,
        };
        Self {
            ended: (outcome == Outcome::Died).then(|| ended(output)),
            outcome,
            tests,
            missing,
            errors: build.errors,
            warnings: build.warnings,
            said: build.said,
            untouched,
            limit: order.limit.as_secs(),
        }
    }

    /// Whether the exercise is passed.
    pub(crate) fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }

    /// Whether the run says something of the learner's code, so that it counts as a try.
    pub(crate) fn is_try(&self) -> bool {
        let says_nothing = matches!(
            self.outcome,
            Outcome::Stopped | Outcome::NoBuild | Outcome::FloorDoesNotCompile(_)
        );
        self.passed() || !says_nothing && self.untouched.is_none()
    }

    /// The test that a run was stopped in, or that the program ended in.
    pub(crate) fn unfinished(&self) -> Option<&Test> {
        let mut tests = self.tests.iter();
        tests.find(|test| test.end == libtest::End::Unfinished)
    }

    /// How many tests passed.
    pub(crate) fn passing(&self) -> usize {
        let passing = self.tests.iter();
        passing
            .filter(|test| test.end == libtest::End::Passed)
            .count()
    }

    /// Why the outcome is what it is, where the tests' own messages do not say it.
    pub(crate) fn explanation(&self) -> Option<String> {
        let name = self.unfinished().map(|test| format!(" in `{}`", test.name));
        let name = name.unwrap_or_default();
        let limit = self.limit;
        match &self.outcome {
            Outcome::Late(busy) => Some(late(limit, &name, *busy)),
            Outcome::Flood => Some(format!(
                "The tests printed more than a mebibyte and were stopped{name}. Something prints in a \
                 loop that never ends: look at what ends it, and print less."
            )),
            Outcome::Died => Some(died(&name, self.ended.as_deref().unwrap_or_default())),
            Outcome::Failed if !self.missing.is_empty() => Some(format!(
                "{} did not run: `git checkout` brings the exercise's tests back, if they were changed.",
                self.missing.join(", ")
            )),
            Outcome::FloorDoesNotCompile(name) => Some(format!(
                "{name} does not compile. That is not your file: `git status` shows what changed \
                 there; `cargo clean -p {name}` if nothing did."
            )),
            Outcome::NoBuild => Some(
                "Cargo came to no build; what it said stands above. `cargo course doctor` looks at \
                 what cargo needs."
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// The report for programs.
    pub(crate) fn json(&self) -> Value {
        let tests = self.tests.iter().map(|test| {
            json!({
                "name": test.name,
                "outcome": match test.end {
                    libtest::End::Passed => "passed",
                    libtest::End::Failed => "failed",
                    libtest::End::Ignored => "ignored",
                    libtest::End::Unfinished => "unfinished",
                },
                "message": test.message,
                "file": test.place.as_ref().map(|place| &place.file),
                "line": test.place.as_ref().map(|place| place.line),
                "printed": clip(&test.printed, 4096),
            })
        });
        json!({
            "outcome": match self.outcome {
                Outcome::Passed => "passed",
                Outcome::Failed => "failed",
                Outcome::DoesNotCompile => "does-not-compile",
                Outcome::FloorDoesNotCompile(_) => "floor-does-not-compile",
                Outcome::NoBuild => "no-build",
                Outcome::Late(_) => "stopped-late",
                Outcome::Flood => "printed-too-much",
                Outcome::Died => "died",
                Outcome::Stopped => "stopped",
            },
            "tests": tests.collect::<Vec<Value>>(),
            "missing": self.missing,
            "errors": self.errors,
            "warnings": self.warnings,
            "cargo": if self.outcome == Outcome::NoBuild { self.said.as_str() } else { "" },
            "explanation": self.explanation(),
            "as_shipped": self.untouched.is_some(),
        })
    }
}

/// The beginning of a text, in bytes at most, whole characters only.
pub(crate) fn clip(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

fn late(limit: u64, name: &str, busy: Option<bool>) -> String {
    let endless = "a loop that never ends (one that takes what it has put there itself, or waits for \
                   what cannot change while it runs)";
    let asleep = "a future that nobody wakes (it said `Pending` and kept no waker, or its waker was \
                  never called), or a call that blocks the thread (a lock, a channel, a real sleep)";
    let why = match busy {
        Some(true) => format!("It was computing: look for {endless}."),
        Some(false) => format!("It stood still: look for {asleep}."),
        None => format!("Look for {endless}; for {asleep}."),
    };
    format!(
        "The tests were stopped after {limit} s{name}. {why} The tests need no real time: their clock is virtual."
    )
}

fn died(name: &str, ended: &str) -> String {
    let why = if ended.contains("overflowed its stack") {
        "its stack ran over: something calls itself without end, such as a `poll` that polls itself"
    } else if ended.contains("memory allocation of") {
        "it asked for more memory than it may have: something grows without end, such as a queue that \
         each round makes longer"
    } else if ended.contains("exit") || ended.is_empty() {
        "something left the process: `std::process::exit` ends the tests as well"
    } else {
        "something ended the process"
    };
    let ended = ended.lines().last().unwrap_or_default();
    let ended = if ended.is_empty() {
        String::new()
    } else {
        format!(" ({ended})")
    };
    format!("The test program ended{name}{ended}: {why}.")
}

/// How the test program ended, from what stands at the end of the output.
fn ended(output: &str) -> String {
    let lines = output.lines();
    let telling = [
        "overflowed its stack",
        "memory allocation of",
        "(signal: ",
        "(exit status: ",
    ];
    let lines = lines.filter(|line| telling.iter().any(|word| line.contains(word)));
    let short = |line: &str| match line.rfind('(') {
        Some(at) if line.contains("didn't exit successfully") => {
            line[at + 1..].trim_end_matches(')').to_owned()
        }
        _ => line.trim().to_owned(),
    };
    lines.map(short).collect::<Vec<_>>().join("\n")
}
