//! Instructions instead of time: the same on a busy machine. Two counts of operations, and the
//! difference between them, so that the start of the process does not count.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::row::{Name, Row};
use crate::run::arguments_of;

const OPERATIONS: (u64, u64) = (4_000, 20_000);

pub(crate) fn count(rows: &[Row]) -> Result<()> {
    println!("Instructions an operation, user space only (callgrind).\n");
    for &row in rows
        .iter()
        .filter(|row| !row.is_memory() && !row.crosses_threads())
    {
        print!("{:<24}", row.name());
        for name in row.peers() {
            let few = run(row, name, OPERATIONS.0)?;
            let many = run(row, name, OPERATIONS.1)?;
            let operations = OPERATIONS.1 - OPERATIONS.0;
            print!(" {name:?} {}", many.saturating_sub(few) / operations);
        }
        println!();
    }
    Ok(())
}

fn run(row: Row, name: Name, count: u64) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(arguments_of(row, name, count))
        .arg("--instructions")
        .output()
        .context("cannot start valgrind; install it, or leave --instructions out")?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}, {name:?}: {log}", row.name());
    let collected = log.lines().find_map(|line| line.split_once("Collected :"));
    let (_, number) = collected.with_context(|| format!("callgrind counted nothing: {log}"))?;
    number
        .trim()
        .parse()
        .with_context(|| format!("not a count: {number}"))
}
