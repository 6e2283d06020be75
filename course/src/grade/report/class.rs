//! The class page: how the points are spread, and which check fails most.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::feedback::full_name;
use crate::grade::outcome::{End, Report, counted};

/// How wide the longest bar is.
const WIDEST: usize = 40;
/// How many of the checks that fail most are named.
const MOST_NAMED: usize = 15;

pub(super) fn page(report: &Report) -> String {
    let mut page = String::from("# The class\n\n");
    let graded: Vec<_> = report
        .submissions
        .iter()
        .filter(|one| one.refused.is_none())
        .collect();
    let _ = writeln!(
        page,
        "{}, {} graded.\n",
        counted(report.submissions.len(), "submission"),
        graded.len()
    );
    let notes = notes(report);
    for note in &notes {
        let _ = writeln!(page, "* {note}");
    }
    if !notes.is_empty() {
        page.push('\n');
    }
    let mut tenths = [0_usize; 10];
    for one in &graded {
        let (earned, most) = (one.earned() as usize, one.most().max(1) as usize);
        tenths[(earned * 10 / most).min(9)] += 1;
    }
    let largest = tenths.iter().copied().max().unwrap_or(0).max(1);
    let _ = writeln!(page, "## Points\n\n```text");
    for (tenth, count) in tenths.iter().enumerate() {
        let bar = "#".repeat((count * WIDEST).div_ceil(largest).min(WIDEST));
        let to = if tenth == 9 { 100 } else { tenth * 10 + 9 };
        let line = format!("{:>3} to {to:>3} %  {count:>4}  {bar}", tenth * 10);
        let _ = writeln!(page, "{}", line.trim_end());
    }
    let _ = writeln!(page, "```\n\n## What fails most\n");
    let mut fails: IndexMap<String, usize> = IndexMap::new();
    for exercise in graded.iter().flat_map(|one| &one.exercises) {
        for check in &exercise.checks {
            if !matches!(check.end, End::Passed | End::NotRun) {
                let hidden = if check.hidden { " (hidden)" } else { "" };
                let name = format!("{}{hidden}", full_name(exercise, check));
                *fails.entry(name).or_default() += 1;
            }
        }
    }
    fails.sort_by(|name, count, other_name, other| other.cmp(count).then(name.cmp(other_name)));
    if fails.is_empty() {
        let _ = writeln!(page, "No check that ran failed.");
    } else {
        let _ = writeln!(page, "| check | failed for |\n|---|---:|");
    }
    for (name, count) in fails.iter().take(MOST_NAMED) {
        let _ = writeln!(page, "| {name} | {count} |");
    }
    page
}

/// What the figures do not say.
fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    for one in &report.submissions {
        if let Some(why) = one.why_not() {
            notes.push(format!("{} was not graded: {why}", one.name));
        } else if one.holds_nothing() {
            notes.push(format!(
                "{} holds none of the exercises: look at how it is packed",
                one.name
            ));
        }
    }
    for name in &report.passed_over {
        notes.push(format!(
            "`{}` lies among the submissions and is none: it was passed over",
            name.replace('`', "'")
        ));
    }
    notes
}
