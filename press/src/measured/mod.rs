//! What was measured: a line `{{#measured CHAPTER}}` becomes plots and tables of the chapter's record,
//! `{{#figure …}}` and `{{#ratio …}}` become numbers in a sentence, so that no page holds a figure that
//! a run did not write. Records are `measured/*.json` among the pages; `cargo course measure` makes them.

mod directive;
mod figures;
mod inline;
mod notes;
mod plot;
mod record;
mod run;
mod side;
mod table;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fault::Fault;
use crate::fences::line_at;
use crate::output::extension;
use directive::{Directive, Wrong};
use record::{Record, Row};
use side::Column;

/// Where the records of the book lie, among the pages.
const BOOK: &str = "measured";
/// Where a reader's own records lie, from the root.
pub(crate) const OWN: &str = "target/measured";
/// Where the chapters' code lies, from the root.
const CODE: &str = "chapters-code";

/// The records, and what a table of them links to.
#[derive(Default)]
pub(crate) struct Measured {
    /// By chapter.
    records: BTreeMap<String, Record>,
    /// The reader's own, or why one of them cannot be read; empty where the book is published.
    own: BTreeMap<String, Result<Record, String>>,
    /// The folder of each chapter's code, by the chapter's name in its `rows.toml`.
    folders: BTreeMap<String, String>,
    repository: Option<String>,
    root: PathBuf,
}

