//! `cargo course doctor`: tries what the course needs, and says what to do where it is missing.

use std::io::{IsTerminal as _, Write as _, stdout};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use supports_hyperlinks::Stream;

use crate::manifest::Course;
use crate::progress::Progress;
use crate::python::Python;
use crate::watch::saves;
use crate::{FAINT, RIGHT, STRONG, WRONG, files, testing};

/// The oldest Rust that builds the course.
const OLDEST: (u32, u32) = (1, 95);
/// Below this many MiB of free space, builds begin to fail.
const TOO_LITTLE: u64 = 500;
/// What the course takes when all of it is built, in MiB, with room to spare.
const ENOUGH: u64 = 4000;

/// Check what the course needs, and say what to do
#[derive(Args)]
pub(crate) struct Doctor {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// How a check came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Something is worse without it.
    Lacking,
    /// The course does not work without it.
    Bad,
}

/// A check: what was found, and what to do.
struct Finding {
    what: &'static str,
    state: State,
    found: String,
    advice: &'static str,
}

impl Doctor {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let root = &course.root;
        let findings = [
            toolchain(root),
            component(
                root,
                "clippy",
                &["clippy", "--version"],
                "`rustup component add clippy`",
            ),
            rust_analyzer(root),
            watching(root),
            python(),
            offline(root),
            floors(root),
            terminal(),
            space(root),
            writable(root),
            progress(root),
        ];
        let mut out = anstream::stdout().lock();
        let bad = findings.iter().any(|finding| finding.state == State::Bad);
        if self.json {
            let list = findings.iter().map(Finding::json).collect::<Vec<Value>>();
            writeln!(out, "{}", json!({"ready": !bad, "checks": list}))?;
        } else {
            for Finding {
                what,
                state,
                found,
                advice,
            } in &findings
            {
                let (style, mark) = match state {
                    State::Good => (RIGHT, "good"),
                    State::Lacking => (STRONG, "lacks"),
                    State::Bad => (WRONG, "bad"),
                };
                writeln!(out, "{style}{mark:5}{style:#}  {what:14} {found}")?;
                if *state != State::Good {
                    writeln!(out, "{:22}{FAINT}->{FAINT:#} {advice}", "")?;
                }
            }
        }
        Ok(ExitCode::from(u8::from(bad)))
    }
}

impl Finding {
    fn new(
        what: &'static str,
        state: State,
        found: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        let found = found.into();
        Self {
            what,
            state,
            found,
            advice,
        }
    }

    fn json(&self) -> Value {
        json!({
            "check": self.what,
            "state": match self.state {
                State::Good => "good",
                State::Lacking => "lacking",
                State::Bad => "bad",
            },
            "found": self.found,
            "advice": if self.state == State::Good { None } else { Some(self.advice) },
        })
    }
}

/// The first line that a program prints, or what it complains about.
fn said(root: &Path, program: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(root)
        .stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| format!("cannot be run: {error}"))?;
    let first = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let line = text.lines().find(|line| !line.trim().is_empty());
        line.unwrap_or_default().trim().to_owned()
    };
    if output.status.success() {
        Ok(first(&output.stdout))
    } else {
        // Warnings may come before what is wrong.
        let text = String::from_utf8_lossy(&output.stderr);
        let error = text.lines().find(|line| line.starts_with("error"));
        Err(error.map_or_else(|| first(&output.stderr), str::to_owned))
    }
}

fn toolchain(root: &Path) -> Finding {
    let install = "install Rust from https://rustup.rs, then open a new terminal";
    let update = "`rustup update stable`; the course needs 1.95 or newer";
    let version = testing::cargo()
        .map_err(|error| format!("{error:#}"))
        .and_then(|_| said(root, Path::new("rustc"), &["--version"]));
    match version {
        Err(why) => Finding::new("Rust", State::Bad, why, install),
        Ok(version) if is_new_enough(&version) => Finding::new("Rust", State::Good, version, ""),
        Ok(version) => Finding::new("Rust", State::Bad, version, update),
    }
}

/// Whether `rustc 1.95.0 (…)` is new enough.
fn is_new_enough(version: &str) -> bool {
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    let mut parts = number.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST,
        _ => false,
    }
}

fn component(root: &Path, what: &'static str, arguments: &[&str], advice: &'static str) -> Finding {
    let cargo = testing::cargo().map_err(|error| format!("{error:#}"));
    match cargo.and_then(|cargo| said(root, &cargo, arguments)) {
        Ok(version) => Finding::new(what, State::Good, version, advice),
        Err(why) => Finding::new(what, State::Lacking, why, advice),
    }
}

