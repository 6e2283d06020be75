//! `cargo book preprocess NAME`: one of the two preprocessors for an ordinary `mdbook build`. mdBook
//! writes its context and the book to stdin as JSON and reads the changed book from stdout.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::ValueEnum;
use mdbook_preprocessor::{MDBOOK_VERSION, Preprocessor, parse_input};

use crate::admonish::Admonish;
use crate::listings::Listings;

/// The name of the preprocessor's table in `book.toml`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Name {
    /// Notes and warnings
    Admonish,
    /// Listings with their captions
    Listings,
}

/// Reads the book from stdin and writes it to stdout.
pub(crate) fn run(name: Name) -> Result<()> {
    let (context, book) = parse_input(stdin().lock()).with_context(|| {
        format!("stdin is not the book as mdBook {MDBOOK_VERSION} sends it; `mdbook build` runs this verb")
    })?;
    let book = match name {
        Name::Admonish => Admonish.run(&context, book)?,
        Name::Listings => Listings { own: false }.run(&context, book)?,
    };
    serde_json::to_writer(stdout().lock(), &book).context("cannot write the book to stdout")
}

/// The pages are HTML in the end; for another renderer they stay as they are.
pub(crate) fn supports(renderer: &str) -> ExitCode {
    if renderer == "html" {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
