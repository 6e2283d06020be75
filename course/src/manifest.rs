//! The course as data: `exercises/course.toml`, read, checked, and asked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The only version of the manifest that there has been.
const VERSION: u32 = 1;
/// Where the manifest lies, from the root of the course.
const MANIFEST: &str = "exercises/course.toml";

/// A course: the exercises in the order of the book.
#[derive(Debug)]
pub(crate) struct Course {
    /// The folder that holds `exercises/`.
    pub(crate) root: PathBuf,
    /// The exercises, in order.
    pub(crate) exercises: Vec<Exercise>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    version: u32,
    exercise: Vec<Exercise>,
}

/// One exercise, as the manifest tells it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exercise {
    /// Its stable name, also that of its package and folder.
    pub(crate) id: String,
    /// The chapter's folder, such as `01-counter`.
    pub(crate) chapter: String,
    /// What it is called.
    pub(crate) title: String,
    /// The heading of the chapter's page that it belongs to.
    pub(crate) section: String,
    /// What one does in it.
    pub(crate) kind: Kind,
    /// How hard it is.
    pub(crate) difficulty: Difficulty,
    /// How long it takes, about.
    pub(crate) minutes: u32,
    /// The files that a learner edits, relative to the package.
    pub(crate) editable: Vec<PathBuf>,
    /// What one has learnt when it is solved.
    pub(crate) learnt: String,
    /// A nudge, the approach, nearly the code.
    pub(crate) hints: [String; 3],
    /// What each test and each case is worth.
    pub(crate) points: Points,
}

/// What each check of an exercise is worth.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Points {
    /// By test function.
    pub(crate) tests: IndexMap<String, u32>,
    /// By file of `grading/`, without its extension.
    #[serde(default)]
    #[allow(dead_code, reason = "graders read it, learners' verbs do not")]
    pub(crate) cases: IndexMap<String, u32>,
}

/// What one does in an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Complete a function.
    Complete,
    /// Build a piece on the floors below it.
    Build,
    /// Say what will happen; the test runs it.
    Predict,
    /// Find what is wrong and mend it.
    FindAndFix,
    /// Read a log and say what it tells.
    ReadALog,
    /// The learner's own loop.
    Capstone,
}

/// How hard an exercise is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Difficulty {
    /// A few lines, once the page is read.
    Easy,
    /// Some thought.
    Medium,
    /// An evening's work, or close to it.
    Hard,
}

impl Course {
    /// Reads the course that the current folder lies in.
    ///
    /// # Errors
    /// No course here or above, or a manifest that is broken, with the line.
    pub(crate) fn here() -> Result<Self> {
        let here = std::env::current_dir().context("the current folder cannot be read")?;
        let root = here
            .ancestors()
            .find(|folder| folder.join(MANIFEST).is_file());
        let Some(root) = root else {
            bail!(
                "no {MANIFEST} in {} or above it: go to the folder that you cloned the course into",
                here.display()
            );
        };
        Self::at(root)
    }

    /// The exercise in whose folder somebody stands.
    pub(crate) fn of_this_folder(&self) -> Option<&Exercise> {
        let here = std::env::current_dir().ok()?;
        self.exercises
            .iter()
            .find(|exercise| here.starts_with(exercise.folder(&self.root)))
    }

    /// Reads the course in a folder.
    ///
    /// # Errors
    /// A manifest that cannot be read, or is broken, with the line.
    pub(crate) fn at(root: &Path) -> Result<Self> {
        let path = root.join(MANIFEST);
        let mend = "`git checkout exercises/course.toml` brings the original back";
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read; {mend}", path.display()))?;
        let manifest: Manifest = toml::from_str(&text)
            .map_err(|error| anyhow::anyhow!("{}: {error}{mend}", path.display()))?;
        ensure!(
            manifest.version == VERSION,
            "{} has version {}, this `cargo course` knows {VERSION}: `git pull` and build again",
            path.display(),
            manifest.version
        );
        let course = Self {
            root: root.to_path_buf(),
            exercises: manifest.exercise,
        };
        course
            .check()
            .with_context(|| format!("{}: {mend}", path.display()))?;
        Ok(course)
    }

    fn check(&self) -> Result<()> {
        let mut seen = BTreeSet::new();
        for exercise in &self.exercises {
            let id = &exercise.id;
            ensure!(seen.insert(id), "two exercises are called {id}");
            ensure!(
                is_a_name(id),
                "{id:?} is not a name of lower-case letters, digits and -"
            );
            ensure!(
                is_a_name(&exercise.chapter),
                "{id}: {:?} is not a chapter",
                exercise.chapter
            );
            ensure!(!exercise.editable.is_empty(), "{id}: no editable file");
            for file in &exercise.editable {
                let inside = file
                    .components()
                    .all(|part| matches!(part, std::path::Component::Normal(_)));
                ensure!(inside, "{id}: {} leads out of the exercise", file.display());
            }
        }
        Ok(())
    }

    /// The exercise of this name.
    ///
    /// # Errors
    /// There is none; with the nearest name, if one is near.
    pub(crate) fn find(&self, name: &str) -> Result<&Exercise> {
        if let Some(found) = self.exercises.iter().find(|exercise| exercise.id == name) {
            return Ok(found);
        }
        let nearest = self
            .exercises
            .iter()
            .map(|exercise| (strsim::jaro_winkler(&exercise.id, name), &exercise.id))
            .max_by(|left, right| left.0.total_cmp(&right.0));
        match nearest {
            Some((alike, id)) if alike > 0.7 => {
                bail!("no exercise is called {name:?}; did you mean {id}?")
            }
            _ => bail!("no exercise is called {name:?}; `cargo course list` shows their names"),
        }
    }
}

impl Exercise {
    /// The folder of its package.
    pub(crate) fn folder(&self, root: &Path) -> PathBuf {
        root.join("exercises").join(&self.chapter).join(&self.id)
    }

    /// The folder of its solution's package.
    pub(crate) fn solution(&self, root: &Path) -> PathBuf {
        root.join("solutions").join(&self.chapter).join(&self.id)
    }

    /// The chapter's number, from the name of its folder.
    pub(crate) fn chapter_number(&self) -> u32 {
        let digits = self.chapter.split('-').next().unwrap_or_default();
        digits.parse().unwrap_or(0)
    }
}

fn is_a_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
