//! What cargo-mutants found, sorted by exercise, with the survivors and why they may live.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context as _, Result};
use comfy_table::{CellAlignment, Table, presets};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{RIGHT, WRONG};

/// Where the mutants are kept that change nothing a test could see, from the course's root.
pub(crate) const EQUIVALENT: &str = "solutions/equivalent-mutants.toml";
/// How many of a hundred viable mutants the tests have to catch.
const ENOUGH: usize = 95;

/// What cargo-mutants found.
pub(crate) struct Survey {
    rows: BTreeMap<String, Counts>,
    survivors: Vec<Survivor>,
    /// Entries of the list that no survivor fits any more.
    outdated: Vec<Equivalent>,
}

/// The mutants of an exercise by what came of them.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    viable: usize,
    caught: usize,
    missed: usize,
    timeouts: usize,
}

struct Survivor {
    exercise: String,
    mutant: String,
    reason: Option<String>,
}

/// A mutant that means the same as the solution.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Equivalent {
    exercise: String,
    mutant: String,
    reason: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    #[serde(default)]
    pub(crate) equivalent: Vec<Equivalent>,
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Value,
    summary: String,
}

/// Sorts the outcomes by exercise.
pub(crate) fn survey(outcomes: &str, known: Vec<Equivalent>) -> Result<Survey> {
    let outcomes: Outcomes = serde_json::from_str(outcomes)
        .context("cargo mutants wrote an outcomes.json of a new form")?;
    let mut rows: BTreeMap<String, Counts> = BTreeMap::new();
    let mut survivors = Vec::new();
    let mut used = vec![false; known.len()];
    for outcome in outcomes.outcomes {
        let mutant = &outcome.scenario["Mutant"];
        let (Some(package), Some(name)) = (mutant["package"].as_str(), mutant["name"].as_str())
        else {
            continue;
        };
        let exercise = package.trim_end_matches("--solution").to_owned();
        let row = rows.entry(exercise.clone()).or_default();
        match outcome.summary.as_str() {
            "CaughtMutant" => row.caught += 1,
            "Timeout" => row.timeouts += 1,
            "MissedMutant" => {
                row.missed += 1;
                let mutant = described(name);
                let fits = |entry: &Equivalent| {
                    entry.exercise == exercise && is_named(&mutant, &entry.mutant)
                };
                let at = known.iter().position(fits);
                if let Some(at) = at {
                    used[at] = true;
                }
                let reason = at.map(|at| known[at].reason.clone());
                survivors.push(Survivor {
                    exercise,
                    mutant,
                    reason,
                });
            }
            // What does not compile is nobody's mistake.
            _ => continue,
        }
        row.viable += 1;
    }
    let looked_at = |entry: &Equivalent| rows.contains_key(&entry.exercise);
    let outdated = known
        .iter()
        .zip(used)
        .filter(|(entry, used)| !used && looked_at(entry))
        .map(|(entry, _)| entry.clone())
        .collect();
    Ok(Survey {
        rows,
        survivors,
        outdated,
    })
}

/// A mutant by its place in the exercise: `src/lib.rs:41:9: replace … with …`.
fn described(name: &str) -> String {
    let mut words = name.splitn(4, '/');
    match (words.next(), words.nth(1), words.next()) {
        (Some("packages"), Some(_), Some(rest)) => rest.to_owned(),
        _ => name.to_owned(),
    }
}

/// Whether a list's entry means this mutant: in full, or without the place, which moves.
fn is_named(mutant: &str, entry: &str) -> bool {
    mutant == entry
        || mutant
            .split_once(": ")
            .is_some_and(|(_, what)| what == entry)
}

impl Survey {
    fn total(&self) -> Counts {
        self.rows
            .values()
            .fold(Counts::default(), |sum, row| Counts {
                viable: sum.viable + row.viable,
                caught: sum.caught + row.caught,
                missed: sum.missed + row.missed,
                timeouts: sum.timeouts + row.timeouts,
            })
    }

