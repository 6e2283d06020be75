//! Records on disk: the book's in `book/measured/`, the reader's own in `target/measured/`.

use std::cell::Cell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::record::Record;
use super::rows::Chapter;
use super::table;
use crate::{WRONG, files};

/// Where a reader's own records lie, from the root of the course.
const OWN: &str = "target/measured";
/// Where the book's lie.
const BOOK: &str = "book/measured";

/// A folder that takes records, as far as it can be written to.
pub(crate) struct Saving {
    folder: PathBuf,
    kept: Cell<usize>,
    failed: Cell<bool>,
}

impl Saving {
    /// Says early that a folder cannot be written to; the figures are shown all the same.
    pub(crate) fn into(root: &Path, named: Option<&Path>) -> Self {
        let folder = named.map_or_else(|| root.join(OWN), Path::to_owned);
        let saving = Self {
            folder,
            kept: Cell::new(0),
            failed: Cell::new(false),
        };
        let tried = std::fs::create_dir_all(&saving.folder)
            .and_then(|()| tempfile::tempfile_in(&saving.folder).map(drop));
        if let Err(error) = tried {
            let why = error.to_string();
            let why = why.split(" at path").next().unwrap_or_default().to_owned();
            let folder = saving.folder.display();
            saving.fault(&format!(
                "{folder} cannot be written to ({why}): figures are shown, and not kept"
            ));
        }
        saving
    }

    fn fault(&self, why: &str) {
        self.failed.set(true);
        anstream::eprintln!("{WRONG}error{WRONG:#}: {why}");
    }

    /// Keeps a record under its chapter's name.
    pub(crate) fn keep(&self, record: &Record) {
        if self.failed.get() {
            return;
        }
        let path = self.folder.join(format!("{}.json", record.chapter));
        match record.text().and_then(|text| files::write(&path, &text)) {
            Ok(()) => self.kept.set(self.kept.get() + 1),
            Err(error) => self.fault(&format!("{error:#}")),
        }
    }

    /// Says what was kept; whether all was.
    pub(crate) fn conclude(&self) -> bool {
        let folder = self.folder.display();
        match self.kept.get() {
            0 => {}
            1 => anstream::eprintln!("kept 1 record in {folder}"),
            kept => anstream::eprintln!("kept {kept} records in {folder}"),
        }
        !self.failed.get()
    }
}

/// Prints the records that were kept: a reader's own, else the book's. One that cannot be read does
/// not keep the others from being shown.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn show(root: &Path, chapters: &[Chapter], json: bool) -> Result<ExitCode> {
    let mut records = Vec::new();
    let mut failed = false;
    for chapter in chapters {
        let name = format!("{}.json", chapter.name);
        let places = [OWN, BOOK].map(|folder| root.join(folder).join(&name));
        let Some(path) = places.iter().find(|path| path.is_file()) else {
            anstream::eprintln!(
                "no record of {0}: make one with `cargo course measure {0} --save`",
                chapter.name
            );
            continue;
        };
        match Record::read(path) {
            Ok(record) => records.push(record),
            Err(error) => {
                failed = true;
                anstream::eprintln!("{WRONG}error{WRONG:#}: {error:#}");
            }
        }
    }
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&records)?)?;
    } else {
        for record in &records {
            write!(out, "{}", table::text(record))?;
        }
    }
    Ok(ExitCode::from(u8::from(failed || records.is_empty())))
}
