//! The command that prints the book: `cargo book` builds it, serves it on this machine and reloads
//! the page on every change. Each verb is a module of its own; only this crate knows mdBook.

mod admonish;
mod book;
mod build;
mod check;
mod components;
mod exercises;
mod fault;
mod fences;
mod lean;
mod listings;
mod measured;
mod output;
mod preprocess;
mod serve;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

/// Prints the book. Without a verb: builds it, serves it on 127.0.0.1:3000, opens a browser where
/// there is one, and reloads the page whenever a file changes.
#[derive(Parser)]
#[command(name = "cargo book", bin_name = "cargo book", version)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Build the book into target/book, or into a folder of yours
    Build {
        /// The folder to build into: new, empty, or built by this command before
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Build, serve and rebuild on change
    Serve(ServeArgs),
    /// Check every link, file, fragment, listing and code fence of the book
    Check,
    /// The preprocessors for an ordinary `mdbook build` (speaks mdBook's protocol on stdin)
    Preprocess {
        /// Which of the two preprocessors
        name: preprocess::Name,
        #[command(subcommand)]
        question: Option<Question>,
    },
}

#[derive(Args)]
struct ServeArgs {
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
}

#[derive(Subcommand)]
enum Question {
    /// Exit with 0 where the renderer is supported, with 1 where it is not
    Supports { renderer: String },
}

fn main() -> ExitCode {
    // What mdBook only logs, such as an HTML tag that is never closed, is said as it is found.
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_ansi(false)
        .with_target(false)
        .without_time()
        .with_writer(std::io::stderr)
        .init();
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

/// One error with its causes, each on a line of its own.
fn print_error(error: &anyhow::Error) {
    let mut said = error.to_string();
    eprintln!("error: {said}");
    for cause in error.chain().skip(1) {
        // mdBook wraps some errors in themselves.
        let cause = cause.to_string();
        if cause != said {
            eprintln!("  because: {}", cause.trim_end().replace('\n', "\n    "));
            said = cause;
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode> {
    match cli.verb {
        None => serve::run(&ServeArgs {
            port: 3000,
            no_open: false,
        })?,
        Some(Verb::Serve(args)) => serve::run(&args)?,
        Some(Verb::Build { out }) => build::run(out.as_deref())?,
        Some(Verb::Check) => return check::run(),
        Some(Verb::Preprocess {
            name,
            question: None,
        }) => preprocess::run(name)?,
        Some(Verb::Preprocess {
            question: Some(Question::Supports { renderer }),
            ..
        }) => {
            return Ok(preprocess::supports(&renderer));
        }
    }
    Ok(ExitCode::SUCCESS)
}
