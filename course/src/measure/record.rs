//! A record: what was run, on what, when, and what came out. One JSON file a chapter.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use super::stats::Distribution;

/// What this program writes, and reads.
pub(crate) const FORMAT: &str = "six-steps record 1";

/// The record of one chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) format: String,
    pub(crate) chapter: String,
    /// When it began, as UTC.
    pub(crate) when: String,
    pub(crate) took_s: u64,
    pub(crate) command: String,
    pub(crate) quick: bool,
    /// The commit that was measured, if there is git to ask.
    pub(crate) commit: Option<String>,
    /// Whether files differed from that commit.
    pub(crate) dirty: bool,
    pub(crate) machine: Machine,
    pub(crate) versions: Versions,
    /// What may have disturbed the run; empty if nothing did.
    pub(crate) noise: Vec<String>,
    pub(crate) rows: Vec<Row>,
    /// What could not be measured, and why.
    pub(crate) missing: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) memory_mib: u64,
    pub(crate) kernel: String,
    pub(crate) os: String,
    pub(crate) governor: Option<String>,
    #[serde(rename = "virtual")]
    pub(crate) virtual_: Option<String>,
    pub(crate) load_before: Vec<f64>,
    pub(crate) load_after: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Versions {
    pub(crate) rustc: String,
    pub(crate) profile: String,
    pub(crate) crates: BTreeMap<String, String>,
    pub(crate) python: Option<PythonVersion>,
    pub(crate) uvloop: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PythonVersion {
    pub(crate) version: String,
    /// How it was built.
    pub(crate) build: String,
    /// Where it comes from: `pyenv`, `system`, `other`.
    pub(crate) path_kind: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What it does, and what it reproduces.
    pub(crate) what: String,
    pub(crate) unit: String,
    pub(crate) article: Option<f64>,
    pub(crate) per: String,
    pub(crate) counted: bool,
    pub(crate) sides: Vec<Side>,
    pub(crate) ratios: Vec<Ratio>,
    pub(crate) claim: Option<Claim>,
}

/// The samples of one side, summed up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of the format")]
pub(crate) struct Side {
    pub(crate) side: String,
    pub(crate) variant: Option<String>,
    pub(crate) n: usize,
    pub(crate) median: Option<f64>,
    pub(crate) min: Option<f64>,
    pub(crate) p90: Option<f64>,
    pub(crate) mad: Option<f64>,
    /// Each sample, in the order of the rounds.
    pub(crate) samples: Vec<f64>,
    /// How the values lie that the runs are made of, all runs together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) distribution: Option<Distribution>,
    /// Why there is none, or not a sample a round.
    pub(crate) missing: Option<String>,
}

impl Side {
    /// `ours/static`.
    pub(crate) fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}/{variant}", self.side),
            None => self.side.clone(),
        }
    }
}

/// One side to another, taken round by round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) of: String,
    pub(crate) to: String,
    pub(crate) median: f64,
    /// The lower quartile of the rounds.
    pub(crate) low: f64,
    /// The upper one.
    pub(crate) high: f64,
    pub(crate) verdict: Verdict,
}

/// Where a ratio lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Lower,
    Higher,
    /// Its spread crosses 1.
    Undecided,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) text: String,
    pub(crate) holds: Holds,
    /// What was found.
    pub(crate) found: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Holds {
    Yes,
    No,
    /// The spread crosses the claim's bound.
    Undecided,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Record {
    pub(crate) fn text(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a record.
    ///
    /// # Errors
    /// It cannot be read, or is in another format than this program writes.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        Self::parse(&text).with_context(|| format!("{}", path.display()))
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
        }
        let head: Head = serde_json::from_str(text).context("is no record")?;
        match head.format.as_deref() {
            Some(FORMAT) => serde_json::from_str(text).context("is a broken record"),
            Some(other) => bail!(
                "is in the format {other:?}, and this course reads {FORMAT:?}: measure it again \
                 with `cargo course measure CHAPTER --save`"
            ),
            None => bail!("is no record: it does not say its format"),
        }
    }
}
