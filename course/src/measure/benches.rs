//! The programs that take samples, built once in the benches' profile; after that they are called
//! directly.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::rows::Chapter;
use crate::workshop;

/// A program that takes samples.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bench {
    /// The workloads of all chapters' benches.
    Samples,
    /// A bench of its own, of a package.
    Own { package: String, name: String },
}

impl Bench {
    /// The peers', which chapters borrow rows from.
    pub(crate) fn of_peers() -> Self {
        Self::Own {
            package: "the-loop".to_owned(),
            name: "peers".to_owned(),
        }
    }

    pub(crate) fn of(chapter: &Chapter) -> Self {
        match &chapter.bench {
            Some(name) => Self::Own {
                package: chapter.name.clone(),
                name: name.clone(),
            },
            None => Self::Samples,
        }
    }

    /// What it is called, as a target of cargo.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Samples => "samples",
            Self::Own { name, .. } => name,
        }
    }

    fn arguments(&self) -> [&str; 4] {
        match self {
            Self::Samples => ["--package", "samples", "--bin", "samples"],
            Self::Own { package, name } => ["--package", package, "--bench", name],
        }
    }
}

#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
}

/// Builds them; those that can be called, by their name. What the compiler says goes to standard
/// error as it comes, and one that does not compile is left out.
///
/// # Errors
/// Cargo cannot be started.
pub(crate) fn build(root: &Path, benches: &[Bench]) -> Result<BTreeMap<String, PathBuf>> {
    let mut command = workshop::cargo();
    command
        .args(["build", "--profile", "bench", "--keep-going"])
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    for bench in benches {
        command.args(bench.arguments());
    }
    let mut child = command.spawn().context("cargo cannot be started")?;
    let messages = BufReader::new(child.stdout.take().context("cargo has no output")?);
    let mut built = BTreeMap::new();
    for line in messages.lines() {
        if let Some((name, executable)) = bench_of(&line?) {
            built.insert(name, executable);
        }
    }
    // A fault of one bench is known by its absence.
    child.wait().context("cargo cannot be waited for")?;
    Ok(built)
}

fn bench_of(line: &str) -> Option<(String, PathBuf)> {
    let message: Message = serde_json::from_str(line).ok()?;
    let target = message
        .target
        .filter(|it| it.kind == ["bench"] || it.kind == ["bin"])?;
    Some((target.name, message.executable?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_is_known_by_its_message() {
        let of = |kind: &str, executable: &str| {
            bench_of(&format!(
                r#"{{"reason":"compiler-artifact","target":{{"kind":["{kind}"],"name":"a"}},"executable":{executable}}}"#
            ))
        };
        assert_eq!(
            of("bench", "\"/t/a-1\""),
            Some(("a".to_owned(), PathBuf::from("/t/a-1")))
        );
        assert_eq!(
            of("bin", "\"/t/a\""),
            Some(("a".to_owned(), PathBuf::from("/t/a")))
        );
        assert_eq!(of("lib", "null"), None);
        assert_eq!(of("bench", "null"), None);
        assert_eq!(bench_of("not a message"), None);
        assert_eq!(
            bench_of(r#"{"reason":"build-finished","success":true}"#),
            None
        );
    }
}
