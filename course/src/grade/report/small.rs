//! Two small forms: Exercism's `results.json` (version 3) and Classroom 50's `result.json`.

use serde::Serialize;

use super::feedback::{full_name, shortened, told};
use crate::grade::outcome::{End, Graded};

/// Exercism shows no more of an output than this many characters.
const EXERCISM_OUTPUT: usize = 500;

#[derive(Serialize)]
pub(super) struct Exercism {
    version: u32,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    tests: Vec<ExercismTest>,
}

#[derive(Serialize)]
struct ExercismTest {
    name: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    // The number of the exercise in the course, from 1.
    task_id: usize,
}

pub(super) fn exercism(graded: &Graded) -> Exercism {
    let exercises = graded.exercises.iter().enumerate();
    let tests: Vec<_> = exercises
        .flat_map(|(index, exercise)| {
            exercise.checks.iter().map(move |check| {
                let message = Some(told(exercise, check)).filter(|told| !told.is_empty());
                let shown = !check.hidden && !check.output.is_empty();
                ExercismTest {
                    name: full_name(exercise, check),
                    status: match check.end {
                        End::Passed => "pass",
                        End::Failed => "fail",
                        _ => "error",
                    },
                    message,
                    output: shown.then(|| shortened(&check.output, EXERCISM_OUTPUT)),
                    task_id: index + 1,
                }
            })
        })
        .collect();
    let status = match &graded.refused {
        Some(_) => "error",
        None if tests.iter().all(|test| test.status == "pass") => "pass",
        None => "fail",
    };
    Exercism {
        version: 3,
        status,
        message: graded.refused.clone(),
        tests,
    }
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Classroom50 {
    schema: &'static str,
    score: u32,
    max_score: u32,
    tests: Vec<Classroom50Test>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Classroom50Test {
    test_name: String,
    passed: bool,
    score: u32,
    max_score: u32,
}

pub(super) fn classroom50(graded: &Graded) -> Classroom50 {
    let exercises = graded.exercises.iter();
    let tests = exercises.flat_map(|exercise| {
        exercise.checks.iter().map(move |check| Classroom50Test {
            test_name: full_name(exercise, check),
            passed: check.end == End::Passed,
            score: check.earned(),
            max_score: check.most,
        })
    });
    Classroom50 {
        schema: "classroom50/result/v1",
        score: graded.earned(),
        max_score: graded.most(),
        tests: tests.collect(),
    }
}
