//! `cargo course` alone: where you are, what stands there, and what to type next.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anstyle::Style;
use anyhow::Result;
use scenario::LEVEL;

use crate::source;

const STRONG: Style = Style::new().bold();

pub(crate) fn show() -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{STRONG}One Thread, Six Steps{STRONG:#}")?;
    match source::workspace() {
        Some(root) => {
            writeln!(out, "You are in the course at {}.", root.display())?;
            writeln!(out, "Floors: {}.", floors(&root).join(", "))?;
        }
        None => writeln!(
            out,
            "You are outside the course's folder. The files you name still work."
        )?,
    }
    writeln!(
        out,
        "The loop runs level {LEVEL} of the 5 levels that CPython recorded.

{STRONG}What you can do{STRONG:#}
  cargo book                build the book, read it in the browser
  cargo course trace FILE   run a program on the loop, print every turn as JSON
  cargo course conform      compare the loop with CPython's traces
                            (--random N: with a CPython of your own, on random programs)

{STRONG}Start with{STRONG:#}
  cargo book
  cargo course conform
  cargo course trace chapters-code/scenario/corpus/open/level1.jsonl --name 1-soon-fifo

Each verb explains itself with --help."
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The crates of the tower, lowest first.
fn floors(root: &Path) -> Vec<String> {
    let folders = fs::read_dir(root.join("chapters-code"));
    let names = folders.into_iter().flatten().flatten();
    let mut numbered: Vec<(u8, String)> = names
        .filter_map(|folder| {
            let name = folder.file_name().into_string().ok()?;
            let (number, name) = name.split_once('-')?;
            Some((number.parse().ok()?, name.to_owned()))
        })
        .collect();
    numbered.sort();
    numbered.into_iter().map(|(_, name)| name).collect()
}
