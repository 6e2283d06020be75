//! What a chapter measures: `rows.toml`, read and checked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

/// Where the chapters' code lies, from the root of the course.
const CHAPTERS: &str = "chapters-code";
/// The sides that there can be, before their variant.
const SIDES: [&str; 7] = [
    "ours",
    "by-hand",
    "cpython",
    "uvloop",
    "tokio",
    "async-executor",
    "local-pool",
];

/// A chapter with its rows.
#[derive(Debug)]
pub(crate) struct Chapter {
    /// Its folder's name, such as `04-suspension`.
    pub(crate) folder: String,
    /// What it is called, which is also its package's name.
    pub(crate) name: String,
    /// The bench that takes its samples, where that is not `samples`.
    pub(crate) bench: Option<String>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    chapter: String,
    bench: Option<String>,
    row: Vec<Row>,
}

/// One thing that is measured.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What it does, and what it reproduces.
    pub(crate) what: String,
    pub(crate) unit: String,
    pub(crate) per: String,
    /// The figure that the article gives.
    pub(crate) article: Option<f64>,
    /// `ours`, `cpython`, ..., with a variant behind a slash where there are several.
    pub(crate) sides: Vec<String>,
    /// The row whose run gives this figure too.
    sample: Option<String>,
    /// The same in every run: turns, not times.
    #[serde(default)]
    pub(crate) counted: bool,
    /// How many seconds a sample takes, where that is long.
    pub(crate) slow: Option<f64>,
    /// The row of the peers' bench that does the same work.
    peers: Option<String>,
    pub(crate) claim: Option<Claim>,
}

/// What the book says of a row, in a way that a run can answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub(crate) text: String,
    /// This row to that row, both on one side.
    ratio: Option<[String; 2]>,
    side: Option<String>,
    /// This side to that side, on the claim's row.
    sides: Option<[String; 2]>,
    /// The value of a side.
    value: Option<String>,
    /// Both are the same in every round.
    #[serde(default)]
    pub(crate) equal: bool,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// A row and a side of it.
pub(crate) type Place<'a> = (&'a str, &'a str);

impl Claim {
    /// What the claim is about: a value, or one divided by another.
    pub(crate) fn about<'a>(&'a self, row: &'a str) -> Option<(Place<'a>, Option<Place<'a>>)> {
        match (&self.ratio, &self.side, &self.sides, &self.value) {
            (Some([of, to]), Some(side), None, None) => Some(((of, side), Some((to, side)))),
            (None, None, Some([of, to]), None) => Some(((row, of), Some((row, to)))),
            (None, None, None, Some(side)) => Some(((row, side), None)),
            _ => None,
        }
    }
}

/// Which program takes a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Program {
    /// `samples`, or the chapter's own bench.
    Bench,
    /// The bench of the peers.
    Peers,
    /// `cpython/measure.py`, and whether on uvloop.
    Python { uvloop: bool },
}

impl Row {
    /// The row whose run gives this figure.
    pub(crate) fn run(&self) -> &str {
        self.sample.as_deref().unwrap_or(&self.id)
    }

    /// Which program takes a sample of this side, and what the sample is called there.
    pub(crate) fn sample(&self, side: &str) -> (Program, String) {
        let run = self.run();
        match side.split('/').next().unwrap_or(side) {
            "cpython" => (Program::Python { uvloop: false }, run.to_owned()),
            "uvloop" => (Program::Python { uvloop: true }, run.to_owned()),
            "ours" => (
                Program::Bench,
                format!("{run}{}", side.trim_start_matches("ours")),
            ),
            "by-hand" => (Program::Bench, format!("{run}/{}", side.replace('/', "-"))),
            _ => {
                let (program, row) = match &self.peers {
                    Some(peers) => (Program::Peers, peers.as_str()),
                    None => (Program::Bench, run),
                };
                (program, format!("{row}/{}", side.replace('/', "-")))
            }
        }
    }

    pub(crate) fn has_peers(&self) -> bool {
        self.peers.is_some()
    }
}

/// The root of the course around the current folder.
///
/// # Errors
/// There is none.
pub(crate) fn root() -> Result<PathBuf> {
    let here = std::env::current_dir()?;
    let root = here
        .ancestors()
        .find(|folder| folder.join(CHAPTERS).is_dir());
    root.map(Path::to_owned)
        .with_context(|| format!("no {CHAPTERS}/ here: go to the course's folder"))
}

