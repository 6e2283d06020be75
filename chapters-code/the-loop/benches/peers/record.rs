//! The record of a run: where, with what, and every sample, summed up cell by cell.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Serialize;

use crate::row::{Name, Row};

#[derive(Serialize)]
pub(crate) struct Record {
    pub(crate) machine: Machine,
    /// Samples a cell.
    pub(crate) rounds: usize,
    /// What every count was divided by.
    pub(crate) divided: u64,
    pub(crate) load_after: String,
    pub(crate) rows: Vec<RowRecord>,
}

#[derive(Serialize)]
pub(crate) struct RowRecord {
    pub(crate) row: Row,
    pub(crate) unit: &'static str,
    pub(crate) operations: u64,
    pub(crate) cells: BTreeMap<Name, Cell>,
}

/// One runtime on one row, a sample a round.
#[derive(Serialize)]
pub(crate) struct Cell {
    pub(crate) n: usize,
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) p90: f64,
    pub(crate) mad: f64,
    pub(crate) samples: Vec<f64>,
}

impl Cell {
    pub(crate) fn of(samples: Vec<f64>) -> Self {
        let median = quantile(&samples, 0.5);
        let deviations: Vec<f64> = samples.iter().map(|s| (s - median).abs()).collect();
        Self {
            n: samples.len(),
            median,
            min: quantile(&samples, 0.0),
            p90: quantile(&samples, 0.9),
            mad: quantile(&deviations, 0.5),
            samples,
        }
    }
}

/// The value below which the share `q` of the samples lies, between two of them if need be.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into a few samples"
)]
pub(crate) fn quantile(samples: &[f64], q: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

#[derive(Serialize)]
pub(crate) struct Machine {
    pub(crate) date: String,
    pub(crate) commit: String,
    pub(crate) cpu: String,
    pub(crate) processors: usize,
    pub(crate) kernel: String,
    pub(crate) rustc: String,
    pub(crate) profile: &'static str,
    pub(crate) crates: BTreeMap<&'static str, String>,
    pub(crate) scheduling: &'static str,
    pub(crate) load_before: String,
}

impl Machine {
    pub(crate) fn now(scheduling: &'static str) -> Self {
        let uname = rustix::system::uname();
        let peers = [
            "tokio",
            "async-executor",
            "async-io",
            "futures",
            "futures-timer",
        ];
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
        Self {
            date: jiff::Timestamp::now()
                .strftime("%Y-%m-%dT%H:%M:%SZ")
                .to_string(),
            commit: output("git", &["describe", "--always", "--dirty"]),
            cpu: model
                .unwrap_or("unknown")
                .trim_start_matches([' ', '\t', ':'])
                .to_owned(),
            processors: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            kernel: format!(
                "{} {} {}",
                uname.sysname().to_string_lossy(),
                uname.release().to_string_lossy(),
                uname.machine().to_string_lossy()
            ),
            rustc: output("rustc", &["--version"]),
            profile: if cfg!(debug_assertions) {
                "debug"
            } else {
                "bench: thin LTO, 1 unit"
            },
            crates: peers.into_iter().map(|name| (name, locked(name))).collect(),
            scheduling,
            load_before: load(),
        }
    }
}

pub(crate) fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace()
        .take(3)
        .collect::<Vec<_>>()
        .join(" ")
}

fn output(program: &str, arguments: &[&str]) -> String {
    let run = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    match run {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}

/// The version of a crate that this program was built with.
fn locked(name: &str) -> String {
    let lock = include_str!("../../../../Cargo.lock");
    let package = format!("name = \"{name}\"\nversion = \"");
    let found = lock
        .split(package.as_str())
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    found.unwrap_or("unknown").to_owned()
}
