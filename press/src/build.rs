//! `cargo book build`: prints the book beside its destination and moves it there when it is whole,
//! so that a build that fails leaves the last good book where it was.

use std::path::{Component, Path, PathBuf, absolute};

use anyhow::{Context, Result, ensure};

use crate::{book, output};

/// Builds into `out`, or into `build-dir` of `book.toml`.
pub(crate) fn run(out: Option<&Path>) -> Result<()> {
    let root = book::find_root()?;
    let config = book::read_config(&root)?;
    let default = root.join(&config.build.build_dir);
    let destination = match out {
        Some(dir) => resolve(dir)?,
        None => default.clone(),
    };
    let source = root.join(&config.book.src);
    ensure!(
        !destination.starts_with(&source),
        "cannot build into {}: it lies among the pages in {}; choose a folder outside",
        destination.display(),
        source.display()
    );
    output::ensure_replaceable(&destination, out.is_none())?;

    let fresh = output::beside(&destination)?;
    let pages = book::print(&root, config, fresh.path(), false)?;
    output::replace(&destination, fresh)?;
    let count = pages.iter().filter(|item| output::is_page(item)).count();
    let plural = if count == 1 { "" } else { "s" };
    println!(
        "{count} page{plural}: {}",
        destination.join("index.html").display()
    );
    Ok(())
}

/// `dir` seen from the current folder, without `..`, links resolved as far as it exists.
fn resolve(dir: &Path) -> Result<PathBuf> {
    ensure!(!dir.as_os_str().is_empty(), "--out is empty; name a folder");
    let dir = absolute(dir).with_context(|| format!("cannot use {}", dir.display()))?;
    let mut plain = PathBuf::new();
    for part in dir.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    for existing in plain.ancestors() {
        if let Ok(real) = existing.canonicalize() {
            let rest = plain.strip_prefix(existing).unwrap_or(Path::new(""));
            return Ok(real.components().chain(rest.components()).collect());
        }
    }
    Ok(plain)
}
