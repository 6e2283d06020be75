//! The table that a run prints: who is how fast, and where ours stands.

use std::collections::BTreeMap;

use crate::record::{Cell, Record, RowRecord, quantile};
use crate::row::{Name, Row, Target};

const COLUMNS: [(&str, Name); 7] = [
    ("limit", Name::Limit),
    ("+handles", Name::LimitHandles),
    ("ours", Name::Ours),
    ("tokio", Name::Tokio),
    ("async-ex", Name::AsyncExecutor),
    ("..static", Name::AsyncExecutorStatic),
    ("localpool", Name::LocalPool),
];

pub(crate) fn print(record: &Record) {
    let machine = &record.machine;
    println!(
        "{} | {} x {} | {} | {}",
        machine.date, machine.processors, machine.cpu, machine.kernel, machine.rustc
    );
    let crates: Vec<String> = machine
        .crates
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    println!(
        "{} | commit {} | {}",
        crates.join(", "),
        machine.commit,
        machine.scheduling
    );
    println!(
        "load {} before, {} after | {} samples a cell, counts / {}",
        machine.load_before, record.load_after, record.rounds, record.divided
    );
    println!(
        "Each cell: median (fastest), nanoseconds an operation or bytes a task. best: ours / best \
         of the three by medians (by fastest); ? where rounds disagree on who is ahead. limit: \
         ours / limit. target: toward the best of all known \
         peers, through the bare row and through tokio.\n"
    );
    print!("{:<24}", "row");
    for (title, _) in COLUMNS {
        print!("{title:>18}");
    }
    println!("{:>17}{:>7}  target", "best", "limit");
    for row in &record.rows {
        print_row(row);
    }
}

fn print_row(row: &RowRecord) {
    print!("{:<24}", row.row.name());
    for (_, name) in COLUMNS {
        let cell = row.cells.get(&name).map_or("-".to_owned(), shown);
        print!("{cell:>18}");
    }
    let Some(ours) = row.cells.get(&Name::Ours) else {
        println!();
        return;
    };
    print!("{:>17}", against_best(row.row, &row.cells, ours));
    let limit = row.cells.get(&Name::Limit);
    let ratio = limit.map_or("-".to_owned(), |limit| {
        format!("{:.2}", ours.median / limit.median)
    });
    println!(
        "{ratio:>7}  {}",
        against_target(row.row.target(), ours, &row.cells)
    );
}

fn shown(cell: &Cell) -> String {
    format!("{} ({})", figure(cell.median), figure(cell.min))
}

fn figure(value: f64) -> String {
    if value < 100.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// Ours against the best of the peers that do the same work.
fn against_best(row: Row, cells: &BTreeMap<Name, Cell>, ours: &Cell) -> String {
    let comparable = row.comparable();
    let peers = || {
        cells
            .iter()
            .filter(|(name, _)| comparable.contains(name))
            .map(|(_, cell)| cell)
    };
    let by = |value: fn(&Cell) -> f64| peers().min_by(|a, b| value(a).total_cmp(&value(b)));
    let (Some(best), Some(fastest)) = (by(|cell| cell.median), by(|cell| cell.min)) else {
        return "-".to_owned();
    };
    let ratios: Vec<f64> = ours
        .samples
        .iter()
        .zip(&best.samples)
        .map(|(ours, best)| ours / best)
        .collect();
    let undecided = quantile(&ratios, 0.25) < 1.0 && quantile(&ratios, 0.75) > 1.0;
    let mark = if undecided { "?" } else { "" };
    format!(
        "{:.2} ({:.2}){mark}",
        ours.median / best.median,
        ours.min / fastest.min
    )
}

/// How long the row may take, by medians, through the bare row and through tokio.
fn against_target(target: Target, ours: &Cell, cells: &BTreeMap<Name, Cell>) -> String {
    let times = |name, factor: f64| cells.get(&name).map(|cell| factor * cell.median);
    let aims = match target {
        Target::Absolute(aim) => vec![Some(aim)],
        Target::OfLimit(factor) => vec![times(Name::Limit, factor)],
        Target::OfBest {
            factor,
            limit,
            tokio,
        } => vec![
            times(Name::Limit, factor * limit),
            times(Name::Tokio, factor * tokio),
        ],
        Target::None => Vec::new(),
    };
    let aims: Vec<String> = aims
        .into_iter()
        .flatten()
        .map(|aim| {
            let reached = if ours.median <= aim {
                "reached"
            } else {
                "missed"
            };
            format!("{} {reached}", figure(aim))
        })
        .collect();
    aims.join(", ")
}
