//! The sources of a class for `JPlag`, which finds near-duplicates: a folder a submission, and the
//! stubs as base code, so that what everybody was given is not counted.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::grade::intake::{Taken, Text};
use crate::manifest::Course;

/// Writes `submissions/NAME/` and `base/` below a folder.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn export(course: &Course, taken: &[(&str, &Taken)], folder: &Path) -> Result<()> {
    for exercise in &course.exercises {
        for file in &exercise.editable {
            let stub = exercise.folder(&course.root).join(file);
            let text = fs::read_to_string(&stub)
                .with_context(|| format!("{} cannot be read", stub.display()))?;
            put(&folder.join("base").join(&exercise.id).join(file), &text)?;
        }
    }
    for (name, taken) in taken {
        for (wanted, text) in &taken.files {
            if let Text::Is(text) = text {
                let place = folder.join("submissions").join(name).join(&wanted.exercise);
                put(&place.join(&wanted.file), text)?;
            }
        }
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
