//! One page: its blocks run, and all of them ran.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::counted;
use crate::prebuilt;
use crate::scan;

/// The file that lists the examples that are built.
static EXAMPLES: OnceLock<PathBuf> = OnceLock::new();

/// Has the pages run the examples that this file lists.
pub(crate) fn run_examples_of(list: &Path) {
    EXAMPLES.get_or_init(|| list.to_owned());
}

/// Runs a page's console blocks.
///
/// # Errors
/// The page, the line and what to do.
///
/// # Panics
/// As trycmd does, where a command prints something else than the page shows.
pub(crate) fn check(page: &Path) -> Result<(), String> {
    let shown = page.display();
    let text = fs::read_to_string(page).map_err(|error| format!("{shown}: {error}"))?;
    let blocks = scan::blocks(&text).map_err(|(line, what)| format!("{shown}:{line}: {what}"))?;
    if blocks.is_empty() {
        return Ok(());
    }
    let ran = run(page).map_err(|error| format!("{shown}: {error}"))?;
    let mut ran = ran.lines();
    for block in &blocks {
        for (line, command) in &block.commands {
            let words = shlex::split(command).unwrap_or_default();
            if ran.next() != words.get(1..).map(|words| words.join(" ")).as_deref() {
                return Err(format!(
                    "{shown}:{line}: `{command}` did not run; its block starts on line {}",
                    block.line
                ));
            }
        }
    }
    if let Some(more) = ran.next() {
        return Err(format!(
            "{shown}: `cargo {more}` ran and stands in no block"
        ));
    }
    if env::var_os("TRYCMD").is_some() {
        return Err(format!(
            "{shown}: TRYCMD is set, so this run proves nothing; run again"
        ));
    }
    Ok(())
}

/// Lets trycmd run the page, and gives the commands that ran, one a line.
fn run(page: &Path) -> std::io::Result<String> {
    let log = tempfile::NamedTempFile::new()?;
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("cargo", env::current_exe()?.as_path())
        .env(counted::LOG, log.path().to_string_lossy())
        .env(
            prebuilt::EXAMPLES,
            EXAMPLES
                .get()
                .map_or_else(String::new, |list| list.display().to_string()),
        )
        .case(page)
        .run();
    fs::read_to_string(log.path())
}