impl Measured {
    /// Reads the records; those of the reader's own machine only for a book that is served to them.
    pub(crate) fn read(
        root: &Path,
        source: &Path,
        repository: Option<&str>,
        own: bool,
    ) -> Result<Self, Vec<Fault>> {
        let folder = source.join(BOOK);
        let mut records = BTreeMap::new();
        let mut faults = Vec::new();
        for (chapter, text) in texts(&root.join(&folder)) {
            match Record::parse(&chapter, &text) {
                Ok(record) => {
                    records.insert(chapter, record);
                }
                Err(wrong) => {
                    let file = folder.join(format!("{chapter}.json")).display().to_string();
                    let (line, what) = (wrong.line, wrong.what);
                    let remedy = again(&chapter, &folder);
                    faults.push(Fault::new(&file.replace('\\', "/"), line, what, remedy));
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut measured = Self {
            records,
            folders: folders(root),
            repository: repository.map(|url| url.trim_end_matches('/').to_owned()),
            root: root.to_owned(),
            ..Self::default()
        };
        if own {
            let texts = texts(&root.join(OWN)).into_iter();
            measured.own = texts
                .map(|(chapter, text)| {
                    let read = Record::parse(&chapter, &text).map_err(|wrong| wrong.what);
                    (chapter, read)
                })
                .collect();
        }
        Ok(measured)
    }

    /// What is wrong with the directives of a page, called `name`, and with tables typed by hand.
    pub(crate) fn faults(&self, name: &str, text: &str) -> Vec<Fault> {
        let mut faults = typed::faults(&self.root, name, text);
        for found in directive::all(text) {
            let wrong = found.what.and_then(|directive| self.judge(&directive));
            if let Err(Wrong { what, remedy }) = wrong {
                faults.push(Fault::new(
                    name,
                    line_at(text, found.range.start),
                    what,
                    remedy,
                ));
            }
        }
        faults
    }

    fn judge(&self, directive: &Directive) -> Result<(), Wrong> {
        match directive {
            Directive::Measured {
                chapter,
                rows,
                sides,
            } => {
                let record = self.record(chapter)?;
                let rows = chosen(record, rows)?;
                side::columns(&rows, sides).map(drop)
            }
            Directive::Figure(place) => inline::figure(self, place).map(drop),
            Directive::Ratio { of, to } => inline::ratio(self, of, to).map(drop),
        }
    }

    fn record(&self, chapter: &str) -> Result<&Record, Wrong> {
        self.records.get(chapter).ok_or_else(|| {
            let known: Vec<&str> = self.records.keys().map(String::as_str).collect();
            Wrong::new(
                format!("there is no record of a chapter `{chapter}`"),
                format!("write one of {}, or measure it", known.join(", ")),
            )
        })
    }

    /// The page with what was measured in place of its directives.
    pub(crate) fn expand(&self, page: &Path, text: &str) -> String {
        let to_root = "../".repeat(page.components().count().saturating_sub(1));
        let mut expanded = String::with_capacity(text.len());
        let mut done = 0;
        let mut told = BTreeSet::new();
        for found in directive::all(text) {
            let said = found.what.and_then(|directive| match directive {
                Directive::Measured {
                    chapter,
                    rows,
                    sides,
                } => {
                    let first = told.insert(chapter.clone());
                    self.block(&chapter, &rows, &sides, first, &to_root)
                }
                Directive::Figure(place) => inline::figure(self, &place),
                Directive::Ratio { of, to } => inline::ratio(self, &of, &to),
            });
            // Whatever is wrong has been told as a fault, and no book is built of it.
            if let Ok(said) = said {
                expanded.push_str(&text[done..found.range.start]);
                expanded.push_str(&said);
                done = found.range.end;
            }
        }
        expanded.push_str(&text[done..]);
        expanded
    }

    /// Plots and tables, a pair for each unit, and the line on the run. It has no empty line, at
    /// which markdown would begin again.
    fn block(
        &self,
        chapter: &str,
        rows: &[String],
        sides: &[String],
        first: bool,
        to_root: &str,
    ) -> Result<String, Wrong> {
        let record = self.record(chapter)?;
        let rows = chosen(record, rows)?;
        let own = self.own.get(chapter);
        let mut html = String::from("<div class=\"measured\">\n");
        for rows in groups(&rows) {
            let columns = side::columns(&rows, sides)?;
            if !rows[0].counted {
                html.push_str(&plot::html(&rows, &columns));
            }
            html.push_str(&table::html(
                &rows,
                &columns,
                own.and_then(|own| own.as_ref().ok()),
            ));
        }
        let columns = side::columns(&rows, sides)?;
        html.push_str(&notes::html(&rows, &columns, record));
        html.push_str(&self.run(record, &rows, &columns, first, to_root));
        if let Some(own) = own.filter(|_| first) {
            html.push_str(&run::own(own));
        }
        html.push_str("</div>");
        Ok(html)
    }
}

/// How a record is made again.
fn again(chapter: &str, folder: &Path) -> String {
    let folder = folder.display();
    format!("measure it again: `cargo course measure {chapter} --save --to {folder}`")
}

/// The rows that a directive names, in its order; a name may end in `*`; none named is all.
fn chosen<'a>(record: &'a Record, names: &[String]) -> Result<Vec<&'a Row>, Wrong> {
    if names.is_empty() {
        return Ok(record.rows.iter().collect());
    }
    let mut rows: Vec<&Row> = Vec::new();
    for name in names {
        let fits = |row: &&Row| match name.strip_suffix('*') {
            Some(start) => row.id.starts_with(start),
            None => row.id == *name,
        };
        let found: Vec<&Row> = record.rows.iter().filter(fits).collect();
        if found.is_empty() {
            return Err(no_row(record, name));
        }
        rows.extend(found);
    }
    Ok(rows)
}

fn no_row(record: &Record, name: &str) -> Wrong {
    let known: Vec<&str> = record.rows.iter().map(|row| row.id.as_str()).collect();
    Wrong::new(
        format!("the record of {} has no row `{name}`", record.chapter),
        format!("write one of {}", known.join(", ")),
    )
}

/// Rows of one unit stand in one table, and what is counted by itself.
fn groups<'a>(rows: &[&'a Row]) -> Vec<Vec<&'a Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let fits =
            |group: &&mut Vec<&Row>| group[0].unit == row.unit && group[0].counted == row.counted;
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// The files `*.json` of a folder, by their name without its end.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut texts: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.to_owned();
            (extension(&name) == "json").then_some(())?;
            Some((
                name.strip_suffix(".json")?.to_owned(),
                fs::read_to_string(&path).ok()?,
            ))
        })
        .collect();
    texts.sort();
    texts
}

/// The folders that have a `rows.toml`, by the chapter that it names.
fn folders(root: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir(root.join(CODE)) else {
        return BTreeMap::new();
    };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let text = fs::read_to_string(path.join("rows.toml")).ok()?;
            let table: toml::Table = text.parse().ok()?;
            let chapter = table.get("chapter")?.as_str()?.to_owned();
            Some((chapter, path.file_name()?.to_str()?.to_owned()))
        })
        .collect()
}

/// Text for HTML; what stands between backticks becomes code.
fn marked(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| match at % 2 {
            1 => format!("<code>{}</code>", escaped(part)),
            _ => escaped(part),
        })
        .collect()
}

/// Text for HTML, as one piece.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The name of a column, for HTML.
fn heading(column: &Column) -> String {
    escaped(&column.name())
}

#[cfg(test)]
mod tests;
