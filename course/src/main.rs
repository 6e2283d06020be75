//! The course's command: shows where you stand, traces a program, lets CPython judge the loop.
//!
//! One module a verb. What they share: `source.rs` reads programs, `verdict.rs` judges one.
//! `conform` also compares random programs (`random.rs`) with a CPython that runs (`python.rs`).

mod cases;
mod conform;
mod grade;
mod house;
mod lint;
#[allow(dead_code, reason = "the verbs that read it come next")]
mod manifest;
mod python;
mod random;
mod small;
mod source;
mod trace;
mod verdict;
mod workshop;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Parser, Subcommand};

/// How a mistake is coloured, where there is colour.
const WRONG: Style = AnsiColor::Red.on_default().bold();
/// How a success is coloured.
const RIGHT: Style = AnsiColor::Green.on_default().bold();
/// How what stands beside the point is coloured.
const FAINT: Style = Style::new().dimmed();

/// One Thread, Six Steps: trace programs on the loop, and let CPython judge it
#[derive(Parser)]
#[command(bin_name = "cargo course", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    Trace(trace::Trace),
    Conform(conform::Conform),
    Grade(grade::Grade),
    Lint(lint::Lint),
    #[command(hide = true)]
    RunCase(cases::RunCase),
    #[command(hide = true)]
    Guarded(grade::guarded::Guarded),
}

fn main() -> ExitCode {
    // Before anything else: as a guard it must not do what this program does.
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|verb| verb == grade::tools::UNDER_GUARD)
    {
        return guard::main(arguments);
    }
    let done = match Cli::parse().verb {
        None => house::show(),
        Some(Verb::Trace(trace)) => trace.run(),
        Some(Verb::Conform(conform)) => conform.run(),
        Some(Verb::Grade(grade)) => grade.run(),
        Some(Verb::Lint(lint)) => lint.run(),
        Some(Verb::RunCase(case)) => case.run(),
        Some(Verb::Guarded(guarded)) => guarded.run(),
    };
    match done {
        Ok(code) => code,
        // Whoever read the output has seen enough. A shell gives this code to a program that the
        // signal of a broken pipe ends.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(128 + 13),
        Err(error) => {
            // With no error stream left, the exit code has to do.
            let _ = writeln!(anstream::stderr(), "{WRONG}error{WRONG:#}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
