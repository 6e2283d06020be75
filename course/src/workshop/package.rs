//! A package of a workshop: an exercise's own manifest, program and tests, with editable files from
//! somewhere: the exercise, its solution, a misconception, a submission.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::manifest;
use crate::manifest::Exercise;

/// Files by their path in the package.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A package that a workshop can build.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    /// Where it lies: the folder of its chapter, and one named as it is, after the exercise and the
    /// variant: `01-counter/the-round--until-empty`. As deep as in the course, so that what it
    /// includes from the floors is found.
    pub(crate) folder: PathBuf,
    /// All of its files, the manifest among them.
    pub(crate) files: Files,
}

impl Package {
    /// A variant of an exercise of the course at `root`: whatever is in `edited` stands in place of
    /// the exercise's own file. Only misconceptions need no program.
    ///
    /// # Errors
    /// A file of the exercise cannot be read, or its manifest is broken.
    pub(crate) fn of(
        root: &Path,
        exercise: &Exercise,
        variant: &str,
        edited: &Files,
        program: bool,
    ) -> Result<Self> {
        let folder = exercise.folder(root);
        let name = format!("{}--{variant}", exercise.id);
        let mut files = Files::new();
        for file in files_below(&folder)? {
            // The cases are run from where they lie.
            if file.starts_with("grading") || file.starts_with("target") {
                continue;
            }
            files.insert(file.clone(), read(&folder.join(file))?);
        }
        let path = Path::new("Cargo.toml");
        let text = files
            .get(path)
            .map(|text| String::from_utf8_lossy(text).into_owned());
        let place = || format!("{}", folder.join(path).display());
        let text = text.context("there is no Cargo.toml").with_context(place)?;
        let has_program = program && files.contains_key(Path::new("src/main.rs"));
        let text = manifest::of_package(&text, &folder, &name, has_program).with_context(place)?;
        files.insert(path.to_owned(), text.into_bytes());
        for (path, text) in edited {
            files.insert(path.clone(), text.clone());
        }
        let folder = Path::new(&exercise.chapter).join(&name);
        Ok(Self { folder, files })
    }
}

/// The editable files of an exercise as they lie in a package's folder.
///
/// # Errors
/// One of them cannot be read.
pub(crate) fn editable(exercise: &Exercise, folder: &Path) -> Result<Files> {
    let one = |file: &PathBuf| Ok((file.clone(), read(&folder.join(file))?));
    exercise.editable.iter().map(one).collect()
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("{} cannot be read", file.display()))
}

/// Every file below a folder, as paths relative to it, in order; none if the folder is not there.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let entries = match fs::read_dir(folder.join(&inside)) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries.with_context(|| format!("{}", folder.join(&inside).display()))?,
        };
        for entry in entries {
            let entry = entry.with_context(|| format!("{}", folder.join(&inside).display()))?;
            let path = inside.join(entry.file_name());
            // A link counts as a file: following it could lead anywhere.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
