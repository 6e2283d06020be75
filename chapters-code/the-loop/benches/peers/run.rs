//! The command line, and the rounds.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;

use crate::record::{Cell, Machine, Record, RowRecord, load};
use crate::row::{Name, Row};

/// The loop beside tokio, async-executor and `LocalPool`, on the same work.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Arguments {
    /// Samples a cell
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// A tenth of every count: a first look
    #[arg(long)]
    quick: bool,
    /// Only these rows
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    only: Vec<Row>,
    /// Write the record to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Count instructions under callgrind instead of time, on rows of one thread
    #[arg(long)]
    instructions: bool,
    /// Run everything once, tiny, and print nothing but that it ran
    #[arg(long)]
    test: bool,
    /// Take one sample in this process: of a row and a peer, or, as `cargo course measure` asks, of
    /// `ROW` (ours) or `ROW/SIDE`, as a line of JSON
    #[arg(long, num_args = 1..=2, value_names = ["ROW", "PEER"], hide = true)]
    sample: Option<Vec<String>>,
    /// Operations of that sample
    #[arg(long, requires = "sample", hide = true)]
    count: Option<u64>,
    /// About how many milliseconds that sample takes; less than 40: a tenth of every count
    #[arg(long, requires = "sample", default_value_t = 40, hide = true)]
    budget: u64,
    /// What cargo adds to the command of a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

pub(crate) fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some([one]) = arguments.sample.as_deref() {
        println!("{}", line_of(one, arguments.budget)?);
        return Ok(());
    }
    if let Some(sample) = &arguments.sample {
        let (row, name) = names(&sample[0], &sample[1])?;
        let count = arguments.count.unwrap_or(row.count());
        if arguments.instructions {
            return crate::sample::only_work(row, name, count);
        }
        println!("{}", crate::sample::take(row, name, count)?);
        return Ok(());
    }
    let rows: Vec<Row> = match &*arguments.only {
        [] => Row::all().to_vec(),
        only => only.to_vec(),
    };
    // `cargo test --all-targets` runs a benchmark too, without `--bench`.
    if arguments.test || !arguments.bench {
        return test(&rows);
    }
    if arguments.instructions {
        return crate::instructions::count(&rows);
    }
    // Opened before the rounds: a run must not be lost for a folder that is not there.
    let why = |path: &Path| format!("cannot write the record to {}", path.display());
    let file = match &arguments.json {
        Some(path) => Some((path, File::create(path).with_context(|| why(path))?)),
        None => None,
    };
    let record = measure(&rows, &arguments)?;
    crate::table::print(&record);
    if let Some((path, mut file)) = file {
        let text = serde_json::to_string_pretty(&record)? + "\n";
        file.write_all(text.as_bytes()).with_context(|| why(path))?;
    }
    Ok(())
}

/// One sample as a line of JSON. Its name is that of `rows.toml`: `gather`, `gather/tokio`.
fn line_of(sample: &str, budget: u64) -> Result<serde_json::Value> {
    let (row, side) = sample.split_once('/').unwrap_or((sample, "ours"));
    let (row, name) = names(row, &side.replace("by-hand", "limit"))?;
    let count = operations(row, if budget < 40 { 10 } else { 1 });
    let value = crate::sample::take(row, name, count)?;
    Ok(serde_json::json!({ "row": row.name(), "value": value, "unit": row.unit() }))
}

fn names(row: &str, name: &str) -> Result<(Row, Name)> {
    let parse = |error: String| anyhow::anyhow!(error);
    Ok((
        clap::ValueEnum::from_str(row, false).map_err(parse)?,
        clap::ValueEnum::from_str(name, false).map_err(parse)?,
    ))
}

/// Everything once, in this process's children, with counts that take no time.
fn test(rows: &[Row]) -> Result<()> {
    every_listed_side_takes_part()?;
    let sampler = Sampler::ordinary();
    for &row in rows {
        for name in row.peers() {
            let value = sampler.take(row, name, 2_000)?;
            ensure!(value.is_finite(), "{}, {name:?}: {value}", row.name());
        }
    }
    println!("{} rows ran", rows.len());
    Ok(())
}