    /// Whether the tests catch enough of them.
    pub(crate) fn is_enough(&self) -> bool {
        self.total().is_enough()
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> Result<()> {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header([
            "mutants of",
            "viable",
            "caught",
            "missed",
            "timeouts",
            "percent",
        ]);
        let total = [("all".to_owned(), self.total())];
        let rows = self.rows.iter().map(|(id, row)| (id.clone(), *row));
        for (id, row) in rows.chain(total) {
            let counts = [row.viable, row.caught, row.missed, row.timeouts];
            let cells = counts.map(|count| count.to_string());
            let cells = std::iter::once(id).chain(cells);
            table.add_row(cells.chain([format!("{:.1}", row.percent())]));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "\n{}\n", table.to_string().trim_end())?;
        let (explained, open): (Vec<_>, Vec<_>) = self
            .survivors
            .iter()
            .partition(|survivor| survivor.reason.is_some());
        for survivor in open {
            let Survivor {
                exercise, mutant, ..
            } = survivor;
            writeln!(
                out,
                "{WRONG}{exercise}{WRONG:#}: {mutant}: no test notices; write one, or give the \
                 reason in {EQUIVALENT}"
            )?;
        }
        for survivor in explained {
            let reason = survivor.reason.as_deref().unwrap_or_default();
            writeln!(
                out,
                "{}: {}: means the same: {reason}",
                survivor.exercise, survivor.mutant
            )?;
        }
        for entry in &self.outdated {
            writeln!(
                out,
                "{}: {}: no longer survives; take it out of {EQUIVALENT}",
                entry.exercise, entry.mutant
            )?;
        }
        let style = if self.is_enough() { RIGHT } else { WRONG };
        let total = self.total();
        writeln!(
            out,
            "{style}{:.1} %{style:#} of {} viable mutants caught; {ENOUGH} % are wanted.",
            total.percent(),
            total.viable
        )?;
        Ok(())
    }

    pub(crate) fn json(&self) -> Value {
        let row = |row: &Counts| {
            json!({
                "viable": row.viable,
                "caught": row.caught,
                "missed": row.missed,
                "timeouts": row.timeouts,
                "percent": row.percent(),
            })
        };
        let survivors = self.survivors.iter().map(|survivor| {
            json!({
                "exercise": survivor.exercise,
                "mutant": survivor.mutant,
                "reason": survivor.reason,
            })
        });
        json!({
            "total": row(&self.total()),
            "exercises": self.rows.iter().map(|(id, counts)| (id.clone(), row(counts)))
                .collect::<serde_json::Map<_, _>>(),
            "survivors": survivors.collect::<Vec<_>>(),
        })
    }
}

impl Counts {
    /// A timeout counts as caught: the learner is told.
    fn is_enough(&self) -> bool {
        (self.caught + self.timeouts) * 100 >= self.viable * ENOUGH
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "there are thousands of mutants, no more"
    )]
    fn percent(&self) -> f64 {
        match self.viable {
            0 => 100.0,
            viable => (self.caught + self.timeouts) as f64 * 100.0 / viable as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTCOMES: &str = r#"{"outcomes": [
        {"scenario": "Baseline", "summary": "Success"},
        {"scenario": {"Mutant": {"package": "a--solution", "name": "packages/01-a/a--solution/src/lib.rs:3:5: replace f with 0"}}, "summary": "CaughtMutant"},
        {"scenario": {"Mutant": {"package": "a--solution", "name": "packages/01-a/a--solution/src/lib.rs:4:5: replace < with <="}}, "summary": "MissedMutant"},
        {"scenario": {"Mutant": {"package": "a--solution", "name": "packages/01-a/a--solution/src/lib.rs:5:5: replace g with 0"}}, "summary": "Timeout"},
        {"scenario": {"Mutant": {"package": "b--solution", "name": "packages/01-a/b--solution/src/lib.rs:6:5: replace h with 0"}}, "summary": "Unviable"}
    ]}"#;

    fn equivalent(exercise: &str, mutant: &str) -> Equivalent {
        Equivalent {
            exercise: exercise.into(),
            mutant: mutant.into(),
            reason: "both sides are equal".into(),
        }
    }

    #[test]
    fn timeouts_count_as_caught_and_what_does_not_compile_not_at_all() {
        let survey = survey(OUTCOMES, Vec::new()).unwrap();
        let total = survey.total();
        assert_eq!(
            (total.viable, total.caught, total.missed, total.timeouts),
            (3, 1, 1, 1)
        );
        assert_eq!(survey.rows["b"].viable, 0);
        assert!(!survey.is_enough());
        assert_eq!(
            survey.survivors[0].mutant,
            "src/lib.rs:4:5: replace < with <="
        );
    }

    #[test]
    fn a_survivor_with_a_reason_is_told_with_it() {
        let known = vec![
            equivalent("a", "replace < with <="),
            equivalent("a", "replace f with 0"),
            equivalent("c", "replace f with 0"),
        ];
        let survey = survey(OUTCOMES, known).unwrap();
        assert_eq!(
            survey.survivors[0].reason.as_deref(),
            Some("both sides are equal")
        );
        // The exercise c was not looked at.
        let outdated: Vec<_> = survey
            .outdated
            .iter()
            .map(|entry| &*entry.exercise)
            .collect();
        assert_eq!(outdated, ["a"]);
    }

    #[test]
    fn ninety_five_of_a_hundred_are_enough() {
        let counts = |caught| Counts {
            viable: 100,
            caught,
            ..Counts::default()
        };
        assert!(counts(95).is_enough() && !counts(94).is_enough());
        assert!(Counts::default().is_enough());
    }
}
