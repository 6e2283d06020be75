//! Runs the console blocks of the book's pages: what a page shows is what its commands print.
//!
//! trycmd runs them, and trycmd passes over what it does not understand. So the pages are scanned
//! independently (`book/scan.rs`), each command that runs is counted by a `cargo` that stands
//! before the real one (`book/counted.rs`), and a page passes only if both agree.
//! What cargo itself says above a test run comes and goes; a page elides it with a line `...`.
//! `TRYCMD=overwrite cargo test -p course --test book` rewrites the pages, and fails, so that
//! nobody takes the rewriting for a pass.

#[path = "book/counted.rs"]
mod counted;
#[path = "book/page.rs"]
mod page;
#[path = "book/prebuilt.rs"]
mod prebuilt;
#[path = "book/samples.rs"]
mod samples;
#[path = "book/scan.rs"]
mod scan;

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    if let Some(code) = counted::run_if_asked() {
        return code;
    }
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Commands on pages name paths from the workspace's root.
    env::set_current_dir(&root).expect("the workspace's root can be entered");

    let examples = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    if !arguments.list {
        prebuilt::build(examples.path());
    }
    page::run_examples_of(examples.path());

    let pages = pages(Path::new("book"));
    assert!(!pages.is_empty(), "book/ has no page");
    let page = |page: PathBuf| {
        let name = page.display().to_string();
        Trial::test(name, move || page::check(&page).map_err(Failed::from))
    };
    let mut trials: Vec<Trial> = pages.into_iter().map(page).collect();
    trials.extend(samples::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Every page below a folder, in order of path.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else if path.extension() == Some(OsStr::new("md")) {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}
