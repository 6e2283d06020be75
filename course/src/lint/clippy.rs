//! What clippy says about the exercises and their solutions, where they lie.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::fault::Fault;
use crate::manifest::{Course, Exercise};
use crate::workshop;

/// Runs clippy over the packages of these exercises.
///
/// # Errors
/// Clippy cannot run at all.
pub(crate) fn faults(course: &Course, exercises: &[&Exercise], jobs: usize) -> Result<Vec<Fault>> {
    if exercises.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = workshop::cargo();
    command.arg("clippy").current_dir(&course.root);
    for exercise in exercises {
        command.args([
            "-p",
            &exercise.id,
            "-p",
            &format!("{}-solution", exercise.id),
        ]);
    }
    command.args(["--jobs", &jobs.to_string()]);
    command.args(["--all-targets", "--keep-going", "--message-format", "json"]);
    command.args(["--color", "never", "--", "-D", "warnings"]);
    let (mut build, said) = workshop::stream(command, |_| {})?;
    if !build.finished {
        if said.contains("no such command") {
            bail!("clippy is not installed: run `rustup component add clippy`");
        }
        bail!("clippy cannot run: {}", said.trim());
    }
    let mut faults = Vec::new();
    let root = course.root.canonicalize()?;
    for exercise in exercises {
        let folders: [(PathBuf, &str); 2] = [
            (exercise.folder(&root), "the shipped code"),
            (exercise.solution(&root), "the solution"),
        ];
        for (folder, which) in folders {
            for said in build.take(&folder).said {
                let what = format!("clippy on {which}: {}", said.line);
                faults.push(Fault::new(
                    &exercise.id,
                    what,
                    "mend it, or expect it with a reason",
                ));
            }
        }
    }
    Ok(faults)
}
