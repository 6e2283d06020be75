//! The editable files as they were shipped, and what a learner wrote in their place.
//!
//! The shipped texts lie in `solutions/CHAPTER/NAME/shipped/`, so a stub comes back without git,
//! after commits, and after the command was built from a course that is half done. `cargo course
//! ship` writes them; `cargo course lint` holds them to the exercises.
//! What a reset replaces goes to `exercises/.kept/NUMBER-NAME/`, in one sequence.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::files;
use crate::manifest::{Course, Exercise};

/// An editable file: its path in the exercise, and a text of it.
pub(crate) type Text = (PathBuf, String);

/// Keep the exercises' files as they are now: as the shipped ones
#[derive(Args)]
pub(crate) struct Ship;

impl Ship {
    pub(crate) fn run() -> Result<ExitCode> {
        let course = Course::here()?;
        for exercise in &course.exercises {
            for (file, text) in present(&course.root, exercise)? {
                files::write(&folder(&course.root, exercise).join(file), &text)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Where the shipped files of an exercise lie.
pub(crate) fn folder(root: &Path, exercise: &Exercise) -> PathBuf {
    exercise.solution(root).join("shipped")
}

/// The editable files as they were shipped.
///
/// # Errors
/// One is missing.
pub(crate) fn shipped(root: &Path, exercise: &Exercise) -> Result<Vec<Text>> {
    let folder = folder(root, exercise);
    read(exercise, &folder, "`git checkout solutions` brings it back")
}

/// The editable files as they are.
///
/// # Errors
/// One is missing.
pub(crate) fn present(root: &Path, exercise: &Exercise) -> Result<Vec<Text>> {
    let mend = format!("`cargo course reset {}` brings it back", exercise.id);
    read(exercise, &exercise.folder(root), &mend)
}

/// The editable files as the solution has them.
///
/// # Errors
/// One is missing.
pub(crate) fn solved(root: &Path, exercise: &Exercise) -> Result<Vec<Text>> {
    let folder = exercise.solution(root);
    read(exercise, &folder, "`git checkout solutions` brings it back")
}

fn read(exercise: &Exercise, folder: &Path, mend: &str) -> Result<Vec<Text>> {
    let read = |file: &PathBuf| {
        let path = folder.join(file);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read: {mend}", path.display()))?;
        Ok((file.clone(), text))
    };
    exercise.editable.iter().map(read).collect()
}

/// Puts texts in the place of the editable files.
pub(crate) fn put(root: &Path, exercise: &Exercise, texts: &[Text]) -> Result<()> {
    for (file, text) in texts {
        files::write(&exercise.folder(root).join(file), text)?;
    }
    Ok(())
}

/// Keeps what the editable files hold, whatever of them is there. Returns where, or nothing if all
/// of it is as shipped.
pub(crate) fn keep(root: &Path, exercise: &Exercise) -> Result<Option<PathBuf>> {
    let now: Vec<Text> = exercise
        .editable
        .iter()
        .filter_map(|file| {
            let text = fs::read_to_string(exercise.folder(root).join(file)).ok()?;
            Some((file.clone(), text))
        })
        .collect();
    if now
        .iter()
        .all(|one| shipped(root, exercise).is_ok_and(|all| all.contains(one)))
    {
        return Ok(None);
    }
    let last = all_kept(root).last().map_or(0, |kept| kept.number);
    let folder = kept_folder(root).join(format!("{:04}-{}", last + 1, exercise.id));
    for (file, text) in now {
        files::write(&folder.join(file), &text)?;
    }
    Ok(Some(folder))
}

/// What was kept at one reset.
pub(crate) struct Kept {
    number: u32,
    /// The exercise's name.
    pub(crate) id: String,
    /// Where it lies.
    pub(crate) folder: PathBuf,
}

impl Kept {
    /// The texts in it.
    pub(crate) fn texts(&self, exercise: &Exercise) -> Vec<Text> {
        let text = |file: &PathBuf| {
            let text = fs::read_to_string(self.folder.join(file)).ok()?;
            Some((file.clone(), text))
        };
        exercise.editable.iter().filter_map(text).collect()
    }
}

/// All that was kept, the newest last.
pub(crate) fn all_kept(root: &Path) -> Vec<Kept> {
    let entries = fs::read_dir(kept_folder(root))
        .into_iter()
        .flatten()
        .flatten();
    let kept = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let (number, id) = name.split_once('-')?;
        Some(Kept {
            number: number.parse().ok()?,
            id: id.to_owned(),
            folder: entry.path(),
        })
    };
    let mut all: Vec<Kept> = entries.filter_map(kept).collect();
    all.sort_by_key(|kept| kept.number);
    all
}

fn kept_folder(root: &Path) -> PathBuf {
    root.join("exercises/.kept")
}
