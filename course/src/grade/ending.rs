//! How a run ends: what is printed last, and the exit code that tells graded from not graded.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::outcome::Report;
use super::{report, table};
use crate::WRONG;

/// The exit code when a submission was not graded, or the command line is wrong; 1 is an error that
/// graded nothing.
const NOT_ALL: u8 = 2;

/// Says how it went, and gives the exit code.
pub(super) fn finish(
    report: &Report,
    out: &Path,
    removed: &[String],
    json: bool,
) -> Result<ExitCode> {
    if json {
        report::print(report)?;
    } else {
        table::print(report, out, removed)?;
    }
    let all = report
        .submissions
        .iter()
        .all(|graded| graded.refused.is_none());
    Ok(if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NOT_ALL)
    })
}

/// Says what is wrong with the command line.
pub(super) fn misused(error: &anyhow::Error) -> ExitCode {
    anstream::eprintln!("{WRONG}error{WRONG:#}: {error:#}");
    ExitCode::from(NOT_ALL)
}
