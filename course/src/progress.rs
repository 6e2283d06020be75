//! What a learner has done: `exercises/progress.toml`, a text that one can read, commit and delete.
//!
//! It is written beside itself and renamed into place, so a run that is killed leaves it whole. The
//! folder's lock keeps two writers apart.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::files;
use crate::manifest::{Course, Exercise};
use crate::outcome::Report;

/// The version that is written, and the newest that is read.
const VERSION: i64 = 1;
/// How many hints an exercise has.
pub(crate) const HINTS: u8 = 3;
/// What opens the file, for whoever reads it without the command.
const HEAD: &str = "\
# What you have done in the course. `cargo course` writes this file. You may read it and commit it;
# without it the course begins anew.
";

/// The progress of a learner.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    version: i64,
    /// The exercise that was worked on last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    current: Option<String>,
    /// By id. Ids that this course does not have are kept: another branch may have them.
    #[serde(default, rename = "exercise")]
    exercises: BTreeMap<String, Entry>,
}

/// What was done in one exercise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Entry {
    /// How often its tests ran before they passed, the passing run included.
    pub(crate) tries: u32,
    /// How many of its hints were read, up to 3.
    pub(crate) hints: u8,
    /// Whether the solution was looked at before the exercise was passed.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) gave_up: bool,
    /// When it was passed first, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<String>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl Progress {
    /// Reads the progress of a course; without the file there is none yet.
    ///
    /// # Errors
    /// A file that is broken, or of a newer version.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let file = path(root);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self {
                    version: VERSION,
                    ..Self::default()
                });
            }
            Err(error) => bail!("{} cannot be read: {error}", file.display()),
        };
        let mend = "mend it, or move it away to begin anew";
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| anyhow!("{}: {error}{mend}", file.display()))?;
        let version = table.get("version").and_then(toml::Value::as_integer);
        let Some(version) = version else {
            bail!("{}: no version = {VERSION}; {mend}", file.display());
        };
        ensure!(
            version <= VERSION,
            "{} was written by a newer `cargo course` (its version is {version}, this one knows \
             {VERSION}): `git pull` and run it again",
            file.display()
        );
        toml::from_str(&text).map_err(|error| anyhow!("{}: {error}{mend}", file.display()))
    }

    /// Reads the progress, changes it and writes it, with no other writer between.
    ///
    /// # Errors
    /// As [`Progress::read`]; a checkout that cannot be written to.
    pub(crate) fn change<T>(root: &Path, change: impl FnOnce(&mut Self) -> T) -> Result<(Self, T)> {
        // The lock is on the folder: the file itself is replaced, and a lock with it. Where locks
        // do not exist (some network file systems) a single writer is still safe.
        let folder = File::open(root.join("exercises")).context("exercises/ cannot be opened")?;
        let _ = folder.lock();
        let mut progress = Self::read(root)?;
        let before = progress.clone();
        let result = change(&mut progress);
        if progress != before || !path(root).exists() {
            let text = toml::to_string(&progress).context("the progress is no TOML")?;
            files::write(&path(root), &format!("{HEAD}{text}"))?;
        }
        Ok((progress, result))
    }

    /// What was done in an exercise.
    pub(crate) fn of(&self, exercise: &Exercise) -> Entry {
        self.exercises
            .get(&exercise.id)
            .cloned()
            .unwrap_or_default()
    }

    /// Whether an exercise was passed.
    pub(crate) fn has_passed(&self, exercise: &Exercise) -> bool {
        self.of(exercise).passed.is_some()
    }

    /// Makes an exercise the current one, and hands out its entry.
    pub(crate) fn turn_to(&mut self, exercise: &Exercise) -> &mut Entry {
        self.current = Some(exercise.id.clone());
        self.exercises.entry(exercise.id.clone()).or_default()
    }

    /// Writes down that the tests ran. Those of an untouched stub are no try.
    pub(crate) fn ran(&mut self, exercise: &Exercise, report: &Report) {
        if report.is_try() {
            self.tried(exercise, report.passed());
        } else if report.untouched.is_some() {
            self.turn_to(exercise);
        }
    }

    fn tried(&mut self, exercise: &Exercise, passed: bool) {
        let entry = self.turn_to(exercise);
        if entry.passed.is_none() {
            entry.tries += 1;
            if passed {
                entry.passed = Some(now());
            }
        }
    }

    /// Writes down that the solution was looked at, without turning to the exercise.
    pub(crate) fn gives_up(&mut self, exercise: &Exercise) {
        let entry = self.exercises.entry(exercise.id.clone()).or_default();
        entry.gave_up = entry.passed.is_none();
    }

    /// Writes down that an exercise passes, without a try and without turning to it.
    pub(crate) fn passes(&mut self, exercise: &Exercise) {
        let entry = self.exercises.entry(exercise.id.clone()).or_default();
        entry.passed.get_or_insert_with(now);
    }

    /// The exercise to work on: the last one, or the first after it that is not passed.
    pub(crate) fn current<'a>(&self, course: &'a Course) -> Option<&'a Exercise> {
        let current = self.current.as_ref();
        let current = course.exercises.iter().find(|one| Some(&one.id) == current);
        match current {
            Some(current) if !self.has_passed(current) => Some(current),
            Some(current) => self.after(course, current),
            None => course.exercises.iter().find(|one| !self.has_passed(one)),
        }
    }

    /// The exercise of this name; without a name, the one in whose folder somebody stands, else the
    /// current one, if any is left.
    ///
    /// # Errors
    /// No exercise has the name.
    pub(crate) fn named_or_current<'a>(
        &self,
        course: &'a Course,
        name: Option<&str>,
    ) -> Result<Option<&'a Exercise>> {
        match name {
            Some(name) => course.find(name).map(Some),
            None => Ok(course.of_this_folder().or_else(|| self.current(course))),
        }
    }

    /// The first exercise after this one that is not passed; the search begins anew at the end.
    pub(crate) fn after<'a>(&self, course: &'a Course, this: &Exercise) -> Option<&'a Exercise> {
        let all = &course.exercises;
        let at = all.iter().position(|one| one.id == this.id).unwrap_or(0);
        let others = all
            .iter()
            .cycle()
            .skip(at + 1)
            .take(all.len().saturating_sub(1));
        others.into_iter().find(|one| !self.has_passed(one))
    }
}

impl Entry {
    /// Whether the solution may be seen without giving up.
    pub(crate) fn is_open(&self) -> bool {
        self.passed.is_some() || self.gave_up || self.hints >= HINTS
    }
}

fn path(root: &Path) -> PathBuf {
    root.join("exercises/progress.toml")
}

fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
