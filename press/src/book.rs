//! The book on disk: finds `book.toml`, reads it strictly and loads the pages with the two
//! preprocessors in this process. `build`, `serve` and `check` stand on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::config::{Config, HtmlConfig};
use serde_json::Value;

use crate::admonish::Admonish;
use crate::lean;
use crate::listings::Listings;

/// The folder that holds `book.toml`: the current one or the nearest above it.
pub(crate) fn find_root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    match here
        .ancestors()
        .find(|folder| folder.join("book.toml").is_file())
    {
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
    let toml = path.display();
    let mut config = Config::from_disk(&path).with_context(|| format!("{toml} is not valid"))?;
    ensure_known(&config).with_context(|| format!("{toml} is not valid"))?;
    config
        .update_from_env()
        .and_then(|()| ensure_known(&config))
        .context("a variable MDBOOK_… in the environment does not fit book.toml; unset it")?;
    Ok(config)
}

/// The keys that the table of each of our preprocessors may have.
const PREPROCESSORS: [(&str, &[&str]); 2] = [
    (
        "admonish",
        &[
            "command",
            "before",
            "after",
            "assets_version",
            "on_failure",
            "default",
            "directive",
            "renderer",
        ],
    ),
    ("listings", &["command", "before", "after"]),
];

/// Refuses each table and key that nothing reads.
fn ensure_known(config: &Config) -> Result<()> {
    // mdBook prints an error for a wrong key in this table, drops the table and exits with 0.
    config.get::<HtmlConfig>("output.html")?;
    for name in config.outputs::<Value>()?.keys() {
        ensure!(
            name == "html",
            "[output.{name}] is unknown; the press prints [output.html] only"
        );
    }
    let tables = config.preprocessors::<BTreeMap<String, Value>>()?;
    for (name, table) in &tables {
        let Some((_, known)) = PREPROCESSORS.iter().find(|(known, _)| known == name) else {
            bail!("[preprocessor.{name}] is unknown; the press has `admonish` and `listings`");
        };
        for key in table.keys() {
            ensure!(
                known.contains(&key.as_str()),
                "[preprocessor.{name}] has an unknown key `{key}`; it may have {}",
                known.join(", ")
            );
        }
    }
    // Out of order, listings inside notes stay unexpanded, or mdBook's own `links` takes them all.
    for (name, next) in [("admonish", "listings"), ("listings", "links")] {
        let in_order = tables
            .get(name)
            .and_then(|table| table.get("before")?.as_array());
        ensure!(
            in_order.is_some_and(|names| names.iter().any(|name| name == next)),
            "[preprocessor.{name}] is missing or comes too late; write the table with `before = \
             [\"{next}\"]` and `command = \"cargo run --quiet --package press -- preprocess {name}\"`"
        );
    }
    Ok(())
}

/// Loads the pages, to be built into `destination`; with the reader's own measurements, or without.
pub(crate) fn load(
    root: &Path,
    mut config: Config,
    destination: &Path,
    own: bool,
) -> Result<MDBook> {
    let source = root.join(&config.book.src);
    ensure!(
        source.is_dir(),
        "the folder {} does not exist; `src` in book.toml names it",
        source.display()
    );
    destination.clone_into(&mut config.build.build_dir);
    let mut book = MDBook::load_with_config(root, config).with_context(|| {
        let summary = source.join("SUMMARY.md");
        format!(
            "the pages cannot be loaded; mend {} or the page that it names",
            summary.display()
        )
    })?;
    book.with_preprocessor(Admonish)
        .with_preprocessor(Listings { own });
    Ok(book)
}

/// Builds the book of `root` into `destination`, an empty folder or a new one.
pub(crate) fn print(root: &Path, config: Config, destination: &Path, own: bool) -> Result<MDBook> {
    let book = load(root, config, destination, own)?;
    book.build().context("the book cannot be built")?;
    lean::scripts(destination)?;
    Ok(book)
}
