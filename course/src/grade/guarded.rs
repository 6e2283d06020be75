//! The hidden verb that stands in for an exercise's program: trycmd ends a program that takes too
//! long but not what that one started, and reads whatever it prints. The guard does better.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use guard::{End, Guard, Job, Limits};
use serde::{Deserialize, Serialize};

use super::rules;
use super::station::hide;
use super::together::PROGRAM;
use super::tools;

/// The most that a case gives to a program.
const MOST_INPUT: u64 = 1 << 20;
/// What a shell gives for a program that a signal ends, and for one that cannot be run.
const BY_SIGNAL: i32 = 128;

/// Run a program as a plan says
#[derive(Args)]
pub(crate) struct Guarded {
    /// What to run and how, as JSON
    plan: PathBuf,
    /// The program's arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// What to run, and how.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) guard: Guard,
    pub(crate) program: PathBuf,
    /// Whose program it is, if it is one of several.
    pub(crate) exercise: String,
    pub(crate) hidden: Vec<PathBuf>,
    pub(crate) limits: Limits,
    /// A line for each run, with how it ended.
    pub(crate) log: PathBuf,
}

/// Writes the plan and a program that carries it out; gives the program's path.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn stand_in(folder: &Path, name: &str, plan: &Plan) -> Result<PathBuf> {
    let file = folder.join("plan.json");
    let text = serde_json::to_vec(plan).context("the plan")?;
    fs::write(&file, text).with_context(|| format!("{} cannot be written", file.display()))?;
    let this = tools::this()?;
    let script = format!(
        "#!/bin/sh\nexec {} guarded {} -- \"$@\"\n",
        rules::quoted(&this),
        rules::quoted(&file)
    );
    let path = folder.join(name);
    rules::program(&path, &script)?;
    Ok(path)
}

/// How the runs ended, in order.
pub(crate) fn ends(log: &Path) -> Vec<End> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

impl Guarded {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let text = fs::read(&self.plan)
            .with_context(|| format!("{} cannot be read", self.plan.display()))?;
        let plan: Plan = serde_json::from_slice(&text).context("the plan")?;
        let mut input = Vec::new();
        std::io::stdin()
            .take(MOST_INPUT)
            .read_to_end(&mut input)
            .context("standard input")?;
        let folder = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        let job = Job::new(&plan.program)
            .args(&self.args)
            .env(PROGRAM, &plan.exercise)
            .stdin(input)
            .current_dir(folder.path())
            .limits(plan.limits.clone());
        let verdict = hide(job, &plan.hidden).run(&plan.guard)?;
        let mut line = serde_json::to_vec(&verdict.end).context("the log")?;
        line.push(b'\n');
        File::options()
            .create(true)
            .append(true)
            .open(&plan.log)
            .and_then(|mut log| log.write_all(&line))
            .context("the log")?;
        // Whoever reads them may have gone; then nobody misses them.
        let _ = std::io::stdout().write_all(&verdict.stdout.bytes);
        let _ = std::io::stderr().write_all(&verdict.stderr.bytes);
        let code = match verdict.end {
            End::Exited(code) => code,
            End::Signalled(signal) => BY_SIGNAL + signal,
            end => {
                eprintln!("{end}");
                BY_SIGNAL - 4
            }
        };
        Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
    }
}