/// `rows.toml` names rows and sides that there are.
fn every_listed_side_takes_part() -> Result<()> {
    let listed: toml::Table = include_str!("../../rows.toml").parse()?;
    let rows = listed["row"].as_array().context("rows.toml has no rows")?;
    for listed in rows {
        let id = listed["id"].as_str().context("a row without an id")?;
        let sides = listed["sides"].as_array().context("a row without sides")?;
        for side in sides.iter().filter_map(toml::Value::as_str) {
            if !matches!(side, "cpython" | "uvloop") {
                let side = side.replace('/', "-").replace("by-hand", "limit");
                let (row, name) = names(id, &side)?;
                ensure!(row.peers().contains(&name), "{id} has no side {side}");
            }
        }
    }
    Ok(())
}

fn measure(rows: &[Row], arguments: &Arguments) -> Result<Record> {
    let sampler = Sampler::new();
    let machine = Machine::now(sampler.scheduling());
    let divided = if arguments.quick { 10 } else { 1 };
    let mut samples: BTreeMap<(Row, Name), Vec<f64>> = BTreeMap::new();
    for round in 0..arguments.rounds {
        eprintln!("round {} of {}", round + 1, arguments.rounds);
        for &row in rows {
            let mut peers = row.peers();
            // Nobody is always the first after another row.
            let first = usize::try_from(round)? % peers.len();
            peers.rotate_left(first);
            for name in peers {
                let count = operations(row, divided);
                let value = sampler.take(row, name, count)?;
                samples.entry((row, name)).or_default().push(value);
            }
        }
    }
    let rows = rows.iter().map(|&row| RowRecord {
        row,
        unit: row.unit(),
        operations: operations(row, divided),
        cells: row
            .peers()
            .into_iter()
            .filter_map(|name| Some((name, Cell::of(samples.remove(&(row, name))?))))
            .collect(),
    });
    Ok(Record {
        machine,
        rounds: usize::try_from(arguments.rounds)?,
        divided,
        rows: rows.collect(),
        load_after: load(),
    })
}

fn operations(row: Row, divided: u64) -> u64 {
    if row.indivisible() {
        row.count()
    } else {
        row.count() / divided
    }
}

/// Starts this program again for each sample, in real-time scheduling where the system allows it,
/// so that nothing else takes its processor away.
struct Sampler {
    real_time: bool,
}

impl Sampler {
    fn ordinary() -> Self {
        Self { real_time: false }
    }

    fn new() -> Self {
        let allowed = Command::new("chrt").args(["--rr", "1", "true"]).output();
        Self {
            real_time: allowed.is_ok_and(|output| output.status.success()),
        }
    }

    fn scheduling(&self) -> &'static str {
        if self.real_time {
            "SCHED_RR"
        } else {
            "ordinary scheduling: chrt is not allowed here"
        }
    }

    fn take(&self, row: Row, name: Name, count: u64) -> Result<f64> {
        let this = std::env::current_exe()?;
        let mut command = if self.real_time {
            let mut command = Command::new("chrt");
            command.args(["--rr", "1"]).arg(this);
            command
        } else {
            Command::new(this)
        };
        let output = command
            .args(arguments_of(row, name, count))
            .output()
            .context("cannot start a sample")?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            bail!("{}, {name:?}: {}: {error}", row.name(), output.status);
        }
        let value = String::from_utf8_lossy(&output.stdout);
        value
            .trim()
            .parse()
            .with_context(|| format!("not a sample: {value}"))
    }
}

pub(crate) fn arguments_of(row: Row, name: Name, count: u64) -> [String; 5] {
    let value = clap::ValueEnum::to_possible_value(&name).expect("no peer is skipped");
    [
        "--sample".to_owned(),
        row.name(),
        value.get_name().to_owned(),
        "--count".to_owned(),
        count.to_string(),
    ]
}
