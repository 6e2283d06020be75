//! The reports, each made from the one model and written into one folder.

mod class;
mod csv;
mod feedback;
mod gradescope;
mod jplag;
mod junit;
mod small;
mod staff;
mod stale;
mod student;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::outcome::{Graded, Report, VERSION};

/// Where the submissions' own folders lie, and the grades that `--resume` reads. Those hold hidden
/// cases, so they lie with nothing that is handed out.
const SUBMISSIONS: &str = "submissions";
const RESUME: &str = "resume";

/// Writes every report of a class into a folder. What a former run wrote there for submissions that
/// this one does not have is removed; gives their names.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn write(report: &Report, folder: &Path) -> Result<Vec<String>> {
    make(folder)?;
    let removed = stale::remove(report, folder)?;
    put(folder, "report.json", &json(report)?)?;
    put(folder, "grades.csv", &csv::grades(report)?)?;
    put(folder, "junit.xml", &junit::junit(report)?)?;
    put(folder, "class.md", &class::page(report))?;
    for graded in &report.submissions {
        write_one(report, graded, &folder.join(SUBMISSIONS).join(&graded.name))?;
    }
    Ok(removed)
}

fn write_one(report: &Report, graded: &Graded, folder: &Path) -> Result<()> {
    make(folder)?;
    let student = student::page(graded);
    put(folder, "student.md", &student)?;
    put(
        folder,
        "student.html",
        &student::html(&graded.name, &student),
    )?;
    let staff = staff::page(report, graded);
    put(folder, "staff.md", &staff)?;
    put(folder, "staff.html", &student::html(&graded.name, &staff))?;
    put(
        folder,
        "gradescope.json",
        &json(&gradescope::results(graded))?,
    )?;
    put(folder, "exercism.json", &json(&small::exercism(graded))?)?;
    put(
        folder,
        "classroom50.json",
        &json(&small::classroom50(graded))?,
    )?;
    Ok(())
}

/// Writes the sources of a class, as `JPlag` compares them: the stub as base code beside them.
pub(crate) use jplag::export;

/// A grade by itself, for a run that goes on where another was interrupted.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: String,
    graded: Graded,
}

/// Writes a grade as soon as it is there.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn keep(out: &Path, key: Option<&str>, graded: &Graded) -> Result<()> {
    let folder = out.join(RESUME);
    make(&folder)?;
    let kept = Kept {
        key: key.unwrap_or_default().to_owned(),
        graded: graded.clone(),
    };
    put(&folder, &kept_name(&graded.name), &json(&kept)?)
}

/// The grade that was written for this key, if there is one.
pub(crate) fn kept(out: &Path, name: &str, key: &str) -> Option<Graded> {
    let path = out.join(RESUME).join(kept_name(name));
    let kept: Kept = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    (kept.key == key && kept.graded.refused.is_none()).then_some(kept.graded)
}

fn kept_name(name: &str) -> String {
    format!("{name}.json")
}

/// Reads a report.
///
/// # Errors
/// It is not there, or is no report of this version.
pub(crate) fn read(path: &Path) -> Result<Report> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
    let report: Report = serde_json::from_slice(&text)
        .with_context(|| format!("{shown} is no report of `cargo course grade`"))?;
    ensure!(
        report.version == VERSION,
        "{shown} has version {}, this `cargo course` knows {VERSION}",
        report.version
    );
    Ok(report)
}

/// Prints the whole report as JSON.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print(report: &Report) -> Result<()> {
    use std::io::Write as _;

    write!(anstream::stdout(), "{}", json(report)?)?;
    Ok(())
}

fn json(value: &impl Serialize) -> Result<String> {
    let mut text =
        serde_json::to_string_pretty(value).context("a report cannot be written as JSON")?;
    text.push('\n');
    Ok(text)
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

fn put(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| {
        format!(
            "{} cannot be written: is the disk full, or the folder read-only?",
            path.display()
        )
    })
}
