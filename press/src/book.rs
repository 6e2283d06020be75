//! The book on disk: finds `book.toml`, reads it strictly and loads the pages with the two
//! preprocessors in this process. `build`, `serve` and `check` stand on it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::config::{Config, HtmlConfig};
use serde_json::Value;

use crate::admonish::Admonish;
use crate::listings::Listings;

/// The folder that holds `book.toml`: the current one or the nearest above it.
pub(crate) fn find_root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    match here.ancestors().find(|folder| folder.join("book.toml").is_file()) {
        Some(root) => Ok(root.to_owned()),
        None => bail!(
            "no book.toml in {} or in a folder above it; run this command inside the project",
            here.display()
        ),
    }
}

/// Reads `book.toml` and the `MDBOOK_…` variables, and refuses what mdBook would only log.
pub(crate) fn read_config(root: &Path) -> Result<Config> {
    let path = root.join("book.toml");
    let mut config =
        Config::from_disk(&path).with_context(|| format!("{} is not valid", path.display()))?;
    config.update_from_env().context("an MDBOOK_… variable does not fit book.toml")?;

    // mdBook prints an error for a wrong key in this table, drops the table and exits with 0.
    config.get::<HtmlConfig>("output.html").with_context(|| {
        format!("{}: the table [output.html] is not valid", path.display())
    })?;
    for name in config.outputs::<Value>()?.keys() {
        ensure!(
            name == "html",
            "{}: [output.{name}] is unknown; the press prints [output.html] only",
            path.display()
        );
    }
    // A preprocessor that is not named there would run after mdBook's own, too late.
    for name in ["admonish", "listings"] {
        ensure!(
            config.contains_key(&format!("preprocessor.{name}")),
            "{}: the table [preprocessor.{name}] is missing; add it with `command = \"cargo run \
             --quiet --package press -- preprocess {name}\"`",
            path.display()
        );
    }
    Ok(config)
}

/// Loads the pages, to be built into `destination`.
pub(crate) fn load(root: &Path, mut config: Config, destination: &Path) -> Result<MDBook> {
    let source = root.join(&config.book.src);
    ensure!(
        source.is_dir(),
        "the folder {} does not exist; `src` in book.toml names it",
        source.display()
    );
    config.build.build_dir = destination.to_owned();
    let mut book = MDBook::load_with_config(root, config).with_context(|| {
        format!("the pages named in {} cannot be loaded", source.join("SUMMARY.md").display())
    })?;
    book.with_preprocessor(Admonish).with_preprocessor(Listings);
    Ok(book)
}

/// Builds the book of `root` into `destination`, an empty folder or a new one.
pub(crate) fn print(root: &Path, config: Config, destination: &Path) -> Result<MDBook> {
    let book = load(root, config, destination)?;
    book.build().context("the book cannot be built")?;
    Ok(book)
}
