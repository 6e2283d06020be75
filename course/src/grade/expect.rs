//! What is expected of an exercise: its tests and cases with their points. The list is the
//! grader's, from the manifest and the folder of further cases; a submission adds nothing to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use indexmap::IndexMap;

use super::outcome::{Check, CheckKind, End};
use crate::cases;
use crate::manifest::{Course, Exercise};

/// The file in a folder of further cases that says what they are worth.
const POINTS: &str = "points.toml";

/// One check that an exercise has to pass.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    /// The test's function, or the case's file without its extension.
    pub(crate) name: String,
    /// The case's file; none: it is a test.
    pub(crate) case: Option<PathBuf>,
    /// Whether the learner sees its name only.
    pub(crate) hidden: bool,
    /// What it is worth.
    pub(crate) most: u32,
}

impl Expected {
    /// The check as it stands in a report.
    pub(crate) fn check(&self, end: End) -> Check {
        let kind = match self.case {
            None => CheckKind::Test,
            Some(_) => CheckKind::Case,
        };
        Check {
            name: self.name.clone(),
            kind,
            hidden: self.hidden,
            most: self.most,
            end,
            message: String::new(),
            output: String::new(),
        }
    }
}

/// The checks of each exercise, tests first.
///
/// # Errors
/// A case that the manifest names is not there, a further one belongs to no exercise, or one cannot
/// be run as it is.
pub(crate) fn of(
    course: &Course,
    exercises: &[&Exercise],
    further: Option<&Path>,
) -> Result<BTreeMap<String, Vec<Expected>>> {
    let mut hidden = match further {
        Some(folder) => hidden_cases(course, folder)?,
        None => BTreeMap::new(),
    };
    let mut all = BTreeMap::new();
    for exercise in exercises {
        let mut checks: Vec<Expected> = Vec::new();
        for (name, most) in &exercise.points.tests {
            checks.push(Expected {
                name: name.clone(),
                case: None,
                hidden: false,
                most: *most,
            });
        }
        let folder = exercise.folder(&course.root).join("grading");
        for (name, most) in &exercise.points.cases {
            let kinds = ["trycmd", "toml"].map(|kind| folder.join(format!("{name}.{kind}")));
            let case = kinds.into_iter().find(|file| file.is_file());
            let case = case.with_context(|| {
                format!(
                    "{}: the case {name} has points in exercises/course.toml and no file in {}",
                    exercise.id,
                    folder.display()
                )
            })?;
            cases::form(&case, &exercise.id)?;
            checks.push(Expected {
                name: name.clone(),
                case: Some(case),
                hidden: false,
                most: *most,
            });
        }
        checks.extend(hidden.remove(&exercise.id).unwrap_or_default());
        all.insert(exercise.id.clone(), checks);
    }
    Ok(all)
}

/// The cases below a folder: `CHAPTER/NAME/*.trycmd` or `NAME/*.trycmd`, and `.toml` alike.
fn hidden_cases(course: &Course, folder: &Path) -> Result<BTreeMap<String, Vec<Expected>>> {
    let mut points = points(course, &folder.join(POINTS))?;
    let mut found: BTreeMap<String, Vec<Expected>> = BTreeMap::new();
    let mut any = false;
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("{} cannot be read", folder.display()))?;
        let path = entry.path();
        let kind = path.extension().and_then(|kind| kind.to_str());
        let is_case = matches!(kind, Some("trycmd" | "toml")) && !entry.path().ends_with(POINTS);
        if !path.is_file() || !is_case {
            continue;
        }
        let shown = path.display();
        ensure!(
            entry.depth() > 1,
            "{shown} belongs to no exercise: put it in a folder that is called as the exercise is"
        );
        let parent = path.parent().and_then(Path::file_name).unwrap_or_default();
        let exercise = course
            .find(&parent.to_string_lossy())
            .with_context(|| format!("{shown} belongs to no exercise"))?;
        cases::form(path, &exercise.id)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let most = points
            .get_mut(&exercise.id)
            .and_then(|of| of.shift_remove(&*name));
        let case = fs::canonicalize(path).with_context(|| format!("{shown} cannot be read"))?;
        any = true;
        found
            .entry(exercise.id.clone())
            .or_default()
            .push(Expected {
                name: name.into_owned(),
                case: Some(case),
                hidden: true,
                most: most.unwrap_or(1),
            });
    }
    ensure!(
        any,
        "{} holds no case: put one in NAME/*.trycmd",
        folder.display()
    );
    if let Some((id, left)) = points.iter().find(|(_, of)| !of.is_empty()) {
        let names: Vec<&str> = left.keys().map(String::as_str).collect();
        bail!(
            "{}: {id} has no case {}",
            folder.join(POINTS).display(),
            names.join(", ")
        );
    }
    for (id, cases) in &found {
        let names: BTreeSet<&str> = cases.iter().map(|case| &*case.name).collect();
        ensure!(
            names.len() == cases.len(),
            "{id} has two hidden cases of one name: rename one"
        );
    }
    Ok(found)
}

fn points(course: &Course, file: &Path) -> Result<BTreeMap<String, IndexMap<String, u32>>> {
    if !file.is_file() {
        return Ok(BTreeMap::new());
    }
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{shown} cannot be read"))?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| anyhow!("{shown}: {error}"))?;
    let mut points = BTreeMap::new();
    for (id, cases) in table {
        course.find(&id).with_context(|| format!("{shown}"))?;
        let toml::Value::Table(cases) = cases else {
            bail!("{shown}: {id} is {cases}; write `[{id}]`, and below it `CASE = POINTS`");
        };
        let mut of = IndexMap::new();
        for (case, worth) in cases {
            let points = worth
                .as_integer()
                .and_then(|worth| u32::try_from(worth).ok());
            let points = points.with_context(|| {
                format!(
                    "{shown}: in [{id}], {case} is {worth}; points are a whole number, as in \
                     `{case} = 2`"
                )
            })?;
            of.insert(case, points);
        }
        points.insert(id, of);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> Course {
        Course::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
    }

    #[test]
    fn points_that_are_none_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(POINTS);
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            points(&course(), &file).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(read("[the-round]\nx = 2\n").unwrap()["the-round"]["x"], 2);
        for wrong in ["\"2\"", "-1", "1.5", "true", "99999999999"] {
            let said = read(&format!("[the-round]\nx = {wrong}\n")).unwrap_err();
            assert!(said.contains("points.toml: in [the-round], x is"), "{said}");
        }
        let said = read("the-round = 2\n").unwrap_err();
        assert!(said.contains("write `[the-round]`"), "{said}");
        assert!(
            read("[the-rond]\nx = 2\n")
                .unwrap_err()
                .contains("did you mean")
        );
    }
}
