//! Results by content: the same text of the same exercise is not built twice, whoever hands it in.
//! The folder can be deleted at any time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::expect::Expected;
use super::outcome::{End, ExerciseGrade};
use crate::manifest::{Course, Exercise};
use crate::workshop::package::{Files, files_below};

/// Changes with whatever in the grader changes a result and is in no file that is hashed.
const GRADER: &str = "2";

/// A hash in the making. Each part is hashed with its length, so that no two lists of parts are
/// the same bytes.
#[derive(Clone)]
pub(crate) struct Key(Sha256);

impl Key {
    /// What all results of a run stand on: the floors, the tools, the limits.
    ///
    /// # Errors
    /// A file of the course cannot be read.
    pub(crate) fn of_run(course: &Course, surroundings: &[String]) -> Result<Self> {
        let mut key = Self(Sha256::new());
        key.add(GRADER);
        for part in surroundings {
            key.add(part);
        }
        let root = &course.root;
        for file in ["Cargo.toml", "Cargo.lock"] {
            key.add(fs::read(root.join(file)).unwrap_or_default());
        }
        for folder in ["chapters-code", "exercises/lesson"] {
            for file in files_below(&root.join(folder))? {
                let kind = file.extension().and_then(|kind| kind.to_str());
                if matches!(kind, Some("rs" | "toml")) && !file.starts_with("target") {
                    key.file(&root.join(folder), &file)?;
                }
            }
        }
        Ok(key)
    }

    /// The same with an exercise: its package as it was shipped, and its checks.
    ///
    /// # Errors
    /// A file of the exercise cannot be read.
    pub(crate) fn exercise(
        mut self,
        course: &Course,
        exercise: &Exercise,
        checks: &[Expected],
    ) -> Result<Self> {
        for part in [&exercise.id, &exercise.title, &exercise.chapter] {
            self.add(part);
        }
        let folder = exercise.folder(&course.root);
        for file in files_below(&folder)? {
            if !file.starts_with("target") {
                self.file(&folder, &file)?;
            }
        }
        for check in checks {
            self.add(&check.name);
            self.add(format!("{} {}", check.most, check.hidden));
            if let Some(case) = &check.case {
                self.add(fs::read(case).with_context(|| format!("{}", case.display()))?);
            }
        }
        Ok(self)
    }

    /// The same with the learner's files.
    pub(crate) fn files(mut self, files: &Files) -> Self {
        for (path, text) in files {
            self.add(path.to_string_lossy().as_bytes());
            self.add(text);
        }
        self
    }

    /// Adds a part.
    pub(crate) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn file(&mut self, folder: &Path, file: &Path) -> Result<()> {
        let path = folder.join(file);
        let text = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        self.add(file.to_string_lossy().as_bytes());
        self.add(text);
        Ok(())
    }

    /// The hash, in hexadecimal digits.
    pub(crate) fn text(self) -> String {
        use std::fmt::Write as _;

        let mut text = String::new();
        for byte in self.0.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// The folder of results.
pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens it.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub(crate) fn open(folder: PathBuf) -> Result<Self> {
        fs::create_dir_all(&folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self { folder })
    }

    /// The result of this key, if there is one. A file that is broken is none.
    pub(crate) fn get(&self, key: &str) -> Option<ExerciseGrade> {
        let text = fs::read(self.place(key)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Keeps a result, unless it may be the machine's doing: what ran out of time may not do so
    /// another time.
    pub(crate) fn put(&self, key: &str, grade: &ExerciseGrade) {
        let by_the_machine = |end| matches!(end, End::TimedOut | End::OverLimit | End::NotRun);
        if grade.checks.iter().any(|check| by_the_machine(check.end))
            && grade.state == super::outcome::State::Checked
        {
            return;
        }
        // A full disk costs the next run's time, no more. A part of a file would be no JSON.
        if let Ok(text) = serde_json::to_vec(grade) {
            let _ = fs::write(self.place(key), text);
        }
    }

    fn place(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> String {
        let mut key = Key(Sha256::new());
        for part in parts {
            key.add(part);
        }
        key.text()
    }

    #[test]
    fn other_parts_are_another_key() {
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["ab", ""]), key(&["a", "b"]));
        assert_eq!(key(&[]).len(), 64);
    }
}
