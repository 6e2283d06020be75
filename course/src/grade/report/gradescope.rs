//! Gradescope's `results.json`.

use serde::Serialize;

use super::feedback::{full_name, told};
use crate::grade::outcome::{End, Graded};

#[derive(Serialize)]
pub(super) struct Results {
    score: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    score: u32,
    max_score: u32,
    status: &'static str,
    output: String,
    visibility: &'static str,
}

/// A test a check. What a hidden case checks is in no line that a student can open.
pub(super) fn results(graded: &Graded) -> Results {
    let exercises = graded.exercises.iter();
    let tests = exercises.flat_map(|exercise| {
        exercise.checks.iter().map(move |check| Test {
            name: full_name(exercise, check),
            score: check.earned(),
            max_score: check.most,
            status: if check.end == End::Passed {
                "passed"
            } else {
                "failed"
            },
            output: told(exercise, check),
            visibility: "visible",
        })
    });
    Results {
        score: graded.earned(),
        output: graded.refused.clone(),
        tests: tests.collect(),
    }
}
