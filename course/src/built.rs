//! What cargo says while it builds: its messages, one JSON object a line, and its own words
//! between.

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
    /// Warnings as rustc shows them.
    pub(crate) warnings: Vec<String>,
    /// What cargo itself said.
    pub(crate) said: String,
}

#[derive(Deserialize)]
struct Message {
    reason: String,
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
        if !is_count && !kind.contains(&rendered) {
            kind.push(rendered);
        }
    }
}
