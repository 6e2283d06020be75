//! Which pages are doctests: those that a floor takes in with `#[doc = include_str!("…/book/….md")]`.
//! A Rust fence on any other page is compiled by nobody.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result};
use regex::Regex;

use crate::output::{extension, files_below};

static DOC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"doc\s*=\s*include_str!\(\s*"(?P<path>[^"]+\.md)"\s*,?\s*\)"#)
        .expect("the pattern is fixed")
});

/// The pages, as real paths, that the crates below `chapters-code` test.
pub(crate) fn pages(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut pages = BTreeSet::new();
    let floors = root.join("chapters-code");
    if !floors.is_dir() {
        return Ok(pages);
    }
    let why = || format!("cannot read {}", floors.display());
    for floor in fs::read_dir(&floors).with_context(why)? {
        let source = floor.with_context(why)?.path().join("src");
        if !source.is_dir() {
            continue;
        }
        for name in files_below(&source).with_context(why)? {
            if extension(&name) != "rs" {
                continue;
            }
            let file = source.join(name);
            let code = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let folder = file.parent().unwrap_or(&source);
            // A page that does not exist fails to compile there; it is no page here.
            pages.extend(included(&code).filter_map(|page| folder.join(page).canonicalize().ok()));
        }
    }
    Ok(pages)
}

/// The markdown files that `code` takes in as documentation, comments left out.
fn included(code: &str) -> impl Iterator<Item = &str> {
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| DOC.captures_iter(line))
        .filter_map(|found| found.name("path"))
        .map(|path| path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_attributes_count() {
        let code = "#[cfg(doctest)]\n#[doc = include_str!(\"../../../book/a/index.md\")]\n\
                    // #[doc = include_str!(\"b.md\")]\nconst X: &str = include_str!(\"c.md\");\n\
                    #![doc = include_str!(\"../README.md\")]\n";
        let found: Vec<_> = included(code).collect();
        assert_eq!(found, ["../../../book/a/index.md", "../README.md"]);
    }
}
