//! `cargo course reset`: an exercise as it was shipped. What you wrote is kept.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::manifest::Course;
use crate::shipped;

/// Bring back an exercise as it was shipped; what you wrote is kept
#[derive(Args)]
pub(crate) struct Reset {
    /// The exercise
    name: String,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Reset {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let exercise = course.find(&self.name)?;
        let texts = shipped::shipped(&course.root, exercise)?;
        let is_shipped = shipped::present(&course.root, exercise).is_ok_and(|now| now == texts);
        let kept = if is_shipped {
            None
        } else {
            // Kept first: a reset that is killed here has lost nothing.
            let kept = shipped::keep(&course.root, exercise)?;
            shipped::put(&course.root, exercise, &texts)?;
            kept
        };
        let id = &exercise.id;
        let shown = kept.as_ref().map(|folder| {
            let shown = folder.strip_prefix(&course.root).unwrap_or(folder);
            shown.display().to_string()
        });
        let mut out = anstream::stdout().lock();
        match shown {
            _ if self.json => writeln!(
                out,
                "{}",
                json!({"exercise": id, "changed": !is_shipped, "kept": shown})
            )?,
            Some(shown) => writeln!(
                out,
                "{id} is as it was shipped. What you wrote is in {shown};\n\
                 `cargo course undo {id}` brings it back."
            )?,
            None if is_shipped => writeln!(out, "{id} was as shipped already.")?,
            None => writeln!(out, "{id} is as it was shipped.")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