impl Chapter {
    /// All chapters that measure something, in the order of the book.
    ///
    /// # Errors
    /// A `rows.toml` is broken.
    pub(crate) fn all(root: &Path) -> Result<Vec<Self>> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(root.join(CHAPTERS))? {
            let entry = entry?;
            if entry.path().join("rows.toml").is_file() {
                folders.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        folders.sort();
        folders
            .iter()
            .map(|folder| Self::read(root, folder))
            .collect()
    }

    fn read(root: &Path, folder: &str) -> Result<Self> {
        let path = root.join(CHAPTERS).join(folder).join("rows.toml");
        let text = fs::read_to_string(&path)?;
        Self::parse(folder, &text).with_context(|| format!("{}", path.display()))
    }

    pub(crate) fn parse(folder: &str, text: &str) -> Result<Self> {
        let listed: Listed = toml::from_str(text)?;
        let chapter = Self {
            folder: folder.to_owned(),
            bench: listed.bench,
            name: listed.chapter,
            rows: listed.row,
        };
        chapter.check()?;
        Ok(chapter)
    }

    fn check(&self) -> Result<()> {
        let mut ids = BTreeSet::new();
        for row in &self.rows {
            ensure!(
                ids.insert(row.id.as_str()),
                "two rows are called {}",
                row.id
            );
            for side in &row.sides {
                let known = SIDES.contains(&side.split('/').next().unwrap_or_default());
                ensure!(known, "{}: no side is called {side:?}", row.id);
            }
        }
        for row in &self.rows {
            let Some(claim) = &row.claim else { continue };
            let (of, to) = claim.about(&row.id).with_context(|| {
                format!("{}: a claim has ratio and side, or sides, or value", row.id)
            })?;
            let bound = claim.equal || claim.at_least.is_some() || claim.at_most.is_some();
            ensure!(bound, "{}: a claim has at_least, at_most or equal", row.id);
            for (id, side) in [Some(of), to].into_iter().flatten() {
                let there = self.rows.iter().find(|row| row.id == id);
                if !there.is_some_and(|row| row.sides.iter().any(|it| it == side)) {
                    bail!(
                        "{}: the claim is about {id}, {side}, which is not measured",
                        row.id
                    );
                }
            }
        }
        Ok(())
    }

    /// The chapter's `cpython/measure.py`.
    pub(crate) fn python(&self, root: &Path) -> PathBuf {
        root.join(CHAPTERS)
            .join(&self.folder)
            .join("cpython/measure.py")
    }
}

/// The chapters of these names, in the order of the book; all, if none is named.
///
/// # Errors
/// There is no such chapter.
pub(crate) fn chosen(all: Vec<Chapter>, names: &[String]) -> Result<Vec<Chapter>> {
    let called = |chapter: &Chapter, name: &str| {
        let name = name.trim_end_matches('/');
        chapter.name == name || chapter.folder == name
    };
    for name in names {
        if all.iter().any(|chapter| called(chapter, name)) {
            continue;
        }
        let near = all
            .iter()
            .map(|chapter| (strsim::jaro_winkler(&chapter.name, name), &chapter.name))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let known: Vec<&str> = all.iter().map(|chapter| &*chapter.name).collect();
        match near {
            Some((likeness, near)) if likeness > 0.8 => {
                bail!("nothing is measured in {name:?}; did you mean {near}?")
            }
            _ => bail!(
                "nothing is measured in {name:?}; there are {}",
                known.join(", ")
            ),
        }
    }
    let wanted =
        |chapter: &Chapter| names.is_empty() || names.iter().any(|name| called(chapter, name));
    Ok(all.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(more: &str) -> Result<Chapter> {
        let row = "chapter = 'a-b'\n[[row]]\nid = 'x'\ntitle = 'X'\nwhat = 'W'\nunit = 'ns'\nper = 'op'\n";
        Chapter::parse("01-a-b", &format!("{row}{more}"))
    }

    #[test]
    fn a_side_says_which_program_takes_its_samples() {
        let sides = "sides = ['ours', 'ours/boxed', 'by-hand/boxed', 'cpython', 'tokio']\n";
        let chapter = rows(&format!("{sides}peers = 'y'")).unwrap();
        assert_eq!((&*chapter.name, &chapter.bench), ("a-b", &None));
        let row = &chapter.rows[0];
        let sample = |side: &str| row.sample(side);
        assert_eq!(sample("ours"), (Program::Bench, "x".to_owned()));
        assert_eq!(sample("ours/boxed"), (Program::Bench, "x/boxed".to_owned()));
        assert_eq!(
            sample("by-hand/boxed"),
            (Program::Bench, "x/by-hand-boxed".to_owned())
        );
        assert_eq!(
            sample("cpython"),
            (Program::Python { uvloop: false }, "x".to_owned())
        );
        assert_eq!(sample("tokio"), (Program::Peers, "y/tokio".to_owned()));
        let without = rows("sides = ['async-executor/static']").unwrap();
        let sample = without.rows[0].sample("async-executor/static");
        assert_eq!(
            sample,
            (Program::Bench, "x/async-executor-static".to_owned())
        );
    }

    #[test]
    fn a_claim_is_about_what_is_measured() {
        let why = |more: &str| format!("{:#}", rows(more).unwrap_err());
        let claim = |claim: &str| format!("sides = ['ours']\nclaim = {{ text = 'T', {claim} }}");
        assert!(rows(&claim("value = 'ours', at_least = 1")).is_ok());
        assert!(why(&claim("value = 'cpython', at_least = 1")).contains("about x, cpython"));
        assert!(why(&claim("value = 'ours'")).contains("at_least, at_most or equal"));
        assert!(why(&claim("at_least = 1")).contains("ratio and side, or sides, or value"));
        assert!(why("sides = ['theirs']").contains("no side is called \"theirs\""));
    }

    #[test]
    fn a_chapter_is_chosen_by_its_name_or_its_folder() {
        let all = || vec![rows("sides = []").unwrap()];
        assert_eq!(chosen(all(), &["01-a-b/".to_owned()]).unwrap().len(), 1);
        assert_eq!(chosen(all(), &[]).unwrap().len(), 1);
        let why = chosen(all(), &["a-bb".to_owned()]).unwrap_err().to_string();
        assert_eq!(why, "nothing is measured in \"a-bb\"; did you mean a-b?");
    }
}
