//! `cargo course next`: the exercise to do now, and what to type for it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::manifest::{Course, Exercise};
use crate::progress::Progress;
use crate::{FAINT, STRONG, link};

/// Show the exercise to do now
#[derive(Args)]
pub(crate) struct Next {
    /// Leave the current exercise for later and turn to the one after it
    #[arg(long)]
    skip: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Next {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let mut progress = Progress::read(&course.root)?;
        if self.skip {
            (progress, ()) = Progress::change(&course.root, |progress| {
                let after = |current| progress.after(&course, current);
                if let Some(after) = progress.current(&course).and_then(after) {
                    progress.turn_to(after);
                }
            })?;
        }
        let next = progress.current(&course);
        let mut out = anstream::stdout().lock();
        match next {
            _ if self.json => {
                let next = next.map(|exercise| {
                    json!({
                        "exercise": exercise.id,
                        "title": exercise.title,
                        "chapter": exercise.chapter,
                        "section": exercise.section,
                        "minutes": exercise.minutes,
                        "files": exercise.shown_files(),
                        "url": exercise.url(),
                    })
                });
                writeln!(out, "{}", json!({"next": next}))?;
            }
            Some(exercise) => write!(out, "{}", text(&course, exercise))?,
            None => writeln!(
                out,
                "The course is done. `cargo course list` shows what you did."
            )?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// An exercise, with where it stands and what to type.
pub(crate) fn text(course: &Course, exercise: &Exercise) -> String {
    let Exercise {
        id,
        title,
        section,
        minutes,
        ..
    } = exercise;
    let chapter = exercise.chapter_number();
    let mut text = format!(
        "{STRONG}{title}{STRONG:#} {FAINT}({id}, {minutes} min){FAINT:#}\n  \
         chapter {chapter}, \"{section}\"\n"
    );
    for file in exercise.shown_files() {
        let file = link::file(&course.root, &file);
        writeln!(text, "  edit {file}").expect("a String takes everything");
    }
    text + "
  cargo course check    run its tests
  cargo course hint     a nudge; each further one says more
  cargo course watch    run the tests at every save
"
}
