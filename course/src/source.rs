//! Where programs come from: files and standard input, the open corpus, the workspace around you.

use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// The open corpus, seen from the workspace's root.
const CORPUS: &str = "chapters-code/scenario/corpus/open";

/// A file's text, or standard input's for `-`.
pub(crate) fn read(file: &Path) -> Result<String> {
    if file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin()
            .read_to_string(&mut text)
            .context("cannot read standard input")?;
        return Ok(text);
    }
    if file.is_dir() {
        bail!(
            "{} is a folder; name a file of programs in it",
            file.display()
        );
    }
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// What a file is called in messages.
pub(crate) fn shown(file: &Path) -> String {
    if file.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// The root of the workspace around the current folder.
pub(crate) fn workspace() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let root = here.ancestors().find(|folder| folder.join(CORPUS).is_dir());
    root.map(Path::to_owned)
}

/// The open corpus of a level: where it is, and what it is called in messages.
pub(crate) fn open_corpus(root: &Path, level: u8) -> (PathBuf, String) {
    let name = format!("{CORPUS}/level{level}.jsonl");
    (root.join(&name), name)
}
