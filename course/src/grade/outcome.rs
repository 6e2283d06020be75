//! What grading found: the one model that every report is made from.
//!
//! Nothing in it depends on the time of day or on how fast the machine was, so the same submission
//! gives the same report twice.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The version of `report.json`.
pub(crate) const VERSION: u32 = 1;

/// Why a file was not looked at that lies in two places.
pub(crate) const TWICE: &str = "the same file lies in a place that fits better";

/// A class, graded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The version of this form.
    pub(crate) version: u32,
    /// What stood between the submissions and the machine.
    pub(crate) protections: Vec<Protection>,
    /// Why some of it was missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    /// Files that lay among the submissions and are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) passed_over: BTreeSet<String>,
    /// The submissions, by name.
    pub(crate) submissions: Vec<Graded>,
}

/// One protection, and whether it was on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Protection {
    /// What it keeps a submission from.
    pub(crate) name: String,
    /// Whether it was on.
    pub(crate) on: bool,
}

/// One submission, graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Graded {
    /// The name of its folder or archive.
    pub(crate) name: String,
    /// Why it could not be graded at all, if it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
    /// What failed in the grader itself, for the staff: it may name what is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
    /// The exercises of the course, in its order.
    pub(crate) exercises: Vec<ExerciseGrade>,
    /// What lay in the submission and was not looked at.
    pub(crate) ignored: Vec<Ignored>,
}

/// A file of a submission that was not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ignored {
    /// Its path in the submission.
    pub(crate) path: String,
    /// Why.
    pub(crate) why: String,
}

/// One exercise of one submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExerciseGrade {
    /// The exercise's name.
    pub(crate) id: String,
    /// What it is called.
    pub(crate) title: String,
    /// Its chapter's folder.
    pub(crate) chapter: String,
    /// How far it came.
    pub(crate) state: State,
    /// Its tests and cases, in the order of the manifest.
    pub(crate) checks: Vec<Check>,
    /// What an instructor should look at: calls that no exercise needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) suspicious: Vec<String>,
}

/// How far an exercise came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "why")]
pub(crate) enum State {
    /// It is not in the submission.
    Missing,
    /// It is in the submission as it was shipped.
    Untouched,
    /// It was not built, because of what is in it.
    Refused(String),
    /// It does not compile.
    DoesNotCompile(String),
    /// Its checks ran.
    Checked,
}

/// One check of one exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The test's function, or the case's file without its extension.
    pub(crate) name: String,
    /// A test or a case.
    pub(crate) kind: CheckKind,
    /// Whether the learner sees its name only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
    /// What it is worth.
    pub(crate) most: u32,
    /// How it ended.
    pub(crate) end: End,
    /// What the learner is told: expected, got, why, what to read again. Empty if it passed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) message: String,
    /// What it printed, for the staff.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) output: String,
}

/// A test of the exercise's package, or a trycmd case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckKind {
    /// A test function.
    Test,
    /// A file of `grading/`, or of the folder of further cases.
    Case,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    /// It came to its end, and everything held.
    Passed,
    /// Something did not hold.
    Failed,
    /// It was stopped: it took too long.
    TimedOut,
    /// It was stopped: it printed, stored or started too much.
    OverLimit,
    /// It left with a signal, or without coming to its end.
    Crashed,
    /// It did not run, because the exercise was not built.
    NotRun,
}

impl Check {
    /// What it earned.
    pub(crate) fn earned(&self) -> u32 {
        if self.end == End::Passed {
            self.most
        } else {
            0
        }
    }
}

impl ExerciseGrade {
    /// What its checks earned.
    pub(crate) fn earned(&self) -> u32 {
        self.checks.iter().map(Check::earned).sum()
    }

    /// What its checks are worth.
    pub(crate) fn most(&self) -> u32 {
        self.checks.iter().map(|check| check.most).sum()
    }

    /// Whether every check passed.
    pub(crate) fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.end == End::Passed)
    }

    /// What an instructor should look at: why it was refused, and the calls that no exercise needs.
    pub(crate) fn to_look_at(&self) -> Vec<String> {
        let refused = match &self.state {
            State::Refused(why) => Some(format!("It was refused: {why}")),
            _ => None,
        };
        refused.into_iter().chain(self.suspicious.clone()).collect()
    }

    /// Why its checks did not run, in the learner's words.
    pub(crate) fn excuse(&self) -> Option<String> {
        match &self.state {
            State::Missing => Some("It is not in your submission.".to_owned()),
            State::Untouched => Some("It is as it was shipped.".to_owned()),
            State::Refused(why) => Some(format!("It was not built: {why}")),
            State::DoesNotCompile(why) => Some(format!("It does not compile.\n\n{why}")),
            State::Checked => None,
        }
    }
}

impl Graded {
    /// What its exercises earned.
    pub(crate) fn earned(&self) -> u32 {
        self.exercises.iter().map(ExerciseGrade::earned).sum()
    }

    /// What its exercises are worth.
    pub(crate) fn most(&self) -> u32 {
        self.exercises.iter().map(ExerciseGrade::most).sum()
    }

    /// Whether it was read and none of the exercises was found in it: packed otherwise, most likely.
    pub(crate) fn holds_nothing(&self) -> bool {
        let missing = |one: &ExerciseGrade| one.state == State::Missing;
        self.refused.is_none() && self.exercises.iter().all(missing)
    }

    /// Whether a file lies there more than once: which one was meant, the learner knows alone.
    pub(crate) fn holds_twice(&self) -> bool {
        self.ignored.iter().any(|ignored| ignored.why == TWICE)
    }

    /// Why it was not graded at all, in the staff's words.
    pub(crate) fn why_not(&self) -> Option<String> {
        let why = self.refused.as_ref()?;
        Some(match &self.failure {
            Some(failure) => format!("{why}: {failure}"),
            None => why.clone(),
        })
    }
}

impl End {
    /// In a word or three.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::TimedOut => "ran out of time",
            Self::OverLimit => "went over a limit",
            Self::Crashed => "left early",
            Self::NotRun => "did not run",
        }
    }
}

/// So many of something that has a plain plural.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
pub(crate) mod samples;
