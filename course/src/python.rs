//! A real CPython that records programs: which one, and a process of it that stays alive while
//! programs come and traces go.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value;

/// The recorder, seen from the workspace's root.
const RECORDER: &str = "chapters-code/scenario/cpython/record.py";
/// The versions that something needs.
struct Wanted {
    /// In words.
    shown: &'static str,
    /// What is looked for on PATH, the best first.
    names: &'static [&'static str],
    /// Whether a minor version of Python 3 will do.
    minor: fn(u32) -> bool,
}

/// Whose loop the floors follow turn for turn.
const TO_COMPARE: Wanted = Wanted {
    shown: "3.12 or 3.13",
    names: &["python3.13", "python3.12", "python3"],
    minor: |minor| minor == 12 || minor == 13,
};
/// What can be measured beside them.
const TO_MEASURE: Wanted = Wanted {
    shown: "3.12 or newer",
    names: &["python3.14", "python3.13", "python3.12", "python3"],
    minor: |minor| minor >= 12,
};
/// Prints the name and the version of an interpreter.
const WHO: &str = "import platform as p; print(p.python_implementation(), p.python_version())";

/// An interpreter whose traces the loop must give.
pub(crate) struct Python {
    pub(crate) program: PathBuf,
    pub(crate) version: String,
}

impl Python {
    /// One to compare traces with: the one that is named, else the best on PATH.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self> {
        Self::of(named, &TO_COMPARE)
    }

    /// One to measure beside: the one that is named, else the newest on PATH.
    pub(crate) fn find_to_measure(named: Option<&Path>) -> Result<Self> {
        Self::of(named, &TO_MEASURE)
    }

    fn of(named: Option<&Path>, wanted: &Wanted) -> Result<Self> {
        let shown = wanted.shown;
        if let Some(program) = named {
            return Self::check(program.as_os_str(), wanted).map_err(|found| {
                anyhow!("{} {found}; a CPython {shown} is needed", program.display())
            });
        }
        let mut seen = Vec::new();
        for name in wanted.names {
            match Self::check(name.as_ref(), wanted) {
                Ok(python) => return Ok(python),
                Err(found) => seen.push(format!("{name} {found}")),
            }
        }
        bail!(
            "no CPython {shown} on PATH ({}); name one with --python PATH",
            seen.join(", ")
        );
    }

    /// The interpreter, or what was found in its place.
    fn check(program: &OsStr, wanted: &Wanted) -> Result<Self, String> {
        let output = Command::new(program)
            .args(["-I", "-c", WHO])
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot be run: {error}"))?;
        let who = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || who.is_empty() {
            return Err("is no Python that runs".to_owned());
        }
        let version = who.strip_prefix("CPython ").unwrap_or_default();
        let minor = version
            .strip_prefix("3.")
            .and_then(|rest| rest.split('.').next());
        let minor: Option<u32> = minor.and_then(|minor| minor.parse().ok());
        if !minor.is_some_and(wanted.minor) {
            return Err(format!("is {who}"));
        }
        Ok(Self {
            program: program.into(),
            version: version.to_owned(),
        })
    }
}

/// What the recorder answers to a program.
pub(crate) enum Answer {
    /// Its trace.
    Trace(Value),
    /// Why there is none: this CPython lacks something, or the program does not end.
    NoTrace(String),
}

/// A recorder process. It ends when this is dropped.
pub(crate) struct Recorder {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Reads what it complains about, so that a full pipe never holds it up.
    stderr: Option<JoinHandle<String>>,
}

impl Recorder {
    pub(crate) fn start(python: &Python, root: &Path) -> Result<Self> {
        let script = root.join(RECORDER);
        let mut child = Command::new(&python.program)
            .arg(script)
            .env_remove("PYTHONASYNCIODEBUG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", python.program.display()))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut stderr = stderr.context("the recorder has no error stream")?;
        let read = move || {
            let mut text = Vec::new();
            // What came before a fault is all there is to tell.
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        };
        Ok(Self {
            stdin: stdin.context("the recorder has no input")?,
            stdout: BufReader::new(stdout.context("the recorder has no output")?),
            stderr: Some(thread::spawn(read)),
            child,
        })
    }

    /// Hands over a program. Its answer must be taken before the next one is sent: with two under
    /// way, both sides could wait for room in a pipe.
    pub(crate) fn send(&mut self, program: &Value) -> Result<()> {
        let sent = writeln!(self.stdin, "{program}").and_then(|()| self.stdin.flush());
        sent.map_err(|_| self.death())
    }

    /// Takes the answer.
    pub(crate) fn answer(&mut self) -> Result<Answer> {
        let mut line = String::new();
        match self.stdout.read_line(&mut line) {
            Ok(length) if length > 0 => {}
            _ => return Err(self.death()),
        }
        let mut answer: Value = serde_json::from_str(&line)
            .map_err(|error| anyhow!("the recorder wrote what is no JSON: {error}"))?;
        match answer.get_mut("trace") {
            Some(trace) => Ok(Answer::Trace(trace.take())),
            None => Ok(Answer::NoTrace(
                answer["error"].as_str().unwrap_or("no trace").to_owned(),
            )),
        }
    }

    /// How the recorder ended, with the last thing it said.
    fn death(&mut self) -> anyhow::Error {
        // It may have closed its output and live on.
        let _ = self.child.kill();
        let status = self
            .child
            .wait()
            .map_or("unknown".to_owned(), |status| status.to_string());
        let said = self.stderr.take().and_then(|thread| thread.join().ok());
        let said = said.unwrap_or_default();
        match said.trim_end().lines().last() {
            Some(last) => anyhow!("the recorder ended ({status}): {last}"),
            None => anyhow!("the recorder ended ({status})"),
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Nothing it could still write is wanted; if it has ended, that is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
