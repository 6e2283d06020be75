//! `cargo course solution` and `cargo course diff`: the solution, whole or beside what you wrote.
//!
//! Both open after the exercise is passed, after its third hint, or to whoever gives up.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use crate::manifest::{Course, Exercise};
use crate::progress::{HINTS, Progress};
use crate::tell::line;
use crate::{FAINT, RIGHT, STRONG, WRONG, shipped};

/// Which solution, and whether to give up for it.
#[derive(Args)]
struct Which {
    /// The exercise
    name: String,
    /// See it before the exercise is passed or its third hint is read; that is written down
    #[arg(long)]
    give_up: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Show the solution, after passing or after the third hint
#[derive(Args)]
pub(crate) struct Solution {
    #[command(flatten)]
    which: Which,
}

/// Show what the solution does otherwise, after passing or after the third hint
#[derive(Args)]
pub(crate) struct Diff {
    #[command(flatten)]
    which: Which,
}

impl Which {
    /// The exercise, if its solution may be seen.
    fn open<'a>(&self, course: &'a Course) -> Result<&'a Exercise> {
        let exercise = course.find(&self.name)?;
        let entry = Progress::read(&course.root)?.of(exercise);
        if entry.is_open() {
            return Ok(exercise);
        }
        if !self.give_up {
            bail!("{}", closed(exercise, entry.hints));
        }
        Progress::change(&course.root, |progress| {
            progress.gives_up(exercise);
        })?;
        Ok(exercise)
    }
}

/// Why a solution is not shown, and what opens it.
pub(crate) fn closed(exercise: &Exercise, hints: u8) -> String {
    let id = &exercise.id;
    format!(
        "the solution of {id} opens when you pass, or after hint {HINTS} (you have read {hints}): \
         `cargo course hint {id}`, or --give-up"
    )
}

impl Solution {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let exercise = self.which.open(&course)?;
        let texts = shipped::solved(&course.root, exercise)?;
        let mut out = anstream::stdout().lock();
        if self.which.json {
            let file = |name| exercise.solution(Path::new("")).join(name);
            let files = texts
                .iter()
                .map(|(name, text)| json!({"file": file(name), "text": text}));
            let files: Value = files.collect();
            writeln!(out, "{}", json!({"exercise": exercise.id, "files": files}))?;
            return Ok(ExitCode::SUCCESS);
        }
        for (file, text) in &texts {
            let file = exercise.solution(Path::new("")).join(file);
            writeln!(out, "{STRONG}{}{STRONG:#}", file.display())?;
            write!(out, "{text}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Diff {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let exercise = self.which.open(&course)?;
        let mut out = anstream::stdout().lock();
        if self.which.json {
            let files = differences(&course, exercise)?;
            let files = files
                .iter()
                .map(|(file, diff)| json!({"file": file, "diff": plain(diff)}));
            let files: Value = files.collect();
            writeln!(out, "{}", json!({"exercise": exercise.id, "files": files}))?;
        } else {
            write!(out, "{}", text(&course, exercise)?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What leads from the learner's files to the solution's, with styles in it.
pub(crate) fn text(course: &Course, exercise: &Exercise) -> Result<String> {
    let files = differences(course, exercise)?;
    if files.is_empty() {
        return Ok(format!(
            "What you wrote in {} is the solution, word for word.\n",
            exercise.id
        ));
    }
    let mut text = String::new();
    for (file, diff) in files {
        let legend = "(- yours, + the solution's)";
        line(
            &mut text,
            &format!("{STRONG}{file}{STRONG:#} {FAINT}{legend}{FAINT:#}"),
        );
        text += &diff;
    }
    Ok(text)
}

fn differences(course: &Course, exercise: &Exercise) -> Result<Vec<(String, String)>> {
    let mine = shipped::present(&course.root, exercise)?;
    let solved = shipped::solved(&course.root, exercise)?;
    let pairs = mine.into_iter().zip(solved).zip(exercise.shown_files());
    let pairs = pairs.filter(|(((_, mine), (_, solved)), _)| mine != solved);
    Ok(pairs
        .map(|(((_, mine), (_, solved)), file)| (file, difference(&mine, &solved)))
        .collect())
}

fn difference(mine: &str, solved: &str) -> String {
    let diff = TextDiff::from_lines(mine, solved);
    let mut text = String::new();
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        line(&mut text, &format!("{FAINT}{}{FAINT:#}", hunk.header()));
        for change in hunk.iter_changes() {
            let value = change.value().trim_end_matches('\n');
            let value = match change.tag() {
                ChangeTag::Delete => format!("{WRONG}-{value}{WRONG:#}"),
                ChangeTag::Insert => format!("{RIGHT}+{value}{RIGHT:#}"),
                ChangeTag::Equal => format!(" {value}"),
            };
            line(&mut text, &value);
        }
    }
    text
}

fn plain(styled: &str) -> String {
    anstream::adapter::strip_str(styled).to_string()
}
