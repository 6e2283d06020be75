//! A run, told to the learner: what failed and what it teaches, without the test harness's own
//! words.

use std::fmt::Write as _;
use std::path::Path;

use crate::libtest::{End, Test};
use crate::manifest::{Course, Exercise, Kind};
use crate::outcome::{Outcome, Report, clip};
use crate::progress::{HINTS, Progress};
use crate::{FAINT, RIGHT, STRONG, WRONG, link};

/// The most failures that are told in full.
const FAILURES: usize = 3;
/// The most lines of a test's own output that are shown.
const PRINTED: usize = 20;
/// Where prose is broken on a wide terminal, in characters.
const WIDEST: usize = 100;
/// The most of rustc's errors that are shown, in bytes.
const ERRORS: usize = 1 << 16;

/// The report of a run, as text with styles in it.
pub(crate) fn report(root: &Path, exercise: &Exercise, report: &Report) -> String {
    let mut text = String::new();
    match report.outcome {
        Outcome::FloorDoesNotCompile(_) => errors(&mut text, report),
        Outcome::DoesNotCompile => {
            errors(&mut text, report);
            line(&mut text, "");
            line(
                &mut text,
                &format!("{WRONG}{} does not compile.{WRONG:#}", exercise.id),
            );
        }
        Outcome::NoBuild => text.push_str(&report.said),
        Outcome::Stopped => line(&mut text, "Stopped."),
        _ => tests(&mut text, root, exercise, report),
    }
    if let Some(explanation) = report.explanation() {
        line(&mut text, "");
        line(
            &mut text,
            &format!("{WRONG}{}{WRONG:#}", prose(&explanation)),
        );
    }
    if report.passed() && !report.warnings.is_empty() {
        line(&mut text, "");
        line(&mut text, report.warnings.join("\n").trim_end());
        line(&mut text, "It passes. rustc has a remark; see above.");
    }
    text
}

/// How the learner asks for the next thing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// By typing a command.
    Command,
    /// By a key of the watch.
    Key,
}

/// What follows a run: what was learnt and the next exercise, or where help is.
pub(crate) fn follows(
    course: &Course,
    exercise: &Exercise,
    progress: &Progress,
    report: &Report,
    ask: Ask,
) -> String {
    let mut text = String::new();
    let id = &exercise.id;
    let how = |key: &str, command: String| match ask {
        Ask::Key => format!("key {key}"),
        Ask::Command => command,
    };
    if matches!(report.outcome, Outcome::FloorDoesNotCompile(_)) {
        // No hint of the exercise helps there.
        return text;
    }
    if report.passed() {
        line(
            &mut text,
            &format!("{STRONG}Learnt{STRONG:#}\n{}", prose(&exercise.learnt)),
        );
        let Some(next) = progress.after(course, exercise) else {
            line(&mut text, "No exercise is left: the course is done.");
            return text;
        };
        let Exercise { title, minutes, .. } = next;
        let how = how("n", "cargo course next".to_owned());
        line(
            &mut text,
            &format!(
                "{STRONG}Next:{STRONG:#} {title} ({}, {minutes} min): {how}",
                next.id
            ),
        );
        return text;
    }
    let hints = progress.of(exercise).hints;
    let help = if hints < HINTS {
        format!(
            "Hint {} of {HINTS}: {}",
            hints + 1,
            how("h", format!("cargo course hint {id}"))
        )
    } else {
        format!(
            "What the solution does otherwise: {}",
            how("d", format!("cargo course diff {id}"))
        )
    };
    line(&mut text, &format!("{FAINT}{help}{FAINT:#}"));
    text
}

/// Prose, broken between words where standard output is a terminal.
pub(crate) fn prose(text: &str) -> String {
    match columns() {
        Some(columns) => textwrap::fill(text, columns.min(WIDEST)),
        None => text.to_owned(),
    }
}

/// How wide the terminal is, where standard output is one.
pub(crate) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

fn errors(text: &mut String, report: &Report) {
    text.push_str(clip(&report.errors.join("\n"), ERRORS));
}

