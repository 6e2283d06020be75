//! An exercise's tests, run from their binary: one process a test, so that one that hangs, aborts
//! or leaves early says nothing about the others.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::process::{End, Run};

/// What came of one test.
#[derive(Debug)]
pub(crate) struct Tested {
    /// Its name.
    pub(crate) name: String,
    /// Passed, or how it did not.
    pub(crate) outcome: Outcome,
    /// What it said.
    pub(crate) output: String,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It came to its last statement, and the process ended well.
    Passed,
    /// A rule was broken, or the process died.
    Failed,
    /// The process ended well, and the test never came to its last statement.
    LeftEarly,
    /// It did not end.
    OutOfTime,
    /// It printed without end.
    TooMuchOutput,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passes",
            Self::Failed => "fails",
            Self::LeftEarly => "ends before its last statement",
            Self::OutOfTime => "does not end",
            Self::TooMuchOutput => "prints without end",
        })
    }
}

/// The names of the tests in a test binary.
///
/// # Errors
/// The binary cannot be run, or lists nothing.
pub(crate) fn list(binary: &Path, run: &Run) -> Result<Vec<String>> {
    let mut command = Command::new(binary);
    command.args(["--list", "--format", "terse"]).env_clear();
    let why = || format!("{} cannot be run", binary.display());
    let ended = run(command, b"").with_context(why)?;
    match ended.end {
        End::Exited(status) if status.success() => {}
        end => bail!("{} lists no tests: {end:?}", binary.display()),
    }
    let text = String::from_utf8_lossy(&ended.stdout);
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}

/// Runs one test.
///
/// # Errors
/// The binary cannot be run.
pub(crate) fn test(binary: &Path, name: &str, run: &Run) -> Result<Tested> {
    let word = format!("{:016x}", fastrand::u64(..));
    let mut command = Command::new(binary);
    command
        .args(["--exact", name, "--nocapture", "--test-threads", "1"])
        .env_clear()
        .env("LESSON_TOKEN", "stdin");
    let why = || format!("{} cannot be run", binary.display());
    let ended = run(command, format!("{word}\n").as_bytes()).with_context(why)?;
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let came_to_its_end = stderr.contains(&word);
    let outcome = match ended.end {
        End::OutOfTime => Outcome::OutOfTime,
        End::TooMuchOutput => Outcome::TooMuchOutput,
        End::Exited(status) if !status.success() => Outcome::Failed,
        End::Exited(_) if came_to_its_end => Outcome::Passed,
        End::Exited(_) => Outcome::LeftEarly,
    };
    Ok(Tested {
        name: name.to_owned(),
        outcome,
        output: format!("{stderr}{}", String::from_utf8_lossy(&ended.stdout)),
    })
}
