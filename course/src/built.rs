//! What cargo says while it builds: its messages, one JSON object a line, and its own words
//! between.

use std::path::PathBuf;

use serde::Deserialize;

/// The most of cargo's own words that are kept, in bytes.
const MOST: usize = 1 << 16;

/// A build, as far as it has come.
#[derive(Default)]
pub(crate) struct Build {
    pending: Vec<u8>,
    done: bool,
    /// Errors as rustc shows them.
    pub(crate) errors: Vec<String>,
    /// The packages that the errors lie in.
    pub(crate) broken: Vec<Package>,
    /// Warnings as rustc shows them.
    pub(crate) warnings: Vec<String>,
    /// What cargo itself said.
    pub(crate) said: String,
}

/// A package, as cargo's messages name it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its manifest.
    pub(crate) manifest: PathBuf,
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    manifest_path: Option<PathBuf>,
    success: Option<bool>,
    #[serde(rename = "message")]
    diagnostic: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    rendered: Option<String>,
    level: String,
    message: String,
}

impl Build {
    /// Whether everything is compiled and the tests come next.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Reads on. What comes after the build is handed back.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.pending.extend(bytes);
        while !self.done {
            let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') else {
                return Vec::new();
            };
            let line: Vec<u8> = self.pending.drain(..=end).collect();
            self.line(&String::from_utf8_lossy(&line));
        }
        std::mem::take(&mut self.pending)
    }

    fn line(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            if self.said.len() < MOST {
                self.said.push_str(line);
            }
            return;
        };
        if message.reason == "build-finished" {
            // After a failed build no tests come, and what cargo says then is still its own.
            self.done = message.success == Some(true);
        }
        let Some(diagnostic) = message.diagnostic else {
            return;
        };
        let Some(rendered) = diagnostic.rendered else {
            return;
        };
        // The library is compiled twice, once with its own tests, and says everything twice.
        let kind = match diagnostic.level.as_str() {
            "warning" => &mut self.warnings,
            level if level.starts_with("error") => &mut self.errors,
            _ => return,
        };
        let text = &diagnostic.message;
        let is_count = text.ends_with(" emitted") || text.starts_with("aborting due to");
        if is_count || kind.contains(&rendered) {
            return;
        }
        kind.push(rendered);
        let is_error = diagnostic.level != "warning";
        if let Some(manifest) = message.manifest_path.filter(|_| is_error) {
            let name = name(&message.package_id).to_owned();
            self.broken.push(Package { name, manifest });
        }
    }
}

/// The name in a package's id: `path+file:///a/05-wakeup#wakeup@0.1.0`, and without `wakeup@` where
/// the folder is called the same.
fn name(id: &str) -> &str {
    let (place, version) = id.rsplit_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or(place),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_packages_id_holds_its_name() {
        assert_eq!(name("path+file:///a/05-wakeup#wakeup@0.1.0"), "wakeup");
        assert_eq!(name("path+file:///a/exercises/lesson#0.1.0"), "lesson");
        assert_eq!(name("registry+https://a.b/c-index#syn@2.0.1"), "syn");
    }
}
