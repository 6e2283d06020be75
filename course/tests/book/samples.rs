//! The checks checked: each way in which a block could pass without having run is caught.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

use crate::page;

/// Pages that must fail: the line, and a word of the reason.
const BAD: [(&str, usize, &str); 9] = [
    ("indented.md", 5, "first column"),
    ("quoted.md", 3, "first column"),
    ("inside-admonish.md", 5, "did not run"),
    ("tildes.md", 3, "with backticks"),
    ("ignored.md", 3, "nothing more"),
    ("other-program.md", 4, "text block"),
    ("no-blank-line.md", 6, "blank line"),
    ("no-command.md", 3, "no command"),
    ("unclosed.md", 3, "never closed"),
];

/// Pages that must pass.
const GOOD: [&str; 2] = ["prose.md", "good.md"];

pub(crate) fn trials() -> Vec<Trial> {
    let bad = BAD.into_iter().map(|(file, line, reason)| {
        Trial::test(format!("catches_{file}"), move || fails(file, line, reason))
    });
    let good = GOOD.into_iter().map(|file| {
        let check = move || page::check(&sample(file)).map_err(Failed::from);
        Trial::test(format!("passes_{file}"), check)
    });
    bad.chain(good).collect()
}

fn sample(file: &str) -> PathBuf {
    Path::new("course/tests/book/samples").join(file)
}

fn fails(file: &str, line: usize, reason: &str) -> Result<(), Failed> {
    let page = sample(file);
    let found = match page::check(&page) {
        Ok(()) => return Err(format!("{file} passes").into()),
        Err(found) => found,
    };
    let place = format!("{}:{line}: ", page.display());
    if found.starts_with(&place) && found.contains(reason) {
        Ok(())
    } else {
        Err(format!("expected {place}… {reason} …, got {found}").into())
    }
}
