//! A record as `cargo course measure` writes it, as far as the book shows it.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The format that this press reads.
const FORMAT: &str = "six-steps record 1";

#[derive(Debug, Deserialize)]
pub(super) struct Record {
    pub(super) chapter: String,
    /// When it began, as UTC.
    pub(super) when: String,
    pub(super) quick: bool,
    pub(super) commit: Option<String>,
    /// Whether files differed from that commit.
    pub(super) dirty: bool,
    pub(super) machine: Machine,
    pub(super) versions: Versions,
    /// What may have disturbed the run.
    pub(super) noise: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// What could not be measured, and why.
    pub(super) missing: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) kernel: String,
    #[serde(rename = "virtual")]
    pub(super) virtual_: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Versions {
    pub(super) rustc: String,
    pub(super) crates: BTreeMap<String, String>,
    pub(super) python: Option<Python>,
    pub(super) uvloop: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Python {
    pub(super) version: String,
    /// How it was built.
    pub(super) build: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) title: String,
    /// What it does, and what it reproduces.
    pub(super) what: String,
    pub(super) unit: String,
    pub(super) article: Option<f64>,
    pub(super) per: String,
    /// The same in every run: turns, not times.
    pub(super) counted: bool,
    pub(super) sides: Vec<Side>,
    pub(super) ratios: Vec<Ratio>,
    pub(super) claim: Option<Claim>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Side {
    #[serde(rename = "side")]
    of: String,
    variant: Option<String>,
    pub(super) n: usize,
    pub(super) median: Option<f64>,
    pub(super) min: Option<f64>,
    pub(super) p90: Option<f64>,
    /// In the order of the rounds.
    pub(super) samples: Vec<f64>,
    /// Why there is none, or not a sample a round.
    pub(super) missing: Option<String>,
}

/// One side to another, taken round by round.
#[derive(Debug, Deserialize)]
pub(super) struct Ratio {
    pub(super) of: String,
    pub(super) to: String,
    pub(super) median: f64,
    /// The lower quartile of the rounds.
    pub(super) low: f64,
    /// The upper one.
    pub(super) high: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) holds: Holds,
    /// What was found.
    pub(super) found: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Holds {
    Yes,
    No,
    Undecided,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Side {
    /// `ours/static`.
    pub(super) fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}/{variant}", self.of),
            None => self.of.clone(),
        }
    }
}

impl Row {
    pub(super) fn side(&self, name: &str) -> Option<&Side> {
        self.sides.iter().find(|side| side.name() == name)
    }

    pub(super) fn ratio(&self, of: &str, to: &str) -> Option<&Ratio> {
        let mut ratios = self.ratios.iter();
        ratios.find(|ratio| ratio.of == of && ratio.to == to)
    }
}

/// Why a record cannot be read, and its line.
#[derive(Debug)]
pub(super) struct Unread {
    pub(super) line: Option<usize>,
    pub(super) what: String,
}

impl Record {
    /// Reads the record of a chapter.
    pub(super) fn parse(chapter: &str, text: &str) -> Result<Self, Unread> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
        }
        let broken = |error: serde_json::Error| Unread {
            line: Some(error.line()),
            what: format!("this record is broken: {error}"),
        };
        let head: Head = serde_json::from_str(text).map_err(broken)?;
        let line_of = |word: &str| {
            text.lines()
                .position(|line| line.contains(word))
                .map(|at| at + 1)
        };
        match head.format.as_deref() {
            Some(FORMAT) => {}
            Some(other) => {
                return Err(Unread {
                    line: line_of("\"format\""),
                    what: format!(
                        "this record has the format {other:?}; the press reads {FORMAT:?}"
                    ),
                });
            }
            None => {
                return Err(Unread {
                    line: Some(1),
                    what: "this is no record: it does not say its format".to_owned(),
                });
            }
        }
        let record: Self = serde_json::from_str(text).map_err(broken)?;
        if record.chapter != chapter {
            return Err(Unread {
                line: line_of("\"chapter\""),
                what: format!(
                    "this file is called {chapter}.json and has the record of {}",
                    record.chapter
                ),
            });
        }
        Ok(record)
    }
}
