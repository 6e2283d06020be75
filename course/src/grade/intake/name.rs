//! Which submissions the command line names, and what each is called.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::grade::clean::clean;
use crate::manifest::Course;

/// A submission by its name in the reports.
pub(crate) type Submissions = BTreeMap<String, PathBuf>;

/// What a submission is, for whoever named something else.
const KINDS: &str = "a submission is a folder, a .zip or a .tar.gz";

/// What the command line names.
#[derive(Debug, Default)]
pub(crate) struct Class {
    /// The submissions.
    pub(crate) submissions: Submissions,
    /// The names of files that lie among them and are none, in order.
    pub(crate) passed_over: BTreeSet<String>,
}

/// The submissions that the arguments name, each under a name of its own.
///
/// An argument is a submission (a folder, a `.zip` or a `.tar.gz`), a folder of submissions, or a
/// `.txt` file with a path on each line, relative to the file. With `single`, a folder is one
/// submission whatever is in it.
///
/// # Errors
/// An argument that is not there, names nothing, or two submissions of one name.
pub(crate) fn submissions(course: &Course, arguments: &[PathBuf], single: bool) -> Result<Class> {
    let mut class = Class::default();
    for argument in arguments {
        if argument
            .extension()
            .is_some_and(|extension| extension == "txt")
        {
            from_list(argument, &mut class.submissions)?;
        } else if argument.is_dir() && !single && !is_submission(course, argument) {
            from_folder(argument, &mut class)?;
        } else {
            add(argument, &mut class.submissions)?;
        }
    }
    Ok(class)
}

fn from_list(list: &Path, found: &mut Submissions) -> Result<()> {
    let text =
        fs::read_to_string(list).with_context(|| format!("{} cannot be read", list.display()))?;
    let folder = list.parent().unwrap_or(Path::new("."));
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        add(&folder.join(line), found).with_context(|| format!("in {}", list.display()))?;
    }
    Ok(())
}

fn from_folder(folder: &Path, class: &mut Class) -> Result<()> {
    let unreadable = || format!("{} cannot be read", folder.display());
    let (mut any, mut others) = (false, BTreeSet::new());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() || is_archive(&path) {
            add(&path, &mut class.submissions)?;
            any = true;
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            others.insert(clean(&name, &[]).replace('\n', "?"));
        }
    }
    let listed: Vec<&str> = others.iter().map(String::as_str).collect();
    let but = match listed[..] {
        [] => String::new(),
        _ => format!(", only {}", listed.join(", ")),
    };
    ensure!(
        any,
        "{} holds no submission{but}: {KINDS}",
        folder.display()
    );
    class.passed_over.extend(others);
    Ok(())
}

fn add(path: &Path, found: &mut Submissions) -> Result<()> {
    ensure!(
        path.exists(),
        "{} is not there: check the path",
        path.display()
    );
    ensure!(
        path.is_dir() || is_archive(path),
        "{} is no submission: {KINDS}",
        path.display()
    );
    let name = name_of(path)?;
    if let Some(other) = found.insert(name.clone(), path.to_path_buf()) {
        bail!(
            "{} and {} would both be called {name}: rename one",
            other.display(),
            path.display()
        );
    }
    Ok(())
}

/// Whether the folder itself is a submission, and not a folder of them.
fn is_submission(course: &Course, folder: &Path) -> bool {
    folder.join("exercises").is_dir()
        || course
            .exercises
            .iter()
            .any(|exercise| folder.join(&exercise.chapter).join(&exercise.id).is_dir())
}

/// The name in the reports: that of the folder or archive, with whatever a file name, a table or a
/// terminal could stumble over replaced.
fn name_of(path: &Path) -> Result<String> {
    let whole =
        fs::canonicalize(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = whole
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let mut name = name.unwrap_or_else(|| "submission".to_owned());
    if !path.is_dir() {
        for ending in [".zip", ".tar.gz", ".tgz"] {
            if let Some(stem) = name.strip_suffix(ending) {
                name = stem.to_owned();
                break;
            }
        }
    }
    let safe = |sign: char| {
        if sign.is_alphanumeric() || "-_. @+".contains(sign) {
            sign
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(safe).collect();
    Ok(name.trim_matches([' ', '.']).to_owned())
}

fn is_archive(path: &Path) -> bool {
    path.is_file() && (is_zip(path) || is_tar_gz(path))
}

pub(super) fn is_zip(path: &Path) -> bool {
    ends(path, &[".zip"])
}

pub(super) fn is_tar_gz(path: &Path) -> bool {
    ends(path, &[".tar.gz", ".tgz"])
}

fn ends(path: &Path, endings: &[&str]) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| endings.iter().any(|ending| name.ends_with(ending)))
}
