//! `cargo course grade merge`: the parts of a class, graded on several machines, as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;

use super::ending::{finish, misused};
use super::outcome::{Graded, Report, VERSION};
use super::report;

/// Put the reports of several runs together
#[derive(Args)]
pub(crate) struct Merge {
    /// The folders of reports, or their report.json
    #[arg(required = true, value_name = "OUT")]
    parts: Vec<PathBuf>,
    /// Where the merged reports go
    #[arg(long, value_name = "DIR", default_value = "grades")]
    out: PathBuf,
    /// Print the report as JSON in place of the table
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let merged = match self.merged() {
            Ok(merged) => merged,
            Err(error) => return Ok(misused(&error)),
        };
        let removed = report::write(&merged, &self.out)?;
        finish(&merged, &self.out, &removed, self.json)
    }

    fn merged(&self) -> Result<Report> {
        let mut parts = Vec::new();
        for part in &self.parts {
            let file = if part.is_dir() {
                part.join("report.json")
            } else {
                part.clone()
            };
            parts.push((file.display().to_string(), report::read(&file)?));
        }
        merge(parts)
    }
}

/// A protection of the whole is one that every part had.
fn merge(parts: Vec<(String, Report)>) -> Result<Report> {
    let mut submissions: BTreeMap<String, (String, Graded)> = BTreeMap::new();
    let (mut protections, mut notes) = (Vec::<super::outcome::Protection>::new(), Vec::new());
    let mut passed_over = BTreeSet::new();
    let mut exercises: Option<Vec<(String, u32)>> = None;
    for (place, report) in parts {
        for protection in report.protections {
            match protections
                .iter_mut()
                .find(|other| other.name == protection.name)
            {
                Some(other) => other.on &= protection.on,
                None => protections.push(protection),
            }
        }
        passed_over.extend(report.passed_over);
        for note in report.notes {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        for graded in report.submissions {
            if graded.refused.is_none() {
                let own: Vec<_> = graded
                    .exercises
                    .iter()
                    .map(|one| (one.id.clone(), one.most()))
                    .collect();
                let all = exercises.get_or_insert_with(|| own.clone());
                ensure!(
                    *all == own,
                    "{place} has other exercises or points than the parts before it: grade all \
                     parts with the same course and the same --cases and --only"
                );
            }
            let name = graded.name.clone();
            if let Some((other, _)) = submissions.insert(name.clone(), (place.clone(), graded)) {
                anyhow::bail!(
                    "{name} is in {other} and in {place}: a submission belongs to one part"
                );
            }
        }
    }
    ensure!(!submissions.is_empty(), "the parts hold no submission");
    Ok(Report {
        version: VERSION,
        protections,
        notes,
        passed_over,
        submissions: submissions
            .into_values()
            .map(|(_, graded)| graded)
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::outcome::samples;
    use super::*;

    fn part(names: &[&str]) -> (String, Report) {
        let mut report = samples::report();
        let one = report.submissions[0].clone();
        report.submissions = names
            .iter()
            .map(|name| Graded {
                name: (*name).to_owned(),
                ..one.clone()
            })
            .collect();
        (names.join("+"), report)
    }

    #[test]
    fn parts_are_put_together_in_the_order_of_names() {
        let merged = merge(vec![part(&["b", "d"]), part(&["a", "c"])]).unwrap();
        let names: Vec<_> = merged
            .submissions
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_belongs_to_no_one_class_is_said() {
        let twice = merge(vec![part(&["a"]), part(&["a"])]).unwrap_err();
        assert!(twice.to_string().contains("belongs to one part"), "{twice}");
        let mut other = part(&["b"]);
        other.1.submissions[0].exercises[0].checks[0].most += 1;
        let points = merge(vec![part(&["a"]), other]).unwrap_err();
        assert!(
            points.to_string().contains("other exercises or points"),
            "{points}"
        );
    }

    #[test]
    fn a_protection_that_one_part_lacked_is_off() {
        let mut other = part(&["b"]);
        other.1.protections[0].on = false;
        let merged = merge(vec![part(&["a"]), other]).unwrap();
        assert!(!merged.protections[0].on);
    }
}
