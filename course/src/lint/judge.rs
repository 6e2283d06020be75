//! What the trials of an exercise say about it: the shipped code fails, the solution passes, and
//! each misconception is found out with the message that it names.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fault::Fault;
use super::subject::{Role, Subject};
use super::trial::Trial;
use crate::workshop::checks::{Outcome, Tested};

/// An exercise in numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) tests: usize,
    pub(crate) cases: usize,
    /// How many tests fail as shipped.
    pub(crate) failing: usize,
    pub(crate) misconceptions: usize,
    /// How many of them its tests find out, with the right message.
    pub(crate) caught: usize,
    pub(crate) faults: usize,
}

impl Row {
    pub(crate) fn json(&self) -> Value {
        json!({
            "exercise": self.id,
            "tests": self.tests,
            "cases": self.cases,
            "fail_as_shipped": self.failing,
            "misconceptions": self.misconceptions,
            "caught": self.caught,
            "faults": self.faults,
        })
    }
}

/// Judges the trials of one exercise.
pub(crate) fn judge<'t>(
    subject: &Subject,
    trials: impl Iterator<Item = &'t Trial>,
    faults: &mut Vec<Fault>,
) -> Row {
    let exercise = subject.exercise;
    let mut row = Row {
        id: exercise.id.clone(),
        cases: exercise.points.cases.len(),
        misconceptions: subject.patches,
        ..Row::default()
    };
    let mut judge = Judge { subject, faults };
    for trial in trials {
        match trial.role {
            Role::Stub => row.failing = judge.stub(trial),
            Role::Solution => {
                judge.solution(trial);
                row.tests = trial.tests.len();
            }
            Role::Wrong(index) => row.caught += usize::from(judge.wrong(trial, index)),
        }
    }
    row
}

struct Judge<'a> {
    subject: &'a Subject<'a>,
    faults: &'a mut Vec<Fault>,
}

impl Judge<'_> {
    fn fault(&mut self, what: impl Into<String>, remedy: impl Into<String>) {
        let place = &self.subject.exercise.id;
        self.faults.push(Fault::new(place, what, remedy));
    }

    /// Whether it compiles; what the compiler says is a fault.
    fn compiles(&mut self, trial: &Trial, which: &str, remedy: &str, warnings: bool) -> bool {
        let error = trial.said.iter().find(|said| said.error);
        if let Some(error) = error {
            self.fault(format!("{which} does not compile: {}", error.line), remedy);
            return false;
        }
        for said in trial.said.iter().filter(|_| warnings) {
            self.fault(format!("{which} has a warning: {}", said.line), remedy);
        }
        if trial.tests.is_empty() {
            self.fault(format!("{which} has no test"), "write tests/NAME.rs");
            return false;
        }
        true
    }

    /// Returns how many tests fail.
    fn stub(&mut self, trial: &Trial) -> usize {
        if !self.compiles(
            trial,
            "the shipped code",
            "mend what the learner starts with",
            true,
        ) {
            return 0;
        }
        let failing = trial
            .tests
            .iter()
            .filter(|test| test.outcome != Outcome::Passed);
        let failing = failing.count();
        if failing == 0 {
            self.fault(
                "its tests pass as shipped",
                "take out what the learner has to write",
            );
        }
        self.endless(trial, "as shipped");
        for (name, judged) in &trial.cases {
            if judged.as_ref().is_ok_and(|judged| judged.failure.is_none()) {
                self.fault(
                    format!("the case {name} passes as shipped"),
                    "let it show something that the learner's code decides",
                );
            }
        }
        failing
    }

    fn solution(&mut self, trial: &Trial) {
        if !self.compiles(trial, "the solution", "mend it", true) {
            return;
        }
        for test in trial
            .tests
            .iter()
            .filter(|test| test.outcome != Outcome::Passed)
        {
            let what = format!("the test {} {} on the solution", test.name, test.outcome);
            let remedy = format!("mend the solution or the test{}", says(test));
            self.fault(what, remedy);
        }
        for (name, judged) in &trial.cases {
            match judged {
                Err(error) => self.fault(format!("the case {name}: {error:#}"), "mend the file"),
                Ok(judged) => {
                    if let Some(failure) = &judged.failure {
                        let what = format!("the case {name} fails on the solution: {failure}");
                        let id = &self.subject.exercise.id;
                        self.fault(
                            what,
                            format!("see `cargo run -p {id}-solution -- …`, and mend the case"),
                        );
                    }
                }
            }
        }
        let there: BTreeSet<&str> = trial.tests.iter().map(|test| &*test.name).collect();
        let points = &self.subject.exercise.points.tests;
        for name in points.keys().filter(|name| !there.contains(name.as_str())) {
            let what = format!("{name} has points, and no test has that name");
            self.fault(what, "mend [exercise.points.tests]");
        }
        for name in there.iter().filter(|name| !points.contains_key(**name)) {
            let what = format!("the test {name} has no points");
            self.fault(what, "give it some in [exercise.points.tests]");
        }
    }

    /// Returns whether it is found out.
    fn wrong(&mut self, trial: &Trial, index: usize) -> bool {
        let wrong = &self.subject.misconceptions[index];
        let shown = format!("misconceptions/{}.patch", wrong.slug);
        if !self.compiles(
            trial,
            &shown,
            "a mistake of a learner compiles; mend the patch",
            false,
        ) {
            return false;
        }
        let failing: Vec<&Tested> = trial
            .tests
            .iter()
            .filter(|test| test.outcome != Outcome::Passed)
            .collect();
        if failing.is_empty() {
            self.fault(
                format!("{shown} passes every test"),
                "write a test that finds it out",
            );
            return false;
        }
        self.endless(trial, &format!("with {shown}"));
        let fits = failing
            .iter()
            .any(|test| test.output.contains(&wrong.fails_with));
        if !fits {
            let what = format!(
                "{shown} fails, and no message has {:?} in it",
                wrong.fails_with
            );
            let remedy = format!("mend `Fails with:` or the message{}", says(failing[0]));
            self.fault(what, remedy);
        }
        fits
    }

    /// A learner should never have to wait for a test that does not end.
    fn endless(&mut self, trial: &Trial, when: &str) {
        for test in &trial.tests {
            if matches!(test.outcome, Outcome::OutOfTime | Outcome::TooMuchOutput) {
                self.fault(
                    format!("the test {} {} {when}", test.name, test.outcome),
                    "stop it with `lesson::Limit`",
                );
            }
        }
    }
}

/// What a test said, in part and in one line.
fn says(test: &Tested) -> String {
    let words: Vec<&str> = test
        .output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("running "))
        .filter(|line| !line.starts_with("thread '") && !line.starts_with("note: "))
        .take(3)
        .collect();
    if words.is_empty() {
        return String::new();
    }
    let words = words.join(" ");
    let short: String = words.chars().take(160).collect();
    format!(" (it says: {short})")
}
