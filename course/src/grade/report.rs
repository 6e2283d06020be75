//! The reports, each made from the one model and written into one folder.

mod class;
mod csv;
mod feedback;
mod gradescope;
mod jplag;
mod junit;
mod small;
mod staff;
mod student;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::outcome::{Graded, Report};

/// Writes every report of a class into a folder.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn write(report: &Report, folder: &Path) -> Result<()> {
    make(folder)?;
    put(folder, "report.json", &json(report)?)?;
    put(folder, "grades.csv", &csv::grades(report)?)?;
    put(folder, "junit.xml", &junit::junit(report)?)?;
    put(folder, "class.md", &class::page(report))?;
    for graded in &report.submissions {
        write_one(
            report,
            graded,
            &folder.join("submissions").join(&graded.name),
        )?;
    }
    Ok(())
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
