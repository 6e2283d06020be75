//! A record, as a reader wants it on a terminal: a block a row, a line a side.

use std::fmt::{self, Write as _};

use super::record::{Claim, Holds, Ratio, Record, Row, Side, Verdict};
use super::sums::figure;
use crate::{FAINT, RIGHT, STRONG, WRONG};

/// What is known of the run, then the rows, then what is missing.
pub(crate) fn text(record: &Record) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write(&mut text, record);
    text
}

fn write(out: &mut String, record: &Record) -> fmt::Result {
    writeln!(out, "\n{STRONG}{}{STRONG:#}", record.chapter)?;
    writeln!(out, "{FAINT}{}{FAINT:#}", machine(record))?;
    for noise in &record.noise {
        writeln!(out, "{WRONG}noise{WRONG:#}: {noise}")?;
    }
    let (counted, timed): (Vec<_>, Vec<_>) = record.rows.iter().partition(|row| row.counted);
    for row in timed {
        block(out, row)?;
    }
    if !counted.is_empty() {
        writeln!(out, "\n  {STRONG}counted{STRONG:#}")?;
        for row in counted {
            one_line(out, row)?;
        }
    }
    if !record.missing.is_empty() {
        writeln!(out)?;
    }
    for missing in &record.missing {
        writeln!(out, "  {WRONG}missing{WRONG:#}: {missing}")?;
    }
    Ok(())
}

fn machine(record: &Record) -> String {
    let machine = &record.machine;
    let mut said = vec![
        record.when.clone(),
        format!("{} x {}", machine.cores, machine.cpu),
        machine.kernel.clone(),
        record.versions.rustc.clone(),
    ];
    if let Some(python) = &record.versions.python {
        said.push(format!("CPython {} ({})", python.version, python.build));
    }
    if let Some(uvloop) = &record.versions.uvloop {
        said.push(format!("uvloop {uvloop}"));
    }
    if record.quick {
        said.push("a quick look".to_owned());
    }
    said.join(" | ")
}

/// A side as it is called in the table.
fn called(name: &str) -> String {
    let (side, variant) = name
        .split_once('/')
        .map_or((name, None), |(a, b)| (a, Some(b)));
    let side = match side {
        "cpython" => "CPython",
        "by-hand" => "by hand",
        "local-pool" => "LocalPool",
        other => other,
    };
    match variant {
        Some(variant) => format!("{side}, {}", variant.replace('-', " ")),
        None => side.to_owned(),
    }
}

fn block(out: &mut String, row: &Row) -> fmt::Result {
    let title = row.title.replace('`', "");
    writeln!(
        out,
        "\n  {STRONG}{title}{STRONG:#}, {} a {}",
        row.unit, row.per
    )?;
    if let Some(article) = row.article {
        writeln!(out, "    {:<24}{:>12}", "the article", figure(article))?;
    }
    for side in &row.sides {
        line(out, row, side)?;
    }
    claim(out, row)
}

fn line(out: &mut String, row: &Row, side: &Side) -> fmt::Result {
    let name = side.name();
    let label = called(&name);
    let (Some(median), Some(min), Some(p90)) = (side.median, side.min, side.p90) else {
        let why = side.missing.as_deref().unwrap_or("not measured");
        return writeln!(out, "    {label:<24}{:>12}  {FAINT}{why}{FAINT:#}", "-");
    };
    let spread = format!("{} to {}", figure(min), figure(p90));
    let ratios: Vec<String> = row
        .ratios
        .iter()
        .filter(|ratio| ratio.to == name)
        .map(|ratio| shown(ratio, row))
        .collect();
    let text = format!("    {label:<24}{:>12}  {spread:<24}", figure(median));
    let text = format!("{text}{}", ratios.join("; "));
    write!(out, "{}", text.trim_end())?;
    match &side.missing {
        Some(why) => writeln!(out, "  {FAINT}{why}{FAINT:#}"),
        None => writeln!(out),
    }
}

/// `ours 0.02 (0.02 to 0.03)`: of what the line's side takes.
fn shown(ratio: &Ratio, row: &Row) -> String {
    let several = row.sides.iter().filter(|side| side.side == "ours").count() > 1;
    let of = match ratio.of.split_once('/') {
        Some((_, variant)) if several => variant.replace('-', " "),
        _ => "ours".to_owned(),
    };
    let [median, low, high] = [ratio.median, ratio.low, ratio.high].map(figure);
    let mark = match ratio.verdict {
        Verdict::Undecided => ", undecided",
        Verdict::Lower | Verdict::Higher => "",
    };
    format!("{of} {median} of it ({low} to {high}){mark}")
}

fn claim(out: &mut String, row: &Row) -> fmt::Result {
    let Some(claim) = &row.claim else {
        return Ok(());
    };
    let (style, holds) = match claim.holds {
        Holds::Yes => (RIGHT, "holds here"),
        Holds::No => (WRONG, "does not hold here"),
        Holds::Undecided => (STRONG, "undecided here"),
        Holds::NotMeasured => (FAINT, "not measured"),
    };
    if claim.holds == Holds::NotMeasured {
        return writeln!(out, "    {style}{holds}{style:#}: {}", claim.text);
    }
    writeln!(
        out,
        "    {style}{holds}{style:#}: {}: {}",
        claim.text, claim.found
    )
}

/// A counted row: what each side counted, on one line.
fn one_line(out: &mut String, row: &Row) -> fmt::Result {
    let counted = |side: &Side| {
        let value = side.median.map_or_else(|| "-".to_owned(), figure);
        format!("{} {value}", called(&side.name()))
    };
    let sides: Vec<String> = row.sides.iter().map(counted).collect();
    let title = row.title.replace('`', "");
    let found = |claim: &Claim| format!(": {}", claim.found);
    let (style, mark) = match row.claim.as_ref().map(|claim| (claim.holds, found(claim))) {
        Some((Holds::Yes, _)) => (RIGHT, "holds here".to_owned()),
        Some((Holds::No, found)) => (WRONG, format!("does not hold here{found}")),
        Some((Holds::Undecided, found)) => (STRONG, format!("undecided here{found}")),
        Some((Holds::NotMeasured, _)) | None => (FAINT, String::new()),
    };
    let text = format!("    {title:<52}{:<24}", sides.join(", "));
    let text = if mark.is_empty() {
        text.trim_end().to_owned()
    } else {
        text
    };
    writeln!(out, "{text}{style}{mark}{style:#}")
}
