//! The course's command: takes you through the exercises, traces a program, lets CPython judge the
//! loop.
//!
//! One module a verb. What the exercises' verbs share: `manifest.rs` is the course, `progress.rs`
//! the learner's way through it, `shipped.rs` the files as they were, `begin.rs` where an untouched
//! one begins; `testing.rs` runs an
//! exercise's tests behind `fence.rs`, reads them with `built.rs` and `libtest.rs` into an
//! `outcome.rs`, and `tell.rs` says it. What `trace` and `conform` share: `source.rs` reads
//! programs, `verdict.rs` judges one. `conform` also compares random programs (`random.rs`) with a
//! CPython that runs (`python.rs`), and `measure` times one beside the loop.

mod begin;
mod built;
mod cases;
mod check;
mod conform;
mod doctor;
mod fence;
mod files;
mod grade;
mod hint;
mod libtest;
mod link;
mod lint;
mod list;
mod manifest;
mod measure;
mod next;
mod open;
mod outcome;
mod progress;
mod python;
mod random;
mod reset;
mod shipped;
mod small;
mod solution;
mod source;
mod standing;
mod tell;
mod testing;
mod trace;
mod undo;
mod verdict;
mod watch;
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
/// How the point is set off.
const STRONG: Style = Style::new().bold();

/// One Thread, Six Steps: alone, it says where you stand and what to type next
#[derive(Parser)]
#[command(bin_name = "cargo course", version, disable_help_subcommand = true)]
struct Cli {
    /// Print where you stand as JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    List(list::List),
    Next(next::Next),
    Check(check::Check),
    Watch(watch::Watch),
    Hint(hint::Hint),
    Diff(solution::Diff),
    Solution(solution::Solution),
    Reset(reset::Reset),
    Undo(undo::Undo),
    Open(open::Open),
    Doctor(doctor::Doctor),
    Trace(trace::Trace),
    Conform(conform::Conform),
    Grade(grade::Grade),
    Measure(measure::Measure),
    #[command(hide = true)]
    Ship(shipped::Ship),
    #[command(hide = true, name = "run-fenced")]
    Fence(fence::Fence),
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
    let cli = Cli::parse();
    let done = match cli.verb {
        None => standing::show(cli.json),
        Some(Verb::List(list)) => list.run(),
        Some(Verb::Next(next)) => next.run(),
        Some(Verb::Check(check)) => check.run(),
        Some(Verb::Watch(watch)) => watch.run(),
        Some(Verb::Hint(hint)) => hint.run(),
        Some(Verb::Diff(diff)) => diff.run(),
        Some(Verb::Solution(solution)) => solution.run(),
        Some(Verb::Reset(reset)) => reset.run(),
        Some(Verb::Undo(undo)) => undo.run(),
        Some(Verb::Open(open)) => open.run(),
        Some(Verb::Doctor(doctor)) => doctor.run(),
        Some(Verb::Ship(shipped::Ship)) => shipped::Ship::run(),
        Some(Verb::Fence(fence)) => fence.run(),
        Some(Verb::Trace(trace)) => trace.run(),
        Some(Verb::Conform(conform)) => conform.run(),
        Some(Verb::Grade(grade)) => grade.run(),
        Some(Verb::Measure(measure)) => measure.run(),
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
