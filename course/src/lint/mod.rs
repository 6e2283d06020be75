//! `cargo course lint`: proves that the course is sound. Every exercise fails as shipped, every
//! solution passes, every misconception is found out with a message that fits, nothing stray lies
//! about. `mutants` asks the same of mistakes that nobody thought of.

mod clippy;
mod facts;
mod fault;
mod folders;
mod judge;
mod misconception;
mod mutants;
mod source;
mod subject;
mod trial;

use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context as _, Result};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use crate::manifest::{Course, Exercise};
use crate::workshop::{Workshop, process};
use crate::{RIGHT, WRONG};
use fault::Fault;
use judge::Row;
use subject::Subject;

/// Prove that the exercises are sound: for those who write them
#[derive(Args)]
pub(crate) struct Lint {
    /// Exercises; none: the whole course
    names: Vec<String>,
    /// Mutate the solutions as well, and demand that the tests catch 95 % (needs cargo-mutants)
    #[arg(long)]
    mutants: bool,
    /// How many compilers and tests run at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Lint {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        process::end_groups_on_ctrl_c().context("Ctrl-C cannot be had")?;
        let exercises: Vec<&Exercise> = if self.names.is_empty() {
            course.exercises.iter().collect()
        } else {
            let find = |name: &String| course.find(name);
            self.names.iter().map(find).collect::<Result<_>>()?
        };

        let mut faults = folders::strays(&course)?;
        let (mut subjects, mut pages) = (Vec::new(), facts::Pages::default());
        for exercise in &exercises {
            faults.extend(facts::faults(&course, exercise, &mut pages));
            if folders::packages(&course, exercise, &mut faults) {
                subjects.push(Subject::read(&course, exercise, &mut faults)?);
            }
        }
        let scratch = scratch(&course);
        let mut workshop =
            Workshop::open(&course.root, &scratch.join("lint"), &scratch.join("target"))?;
        workshop.jobs = self.jobs.map(NonZero::get);
        let trials = trial::all(&course, &subjects, &workshop, self.jobs())?;
        let mut rows = Vec::new();
        for (index, subject) in subjects.iter().enumerate() {
            let own = trials.iter().filter(|trial| trial.subject == index);
            rows.push(judge::judge(subject, own, &mut faults));
        }
        let sound: Vec<&Exercise> = subjects.iter().map(|subject| subject.exercise).collect();
        faults.extend(clippy::faults(&course, &sound, self.jobs())?);
        for row in &mut rows {
            row.faults = faults.iter().filter(|fault| fault.place == row.id).count();
        }

        // Mutants of a solution that fails say nothing.
        let mutants = if self.mutants && faults.is_empty() {
            let survey = mutants::run(&course, &subjects, &scratch, self.jobs())?;
            Some(survey)
        } else {
            None
        };
        let mut out = anstream::stdout().lock();
        if self.json {
            let mutants = mutants.as_ref().map(mutants::Survey::json);
            writeln!(out, "{:#}", report(&rows, &faults, mutants))?;
        } else {
            print(&mut out, &rows, &faults)?;
            if let Some(mutants) = &mutants {
                mutants.print(&mut out)?;
            } else if self.mutants {
                writeln!(out, "The mutants wait until nothing else is wrong.")?;
            }
        }
        let enough = mutants.as_ref().is_none_or(mutants::Survey::is_enough);
        Ok(ExitCode::from(u8::from(!faults.is_empty() || !enough)))
    }

    fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(cores, NonZero::get)
    }
}

/// Where the scratch workspaces lie, kept from run to run.
fn scratch(course: &Course) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| "target".into());
    course.root.join(target).join("course")
}

fn totals(rows: &[Row]) -> [(&'static str, usize); 4] {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum();
    [
        ("exercises", rows.len()),
        ("misconceptions", sum(|row| row.misconceptions)),
        ("tests", sum(|row| row.tests)),
        ("cases", sum(|row| row.cases)),
    ]
}

fn print(out: &mut impl std::io::Write, rows: &[Row], faults: &[Fault]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "exercise",
        "tests",
        "fail as shipped",
        "cases",
        "misconceptions",
        "caught",
    ]);
    for row in rows {
        let numbers = [
            row.tests,
            row.failing,
            row.cases,
            row.misconceptions,
            row.caught,
        ];
        let cells = numbers.map(|number| number.to_string());
        table.add_row(std::iter::once(row.id.clone()).chain(cells));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.to_string().trim_end())?;
    writeln!(out)?;
    for fault in faults {
        writeln!(
            out,
            "{WRONG}{}{WRONG:#}: {}; {}",
            fault.place, fault.what, fault.remedy
        )?;
    }
    let counted = |(what, count): (&str, usize)| match count {
        1 => format!("1 {}", what.trim_end_matches('s')),
        count => format!("{count} {what}"),
    };
    let totals = totals(rows).map(counted).join(", ");
    match faults.len() {
        0 => writeln!(out, "{RIGHT}Sound{RIGHT:#}: {totals}.")?,
        1 => writeln!(out, "\n{WRONG}1 fault{WRONG:#} in {totals}.")?,
        count => writeln!(out, "\n{WRONG}{count} faults{WRONG:#} in {totals}.")?,
    }
    Ok(())
}

fn report(rows: &[Row], faults: &[Fault], mutants: Option<Value>) -> Value {
    let mut report = json!({
        "sound": faults.is_empty(),
        "totals": serde_json::Map::from_iter(totals(rows).map(|(k, v)| (k.to_owned(), v.into()))),
        "exercises": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "faults": faults.iter().map(Fault::json).collect::<Vec<_>>(),
    });
    if let Some(mutants) = mutants {
        report["mutants"] = mutants;
    }
    report
}