fn tests(text: &mut String, root: &Path, exercise: &Exercise, report: &Report) {
    let failed = report.tests.iter().filter(|test| test.end == End::Failed);
    let failed: Vec<&Test> = failed.collect();
    match &report.untouched {
        Some(untouched)
            if report.outcome == Outcome::Failed
                && let Some(todo) = untouched.todo(&report.tests) =>
        {
            shipped(text, exercise, &link::place(root, &todo.place));
            line(text, format!("  {}", todo.text).trim_end());
            line(text, "");
        }
        Some(_) if !report.passed() => {
            let file = exercise.shown_files().into_iter().next();
            shipped(text, exercise, &link::file(root, &file.unwrap_or_default()));
            line(text, "");
            failures(text, root, &failed, 1);
        }
        // A stage stands on those before it: the first that fails is the one to mend.
        _ if exercise.kind == Kind::Capstone => {
            failures(text, root, &failed[..failed.len().min(1)], 1);
        }
        _ => failures(text, root, &failed, FAILURES),
    }
    if let Some(test) = report.unfinished() {
        line(
            text,
            &format!("{WRONG}no end{WRONG:#} {}", named(&test.name)),
        );
        printed(text, &test.printed);
        line(text, "");
    }
    let all = report.tests.len() + report.missing.len();
    let style = if report.passed() { RIGHT } else { WRONG };
    let passing = report.passing();
    let count = if exercise.kind == Kind::Capstone {
        let mut open = report.tests.iter().filter(|test| test.end != End::Passed);
        let next = open.next().map(|test| &test.name);
        let next = next.or(report.missing.first());
        let next = next.map(|name| format!("; the next is {}", named(name)));
        format!(
            "{style}{passing} of {all} stages pass{style:#}{}",
            next.unwrap_or_default()
        )
    } else {
        let id = &exercise.id;
        format!("{style}{passing} of {all} tests pass{style:#} in {id}")
    };
    line(text, &count);
}

fn shipped(text: &mut String, exercise: &Exercise, place: &str) {
    let id = &exercise.id;
    line(
        text,
        &format!("{STRONG}{id} is as it was shipped:{STRONG:#} begin in {place}"),
    );
}

/// The first failures in full, and the names of the others. Tests that stop at the same place for
/// the same reason are told once.
fn failures(text: &mut String, root: &Path, failed: &[&Test], most: usize) {
    let mut told: Vec<(&Test, Vec<&str>)> = Vec::new();
    for test in failed {
        let same = |(first, _): &&mut (&Test, Vec<&str>)| {
            first.message == test.message && first.place == test.place && test.place.is_some()
        };
        match told.iter_mut().find(same) {
            Some((_, names)) => names.push(&test.name),
            None => told.push((test, vec![&test.name])),
        }
    }
    let (full, others) = told.split_at(told.len().min(most));
    for (test, names) in full {
        let mut heading = format!("{WRONG}failed{WRONG:#} {}", named(names[0]));
        let same: Vec<String> = names[1..].iter().map(|name| named(name)).collect();
        if let Some((last, before)) = same.split_last() {
            let before = match before {
                [] => String::new(),
                before => before.join(", ") + " and ",
            };
            write!(heading, ", and {before}{last} for the same reason")
                .expect("a String takes everything");
        }
        line(text, &prose(&heading));
        failure(text, root, test);
        line(text, "");
    }
    let others: Vec<String> = others
        .iter()
        .flat_map(|(_, names)| names)
        .map(|name| name.replace('_', " "))
        .collect();
    if !others.is_empty() {
        let (count, names) = (others.len(), others.join(", "));
        line(text, &prose(&format!("and {count} more: {names}")));
        line(text, "");
    }
}

/// A test's name, as one reads it.
fn named(name: &str) -> String {
    format!("{STRONG}{}{STRONG:#}", name.replace('_', " "))
}

fn failure(text: &mut String, root: &Path, test: &Test) {
    printed(text, &test.printed);
    for message in test.message.lines() {
        line(text, format!("  {message}").trim_end());
    }
    if let Some(place) = &test.place {
        line(
            text,
            &format!("  {FAINT}{}{FAINT:#}", link::place(root, place)),
        );
    }
}

fn printed(text: &mut String, printed: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    for printed in lines.iter().take(PRINTED) {
        line(text, &format!("  {FAINT}|{FAINT:#} {}", clip(printed, 200)));
    }
    if lines.len() > PRINTED {
        let more = lines.len() - PRINTED;
        line(text, &format!("  {FAINT}| and {more} more lines{FAINT:#}"));
    }
}

/// Adds a line to a text.
pub(crate) fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a String takes everything");
}
