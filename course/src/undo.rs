//! `cargo course undo`: what you wrote before the last reset.

use std::fs;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::json;

use crate::manifest::Course;
use crate::shipped;

/// Bring back what you wrote before the last reset
#[derive(Args)]
pub(crate) struct Undo {
    /// The exercise [default: the one that was reset last]
    name: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Undo {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let wanted = self.name.as_ref().map(|name| course.find(name));
        let wanted = wanted.transpose()?.map(|exercise| exercise.id.as_str());
        let is_wanted = |kept: &shipped::Kept| wanted.is_none_or(|id| id == kept.id);
        let Some(kept) = shipped::all_kept(&course.root).into_iter().rfind(is_wanted) else {
            let what = wanted.unwrap_or("any exercise");
            bail!("nothing is kept of {what}: only `cargo course reset NAME` keeps something");
        };
        let exercise = course.find(&kept.id)?;
        let texts = kept.texts(exercise);
        let now_kept = if shipped::present(&course.root, exercise).is_ok_and(|now| now == texts) {
            None
        } else {
            shipped::keep(&course.root, exercise)?
        };
        shipped::put(&course.root, exercise, &texts)?;
        fs::remove_dir_all(&kept.folder)
            .with_context(|| format!("{} cannot be removed", kept.folder.display()))?;
        let id = &exercise.id;
        let mut out = anstream::stdout().lock();
        if self.json {
            let report = json!({"exercise": id, "kept": now_kept.is_some()});
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "{id} is what it was before the reset.")?;
            if now_kept.is_some() {
                writeln!(
                    out,
                    "What stood there is kept: a second undo brings it back."
                )?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
