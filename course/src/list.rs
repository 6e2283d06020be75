//! `cargo course list`: every exercise, and how far you are in it.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::manifest::Course;
use crate::progress::{Entry, Progress};
use crate::standing::chapters;
use crate::{FAINT, RIGHT, STRONG, WRONG};

/// List the exercises and how far you are
#[derive(Args)]
pub(crate) struct List {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let progress = Progress::read(&course.root)?;
        let mut out = anstream::stdout().lock();
        if self.json {
            let rows = course.exercises.iter().map(|exercise| {
                let entry = progress.of(exercise);
                json!({
                    "exercise": exercise.id,
                    "title": exercise.title,
                    "chapter": exercise.chapter,
                    "section": exercise.section,
                    "kind": exercise.kind,
                    "difficulty": exercise.difficulty,
                    "minutes": exercise.minutes,
                    "files": exercise.shown_files(),
                    "passed": entry.passed,
                    "tries": entry.tries,
                    "hints": entry.hints,
                    "gave_up": entry.gave_up,
                })
            });
            writeln!(out, "{}", Value::Array(rows.collect()))?;
        } else {
            write!(out, "{}", text(&course, &progress))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The list, a chapter a block.
pub(crate) fn text(course: &Course, progress: &Progress) -> String {
    let current = progress
        .current(course)
        .map(|exercise| exercise.id.as_str());
    let width = course
        .exercises
        .iter()
        .map(|exercise| exercise.id.len())
        .max();
    let width = width.unwrap_or_default();
    let mut lines = Vec::new();
    for chapter in chapters(course) {
        lines.push(format!("{STRONG}{}{STRONG:#}", chapter[0].chapter));
        for exercise in chapter {
            let entry = progress.of(exercise);
            let (style, mark) = match (&entry.passed, entry.tries) {
                (Some(_), _) => (RIGHT, "passed"),
                (None, 0) => (FAINT, "-"),
                (None, _) => (WRONG, "begun"),
            };
            let here = if current == Some(&exercise.id) {
                ">"
            } else {
                " "
            };
            let difficulty = serde_json::to_value(exercise.difficulty).unwrap_or_default();
            let row = format!(
                "{here} {style}{mark:6}{style:#}  {:width$}  {:3} min  {:6}  {}{FAINT}{}{FAINT:#}",
                exercise.id,
                exercise.minutes,
                difficulty.as_str().unwrap_or_default(),
                exercise.title,
                story(&entry),
            );
            lines.push(row);
        }
    }
    lines.join("\n") + "\n"
}

/// What was done in an exercise, in a few words.
fn story(entry: &Entry) -> String {
    let count = |number: u32, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {many}")),
    };
    let parts = [
        count(entry.tries, "try", "tries"),
        count(u32::from(entry.hints), "hint", "hints"),
        entry.gave_up.then(|| "saw the solution".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}
