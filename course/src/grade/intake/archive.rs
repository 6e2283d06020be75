//! A submission that is an archive: read in memory, under limits, never unpacked to the disk.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use flate2::read::GzDecoder;

use super::folder::too_large;
use super::{LARGEST_FILE, Shelf, inside};

/// How much of a `.tar.gz` is unpacked at most; a course with its target folder is larger, and says so.
const LARGEST_TAR: u64 = 256 * 1024 * 1024;

/// What is most likely wrong with an archive that cannot be read, and what mends it.
const DAMAGED: &str = "the archive is damaged, or was sent in part";
const AGAIN: &str = "pack it and hand it in again";

pub(super) fn take_zip(submission: &Path, shelf: &mut Shelf<'_>) -> Result<()> {
    let file = File::open(submission).context("cannot be read")?;
    let mut zip = zip::ZipArchive::new(BufReader::new(file))
        .map_err(|error| anyhow!("cannot be opened ({error}): {DAMAGED}; {AGAIN}"))?;
    for index in 0..zip.len() {
        shelf.entry()?;
        let mut entry = match zip.by_index(index) {
            Ok(entry) => entry,
            Err(error) => {
                shelf.ignore(
                    &format!("entry {index}"),
                    &format!("it cannot be read: {error}"),
                );
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        // `enclosed_name` repairs some paths that lead out; here none is repaired.
        let Ok(name) = entry.name().map(std::borrow::Cow::into_owned) else {
            shelf.ignore(&format!("entry {index}"), "its name is not text");
            continue;
        };
        let path = entry.enclosed_name().and_then(|_| inside(Path::new(&name)));
        let Some(path) = path else {
            shelf.ignore(&name, "its path leads out of the submission");
            continue;
        };
        let regular = entry.is_file() && !entry.is_symlink();
        take_entry(&mut entry, &path, regular, shelf);
    }
    Ok(())
}

pub(super) fn take_tar_gz(submission: &Path, shelf: &mut Shelf<'_>) -> Result<()> {
    let file = File::open(submission).context("cannot be read")?;
    let unpacked = GzDecoder::new(BufReader::new(file)).take(LARGEST_TAR);
    let mut tar = tar::Archive::new(unpacked);
    let entries = tar
        .entries()
        .map_err(|error| anyhow!("cannot be opened ({error}): {DAMAGED}; {AGAIN}"))?;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                bail!(
                    "cannot be read to its end ({error}): {DAMAGED}, or holds more than {} MB; \
                     {AGAIN}",
                    LARGEST_TAR / 1024 / 1024
                );
            }
        };
        shelf.entry()?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let name = entry
            .path()
            .map(std::borrow::Cow::into_owned)
            .unwrap_or_default();
        let Some(path) = inside(&name) else {
            shelf.ignore(
                &name.to_string_lossy(),
                "its path leads out of the submission",
            );
            continue;
        };
        take_entry(&mut entry, &path, kind.is_file(), shelf);
    }
    Ok(())
}

fn take_entry(entry: &mut impl Read, path: &str, regular: bool, shelf: &mut Shelf<'_>) {
    match (regular, shelf.is_wanted(path)) {
        (false, true) => return shelf.refuse(path, "it is a link or a device, not a file"),
        (false, false) => return shelf.ignore(path, "a link or a device"),
        (true, false) => return shelf.ignore(path, "no exercise asks for it"),
        (true, true) => {}
    }
    let mut bytes = Vec::new();
    match entry.take(LARGEST_FILE + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > LARGEST_FILE => shelf.refuse(path, &too_large()),
        Ok(_) => shelf.put(path, bytes),
        Err(error) => shelf.refuse(path, &format!("it cannot be unpacked ({})", error.kind())),
    }
}
