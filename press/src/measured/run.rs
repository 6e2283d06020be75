//! The line on a run: what it ran on, what disturbed it, and where its record, its rows and its
//! programs are.

use super::record::{Record, Row};
use super::side::Column;
use super::{BOOK, CODE, Measured, escaped};

/// The crates behind a peer.
const CRATES: [(&str, &[&str]); 3] = [
    ("tokio", &["tokio"]),
    ("async-executor", &["async-executor", "async-io"]),
    ("local-pool", &["futures", "futures-timer"]),
];

impl Measured {
    /// The whole line the first time that a page shows this record, then what leads to it.
    pub(super) fn run(
        &self,
        record: &Record,
        rows: &[&Row],
        columns: &[Column],
        first: bool,
        to_root: &str,
    ) -> String {
        let chapter = escaped(&record.chapter);
        let record_link = format!("<a href=\"{to_root}{BOOK}/{chapter}.json\">the record</a>");
        let mut links = vec![record_link];
        if let Some(folder) = self
            .folders
            .get(&record.chapter)
            .map(|name| format!("{CODE}/{name}"))
        {
            links.push(self.link(&format!("{folder}/rows.toml"), "blob", "its rows"));
            links.push(self.link(&format!("{folder}/benches"), "tree", "the programs"));
            if self.root.join(&folder).join("cpython").is_dir() {
                links.push(self.link(&format!("{folder}/cpython"), "tree", "CPython’s"));
            }
        }
        let links = links.join(", ");
        if !first {
            return format!("<p class=\"run\">Of the same run: {links}.</p>\n");
        }
        format!(
            "<p class=\"run\">{}{} {} Open {links}. Run it again: <code>cargo course measure {chapter}</code>; \
             with <code>--save</code>, the book that <code>cargo book</code> serves has a column for your machine.\
             </p>\n",
            where_and_when(record),
            versions(record, columns),
            samples(rows, columns) + &noise(record),
        )
    }

    fn link(&self, path: &str, kind: &str, text: &str) -> String {
        match &self.repository {
            Some(url) => format!("<a href=\"{}/{kind}/main/{path}\">{text}</a>", escaped(url)),
            None => format!("{text} in <code>{path}</code>"),
        }
    }
}

fn where_and_when(record: &Record) -> String {
    let machine = &record.machine;
    let cpu = machine.cpu.replace("(R)", "").replace("(TM)", "");
    let day = record.when.split('T').next().unwrap_or_default();
    let virtual_ = match machine.virtual_.as_deref() {
        Some("of unknown make") => "a virtual machine with ".to_owned(),
        Some(make) => format!("a virtual machine ({}) with ", escaped(make)),
        None => String::new(),
    };
    let cores = if machine.cores == 1 { "core" } else { "cores" };
    let commit = match &record.commit {
        Some(commit) => {
            let dirty = if record.dirty {
                " and changes to it"
            } else {
                ""
            };
            format!(", commit <code>{}</code>{dirty}", escaped(commit))
        }
        None => String::new(),
    };
    format!(
        "Measured on {}{commit}: {virtual_}{} {cores} ({}), {}",
        escaped(day),
        machine.cores,
        escaped(cpu.trim()),
        escaped(&machine.kernel)
    )
}

fn versions(record: &Record, columns: &[Column]) -> String {
    let versions = &record.versions;
    let shows = |side: &str| columns.iter().any(|column| column.side() == side);
    let rustc = versions.rustc.split(" (").next().unwrap_or_default();
    let mut said = vec![rustc.replace("rustc", "Rust")];
    if let Some(python) = versions.python.as_ref().filter(|_| shows("cpython")) {
        said.push(format!("CPython {} ({})", python.version, python.build));
    }
    if let Some(uvloop) = versions.uvloop.as_ref().filter(|_| shows("uvloop")) {
        said.push(format!("uvloop {uvloop}"));
    }
    for (_, names) in CRATES.iter().filter(|(side, _)| shows(side)) {
        let known = names
            .iter()
            .filter_map(|name| Some((name, versions.crates.get(*name)?)));
        said.extend(known.map(|(name, version)| format!("{name} {version}")));
    }
    format!("; {}.", escaped(&said.join(", ")))
}

fn samples(rows: &[&Row], columns: &[Column]) -> String {
    let sides = rows.iter().flat_map(|row| &row.sides);
    let shown = sides.filter(|side| columns.iter().any(|column| column.id == side.name()));
    let counts: Vec<usize> = shown.map(|side| side.n).filter(|n| *n > 0).collect();
    let (least, most) = (counts.iter().min(), counts.iter().max());
    let count = match (least, most) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most} samples"),
        (Some(1), _) => "One sample".to_owned(),
        (Some(n), _) => format!("{n} samples"),
        _ => return String::new(),
    };
    format!("{count} a side, each a process of its own, the sides in turn.")
}

fn noise(record: &Record) -> String {
    let mut said = if record.noise.is_empty() {
        " The machine was quiet.".to_owned()
    } else {
        format!(
            " The machine was not quiet ({}): <strong>read the ratios before the figures.</strong>",
            escaped(&record.noise.join("; "))
        )
    };
    if record.quick {
        said.push_str(" This was a quick look.");
    }
    said
}

/// What the column of the reader's machine comes from.
pub(super) fn own(own: &Result<Record, String>) -> String {
    match own {
        Ok(record) => format!(
            "<p class=\"run\"><b>Your machine.</b> {}{}{}</p>\n",
            where_and_when(record),
            versions(record, &[]),
            noise(record)
        ),
        Err(why) => format!(
            "<p class=\"run\"><b>Your machine</b> has no column: its record in <code>target/measured</code> \
             cannot be read; {}. Measure it again with <code>cargo course measure --save</code>.</p>\n",
            escaped(why)
        ),
    }
}
