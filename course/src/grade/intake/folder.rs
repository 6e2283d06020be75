//! A submission that is a folder: walked without following a link.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use walkdir::WalkDir;

use super::{LARGEST_FILE, Shelf, inside};

/// Folders that hold what tools made, and nothing of the learner's.
const NOT_ENTERED: [&str; 3] = ["target", ".git", "node_modules"];

pub(super) fn take(submission: &Path, shelf: &mut Shelf<'_>) -> Result<()> {
    // Its name may be a link: whoever grades gave that name. Nothing below it may.
    let root = fs::canonicalize(submission).context("cannot be read")?;
    let mut entries = WalkDir::new(&root).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(&root);
                let path = path
                    .strip_prefix(&root)
                    .unwrap_or(path)
                    .display()
                    .to_string();
                shelf.ignore(&path, "it cannot be read");
                continue;
            }
        };
        if entry.depth() == 0 {
            continue;
        }
        shelf.entry()?;
        let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        let Some(path) = inside(below) else {
            shelf.ignore(&below.to_string_lossy(), "its name is not text");
            continue;
        };
        let kind = entry.file_type();
        if kind.is_dir() {
            if NOT_ENTERED.iter().any(|name| entry.file_name() == *name) {
                shelf.ignore(&format!("{path}/"), "made by a tool");
                entries.skip_current_dir();
            }
            continue;
        }
        let wanted = shelf.is_wanted(&path);
        match (kind.is_file(), wanted) {
            (true, true) => take_file(entry.path(), &path, shelf),
            (false, true) => shelf.refuse(&path, "it is a link or a device, not a file"),
            (true, false) => shelf.ignore(&path, "no exercise asks for it"),
            (false, false) => shelf.ignore(&path, "a link or a device"),
        }
    }
    Ok(())
}

fn take_file(file: &Path, path: &str, shelf: &mut Shelf<'_>) {
    let mut bytes = Vec::new();
    let read =
        File::open(file).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LARGEST_FILE => shelf.refuse(path, &too_large()),
        Ok(_) => shelf.put(path, bytes),
        Err(error) => shelf.refuse(path, &format!("the file cannot be read ({})", error.kind())),
    }
}

/// Why a file of more than [`LARGEST_FILE`] bytes is not taken.
pub(super) fn too_large() -> String {
    format!("the file is larger than {} KB", LARGEST_FILE / 1024)
}
