//! `grades.csv`: a row a submission, a column an exercise.

use anyhow::{Context as _, Result};

use crate::grade::outcome::Report;

pub(super) fn grades(report: &Report) -> Result<String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    // What was not graded has none.
    let graded = report.submissions.iter().find(|one| one.refused.is_none());
    let ids = graded
        .into_iter()
        .flat_map(|graded| &graded.exercises)
        .map(|exercise| exercise.id.as_str());
    let mut header = vec!["submission", "points", "of", "graded"];
    header.extend(ids);
    csv.write_record(&header).context("grades.csv")?;
    for graded in &report.submissions {
        let mut row = vec![
            spreadsheet_safe(&graded.name),
            graded.earned().to_string(),
            graded.most().to_string(),
            if graded.refused.is_none() {
                "yes"
            } else {
                "no"
            }
            .to_owned(),
        ];
        row.extend(
            graded
                .exercises
                .iter()
                .map(|exercise| exercise.earned().to_string()),
        );
        row.resize(header.len(), String::new());
        csv.write_record(&row).context("grades.csv")?;
    }
    let bytes = csv.into_inner().context("grades.csv")?;
    String::from_utf8(bytes).context("grades.csv")
}

/// A spreadsheet takes a cell that begins with one of these for a formula.
fn spreadsheet_safe(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}
