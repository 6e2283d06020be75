//! What cargo says while it builds, as JSON, sorted by package.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What came of one package.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// The folder of the package.
    pub(crate) folder: PathBuf,
    /// What the compiler says, errors and warnings, in order.
    pub(crate) said: Vec<Said>,
    /// The test binaries by the name of the test target.
    pub(crate) tests: BTreeMap<String, PathBuf>,
    /// The exercise's program.
    pub(crate) program: Option<PathBuf>,
    /// Whether its library was compiled.
    pub(crate) library: bool,
}

/// One message of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// Whether it is an error; else it is a warning.
    pub(crate) error: bool,
    /// In one line, with the place.
    pub(crate) line: String,
    /// As the compiler shows it.
    pub(crate) rendered: String,
}

impl Built {
    /// The first error, if there is one.
    pub(crate) fn error(&self) -> Option<&Said> {
        self.said.iter().find(|said| said.error)
    }
}

/// What came of a build.
#[derive(Debug, Default)]
pub(crate) struct Build {
    /// By the folder of the package.
    pub(crate) packages: BTreeMap<PathBuf, Built>,
    /// Whether cargo came to its last message at all.
    pub(crate) finished: bool,
}

impl Build {
    /// What came of the package in this folder; empty if cargo never came to it.
    pub(crate) fn take(&mut self, folder: &Path) -> Built {
        Built {
            folder: folder.to_path_buf(),
            ..self.packages.remove(folder).unwrap_or_default()
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    #[serde(rename = "compiler-artifact")]
    Artifact {
        manifest_path: PathBuf,
        target: Target,
        executable: Option<PathBuf>,
    },
    #[serde(rename = "compiler-message")]
    Diagnostic {
        manifest_path: PathBuf,
        message: Diagnostic,
    },
    BuildFinished {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    rendered: Option<String>,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

/// Reads cargo's messages; `on` hears of each binary as it is made.
///
/// # Errors
/// The stream cannot be read.
pub(crate) fn read(messages: impl BufRead, mut on: impl FnMut(&Path)) -> io::Result<Build> {
    let mut build = Build::default();
    let folder = |manifest: &Path| manifest.parent().unwrap_or(manifest).to_path_buf();
    for line in messages.lines() {
        // What is no message is something that a build script printed.
        let Ok(message) = serde_json::from_str(&line?) else {
            continue;
        };
        match message {
            Message::Artifact {
                manifest_path,
                target,
                executable: Some(executable),
            } => {
                let folder = folder(&manifest_path);
                on(&folder);
                let built = build.packages.entry(folder).or_default();
                match target.kind.first().map(String::as_str) {
                    Some("test") => _ = built.tests.insert(target.name, executable),
                    Some("bin") => built.program = Some(executable),
                    _ => {}
                }
            }
            Message::Artifact {
                manifest_path,
                target,
                ..
            } => {
                if target.kind.iter().any(|kind| kind == "lib") {
                    let built = build.packages.entry(folder(&manifest_path)).or_default();
                    built.library = true;
                }
            }
            Message::Diagnostic {
                manifest_path,
                message,
            } => {
                if let Some(said) = message.said() {
                    let built = build.packages.entry(folder(&manifest_path)).or_default();
                    // A library is compiled once for each of its uses.
                    if !built.said.contains(&said) {
                        built.said.push(said);
                    }
                }
            }
            Message::BuildFinished {} => build.finished = true,
            Message::Other => {}
        }
    }
    Ok(build)
}

impl Diagnostic {
    fn said(self) -> Option<Said> {
        let error = self.level.starts_with("error");
        // "2 warnings emitted", "aborting due to 1 previous error": they count the others.
        let counts = self.spans.is_empty()
            && (self.message.ends_with(" emitted") || self.message.starts_with("aborting due to"));
        if counts || !(error || self.level == "warning") {
            return None;
        }
        let place = self.spans.iter().find(|span| span.is_primary).map(|span| {
            let path = Path::new(&span.file_name);
            let parts: Vec<&OsStr> = path.iter().collect();
            // `src/lib.rs`: the folders above it say nothing.
            let short: PathBuf = parts[parts.len().saturating_sub(2)..].iter().collect();
            format!(" ({}:{})", short.display(), span.line_start)
        });
        let first = self.message.lines().next().unwrap_or_default();
        Some(Said {
            error,
            line: format!("{first}{}", place.unwrap_or_default()),
            rendered: self.rendered.unwrap_or(self.message),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_sorted_by_package_and_counts_left_out() {
        let messages = r#"{"reason":"compiler-message","manifest_path":"/w/a/Cargo.toml","message":{"level":"warning","message":"unused variable: `x`","rendered":"warning: …","spans":[{"file_name":"packages/a/src/lib.rs","line_start":3,"is_primary":true}]}}
{"reason":"compiler-message","manifest_path":"/w/a/Cargo.toml","message":{"level":"warning","message":"1 warning emitted","rendered":"","spans":[]}}
not a message
{"reason":"compiler-artifact","manifest_path":"/w/b/Cargo.toml","target":{"kind":["test"],"name":"b"},"executable":"/t/b-1"}
{"reason":"compiler-artifact","manifest_path":"/w/b/Cargo.toml","target":{"kind":["lib"],"name":"b"},"executable":null}
{"reason":"build-script-executed","package_id":"x"}
{"reason":"build-finished","success":true}
"#;
        let mut seen = Vec::new();
        let mut build = read(messages.as_bytes(), |folder| seen.push(folder.to_owned())).unwrap();
        assert_eq!(seen, [PathBuf::from("/w/b")]);
        assert!(build.finished);
        let a = build.take(Path::new("/w/a"));
        assert_eq!(a.said.len(), 1);
        assert_eq!(a.said[0].line, "unused variable: `x` (src/lib.rs:3)");
        assert!(a.error().is_none());
        let b = build.take(Path::new("/w/b"));
        assert_eq!(b.tests["b"], PathBuf::from("/t/b-1"));
        assert!(b.library && !a.library);
        assert!(build.take(Path::new("/w/c")).tests.is_empty());
    }
}