fn rust_analyzer(root: &Path) -> Finding {
    let advice = "`rustup component add rust-analyzer`, if your editor brings none of its own";
    match said(root, Path::new("rust-analyzer"), &["--version"]) {
        Ok(version) => Finding::new("rust-analyzer", State::Good, version, advice),
        Err(why) => Finding::new("rust-analyzer", State::Lacking, why, advice),
    }
}

fn watching(root: &Path) -> Finding {
    let advice = "`cargo course watch --poll` looks at the files instead";
    match saves::try_out(&root.join("exercises")) {
        Ok(time) => {
            let found = format!("a save was noticed after {} ms", time.as_millis());
            Finding::new("file watching", State::Good, found, advice)
        }
        Err(error) => Finding::new(
            "file watching",
            State::Lacking,
            format!("{error:#}"),
            advice,
        ),
    }
}

fn python() -> Finding {
    let advice =
        "nothing, or install Python 3.13: only `cargo course conform --random` compares with it";
    match Python::find(None) {
        Ok(python) => {
            let found = format!("{} at {}", python.version, python.program.display());
            Finding::new("CPython", State::Good, found, advice)
        }
        Err(error) => {
            let found = format!("{error:#}");
            let found = found.split("; name one").next().unwrap_or_default();
            Finding::new("CPython", State::Lacking, found, advice)
        }
    }
}

fn offline(root: &Path) -> Finding {
    let advice = "`cargo fetch --locked` while you are online";
    let host = said(root, Path::new("rustc"), &["--print", "host-tuple"]);
    let ready = host.and_then(|host| {
        let platform = ["--filter-platform", &host];
        let metadata = ["metadata", "--offline", "--locked", "--format-version", "1"];
        let cargo = testing::cargo().map_err(|error| format!("{error:#}"))?;
        said(root, &cargo, &[&metadata[..], &platform[..]].concat())
    });
    match ready {
        Ok(_) => Finding::new(
            "offline",
            State::Good,
            "every crate is here: no network needed",
            advice,
        ),
        Err(why) => Finding::new("offline", State::Lacking, why, advice),
    }
}

fn floors(root: &Path) -> Finding {
    let advice = "`cargo check -p lesson` says where; `git status` shows what changed in \
                  chapters-code/, and `git stash -- chapters-code exercises/lesson` puts it aside";
    // What the exercises' tests stand on is all of what a learner does not write.
    let check = ["check", "--offline", "--quiet", "-p", "lesson"];
    let cargo = testing::cargo().map_err(|error| format!("{error:#}"));
    match cargo.and_then(|cargo| said(root, &cargo, &check)) {
        Ok(_) => Finding::new("floors", State::Good, "build", advice),
        Err(why) => Finding::new("floors", State::Bad, why, advice),
    }
}

fn terminal() -> Finding {
    let links = supports_hyperlinks::on(Stream::Stdout);
    let found = match (stdout().is_terminal(), links) {
        (true, true) => "a terminal that follows links",
        (true, false) => "a terminal; it follows no links, so places are plain text",
        (false, _) => "none: plain text, and watch takes keys as lines",
    };
    Finding::new("terminal", State::Good, found, "")
}

fn space(root: &Path) -> Finding {
    let advice = "make room, or `cargo clean`, which costs you one full build";
    let Ok(disk) = rustix::fs::statvfs(root) else {
        return Finding::new("disk space", State::Lacking, "cannot be asked for", advice);
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize) >> 20;
    let state = match free {
        free if free < TOO_LITTLE => State::Bad,
        free if free < ENOUGH => State::Lacking,
        _ => State::Good,
    };
    Finding::new("disk space", state, format!("{free} MiB free"), advice)
}

fn writable(root: &Path) -> Finding {
    let advice = "make the folder writable, or clone the course into a folder of your own";
    match files::is_writable(root) {
        Ok(()) => Finding::new("checkout", State::Good, "can be written to", advice),
        Err(error) => Finding::new("checkout", State::Bad, format!("{error:#}"), advice),
    }
}

fn progress(root: &Path) -> Finding {
    let advice = "mend or move away exercises/progress.toml";
    match Progress::read(root) {
        Ok(_) => Finding::new("progress", State::Good, "can be read", advice),
        Err(error) => Finding::new("progress", State::Bad, format!("{error:#}"), advice),
    }
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn the_oldest_rust_is_1_95() {
        assert!(is_new_enough("rustc 1.95.0 (abc 2026-03-21)"));
        assert!(is_new_enough("rustc 1.100.0-nightly"));
        assert!(is_new_enough("rustc 2.0.0"));
        assert!(!is_new_enough("rustc 1.94.1 (abc 2026-01-01)"));
        assert!(!is_new_enough("no rustc"));
    }
}
