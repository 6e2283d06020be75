//! `cargo course hint`: a nudge, then the approach, then nearly the code.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::manifest::{Course, Exercise};
use crate::progress::{HINTS, Progress};
use crate::{FAINT, STRONG, tell};

/// Show the next hint; each says more than the one before
#[derive(Args)]
pub(crate) struct Hint {
    /// The exercise [default: that of this folder, or the current one]
    name: Option<String>,
    /// Show the hints you have seen, and no further one
    #[arg(long)]
    again: bool,
    /// Print the hints as JSON
    #[arg(long)]
    json: bool,
}

impl Hint {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let progress = Progress::read(&course.root)?;
        let Some(exercise) = progress.named_or_current(&course, self.name.as_deref())? else {
            anyhow::bail!("every exercise is passed: name the one whose hints you want");
        };
        let seen = if self.again {
            progress.of(exercise).hints
        } else {
            deeper(&course, exercise)?
        };
        let mut out = anstream::stdout().lock();
        let shown = &exercise.hints[..usize::from(seen.min(HINTS))];
        if self.json {
            let report = json!({"exercise": exercise.id, "hints": shown, "of": HINTS});
            writeln!(out, "{report}")?;
        } else if self.again {
            if shown.is_empty() {
                writeln!(out, "You have seen no hint of {} yet.", exercise.id)?;
            }
            for number in 1..=seen {
                write!(out, "{}", text(exercise, number))?;
            }
        } else {
            write!(out, "{}", text(exercise, seen))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes down that one more hint is seen. Returns its number, from 1.
pub(crate) fn deeper(course: &Course, exercise: &Exercise) -> Result<u8> {
    let (_, seen) = Progress::change(&course.root, |progress| {
        let entry = progress.turn_to(exercise);
        entry.hints = entry.hints.saturating_add(1).min(HINTS);
        entry.hints
    })?;
    Ok(seen)
}

/// A hint, with its number.
pub(crate) fn text(exercise: &Exercise, number: u8) -> String {
    let hint = tell::prose(&exercise.hints[usize::from(number.clamp(1, HINTS)) - 1]);
    let id = &exercise.id;
    let text = format!("{STRONG}{id}, hint {number} of {HINTS}{STRONG:#}\n{hint}\n");
    if number < HINTS {
        return text;
    }
    let open = format!("cargo course diff {id} and cargo course solution {id} are open now.");
    text + &format!("{FAINT}That was the last one. {open}{FAINT:#}\n")
}
