//! Hidden cases, tried on the reference solutions before any submission is built: a case with a
//! mistake of its own would fail for everybody, and nobody would see why.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};

use super::expect::Expected;
use super::intake::{Taken, Text, Wanted};
use super::one::{Exam, Grading};
use super::outcome::{Check, End, ExerciseGrade};
use super::station::Station;
use crate::workshop::package::editable;

impl Grading<'_> {
    /// Whether there is a hidden case among what is graded.
    pub(crate) fn has_hidden_cases(&self) -> bool {
        self.exercises.iter().any(has_hidden)
    }

    /// Runs each hidden case on the solution of its exercise, built and held as a submission is.
    ///
    /// # Errors
    /// A case that the solution does not pass, with the reason; or a solution that is not there.
    pub(crate) fn prove(&self, station: &Station<'_>) -> Result<()> {
        let mut solutions = Taken::default();
        for exam in self.exercises.iter().filter(|exam| has_hidden(exam)) {
            let exercise = exam.exercise;
            let folder = exercise.solution(&self.course.root);
            let files = editable(exercise, &folder).with_context(|| {
                format!("the hidden cases of {} need its solution", exercise.id)
            })?;
            for (file, text) in files {
                let wanted = Wanted {
                    exercise: exercise.id.clone(),
                    file: file.to_string_lossy().replace('\\', "/"),
                };
                let text = String::from_utf8_lossy(&text).into_owned();
                solutions.files.insert(wanted, Text::Is(text));
            }
        }
        let grades = self.exercises(station, &solutions)?;
        let mut faults = String::new();
        for (exam, grade) in self.exercises.iter().zip(&grades) {
            for (expected, check) in exam.expected.iter().zip(&grade.checks) {
                if expected.hidden && check.end != End::Passed {
                    let _ = write!(faults, "{}", fault(expected, grade, check));
                }
            }
        }
        if faults.is_empty() {
            return Ok(());
        }
        bail!(
            "a hidden case fails on the course's own solution, so it would fail for everybody. \
             Nothing was graded.\n{faults}"
        )
    }
}

fn has_hidden(exam: &Exam<'_>) -> bool {
    exam.expected.iter().any(|expected| expected.hidden)
}

/// Which case it is, how it ended, and what it printed beside what the case shows.
fn fault(expected: &Expected, grade: &ExerciseGrade, check: &Check) -> String {
    let file = expected.case.clone().unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(here).unwrap_or(&file);
    let why = grade.excuse().unwrap_or_else(|| check.message.clone());
    // trycmd's sign for an end without a newline, on a line that the case expects.
    let unended = |line: &str| line.contains(" - ") && line.ends_with('∅');
    let hint = if check.message.lines().any(unended) {
        "The ∅ is a line of the case without an end: leave a blank line before the closing fence.\n"
    } else {
        ""
    };
    format!(
        "\n{} {}.\n{}\n{hint}",
        file.display(),
        check.end.words(),
        why.trim_end()
    )
}
