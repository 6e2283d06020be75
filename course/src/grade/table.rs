//! What a run found, on a terminal: a line a submission.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};

use super::outcome::{ExerciseGrade, Graded, Report, State};
use crate::WRONG;

/// Prints the table, what was not graded, and where the reports lie. `removed` had pages of a former
/// run there.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print(report: &Report, out: &Path, removed: &[String]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "submission",
        "points",
        "of",
        "solved",
        "handed in",
        "look at",
    ]);
    for graded in &report.submissions {
        table.add_row(row(graded));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut stdout = anstream::stdout().lock();
    // A table pads its last column.
    for line in table.to_string().lines() {
        writeln!(stdout, "{}", line.trim_end())?;
    }
    writeln!(stdout)?;
    for graded in &report.submissions {
        if let Some(why) = graded.why_not() {
            writeln!(stdout, "{WRONG}not graded{WRONG:#}: {}: {why}", graded.name)?;
        }
    }
    let empty: Vec<&str> = report
        .submissions
        .iter()
        .filter(|graded| graded.holds_nothing())
        .map(|graded| graded.name.as_str())
        .collect();
    if !empty.is_empty() {
        writeln!(
            stdout,
            "None of the exercises is in: {}. Look at how it is packed.",
            empty.join(", ")
        )?;
    }
    if !report.passed_over.is_empty() {
        let names: Vec<&str> = report.passed_over.iter().map(String::as_str).collect();
        writeln!(
            stdout,
            "Passed over, as neither a folder nor a .zip nor a .tar.gz: {}.",
            names.join(", ")
        )?;
    }
    if !removed.is_empty() {
        writeln!(
            stdout,
            "Removed what a former run wrote for: {}.",
            removed.join(", ")
        )?;
    }
    let off: Vec<&str> = report
        .protections
        .iter()
        .filter(|protection| !protection.on)
        .map(|protection| protection.name.as_str())
        .collect();
    if !off.is_empty() {
        writeln!(stdout, "Protections that were off: {}.", off.join("; "))?;
    }
    writeln!(
        stdout,
        "The reports are in {}: class.md, grades.csv, and a folder for each submission.",
        out.display()
    )?;
    Ok(())
}

fn row(graded: &Graded) -> [String; 6] {
    if graded.refused.is_some() {
        return [&graded.name, "not graded", "", "", "", ""].map(ToString::to_string);
    }
    let count =
        |of: fn(&ExerciseGrade) -> bool| graded.exercises.iter().filter(|one| of(one)).count();
    let look_at = graded.exercises.iter().map(|one| one.to_look_at().len());
    let look_at = look_at.sum::<usize>() + usize::from(graded.holds_nothing());
    let look_at = look_at + usize::from(graded.holds_twice());
    [
        graded.name.clone(),
        graded.earned().to_string(),
        graded.most().to_string(),
        count(ExerciseGrade::passed).to_string(),
        count(|one| !matches!(one.state, State::Missing | State::Untouched)).to_string(),
        look_at.to_string(),
    ]
}
