//! The verdict on one program: the loop leaves CPython's trace, or where it first does not.

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};

use scenario::{Difference, LEVEL, Program, ProgramError, Run, Strictness, compare};
use serde_json::{Value, json};

use crate::{FAINT, WRONG};

/// What came of a program.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Both traces are equal.
    Equal,
    /// They are not.
    Different(Box<Difference>),
    /// The loop has no trace to compare: why.
    NoTrace(String),
}

/// Compares the loop's trace of a program, or why it has none, with the recorded one.
pub(crate) fn judge(
    trace: Result<Value, String>,
    expected: &Value,
    strictness: Strictness,
) -> Verdict {
    match trace {
        Err(reason) => Verdict::NoTrace(reason),
        Ok(trace) => match compare(expected, &trace, strictness) {
            None => Verdict::Equal,
            Some(difference) => Verdict::Different(Box::new(difference)),
        },
    }
}

/// Runs a program; the error says what is wrong with it, or with the loop.
pub(crate) fn trace(program: &Value) -> Result<Value, String> {
    let parsed = Program::from_json(program).map_err(|error| explain(program, &error))?;
    // A loop that panics fails this program, and the others are still judged.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| scenario::run(&parsed)));
    match outcome {
        Ok(trace) => trace.map_err(|error| error.to_string()),
        Err(_) => Err("the loop panicked; its message stands above".to_owned()),
    }
}

/// Runs a program and films it; the error is as [`trace`]'s.
pub(crate) fn film(program: &Value) -> Result<Run, String> {
    let parsed = Program::from_json(program).map_err(|error| explain(program, &error))?;
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| scenario::film(&parsed)));
    match outcome {
        Ok(run) => run.map_err(|error| error.to_string()),
        Err(_) => Err("the loop panicked; its message stands above".to_owned()),
    }
}

/// A program's error, with what to know where no floor can run its level yet.
fn explain(program: &Value, error: &ProgramError) -> String {
    match program["level"].as_u64() {
        Some(level) if level > u64::from(LEVEL) => {
            format!("{error} (a program of level {level}; the floors that stand run level {LEVEL})")
        }
        _ => error.to_string(),
    }
}

/// A program that did not pass.
pub(crate) struct Failure<'a> {
    pub(crate) place: String,
    pub(crate) program: &'a Value,
    pub(crate) verdict: &'a Verdict,
    /// What else there is to say.
    pub(crate) notes: Vec<String>,
}

impl Failure<'_> {
    fn text(&self, key: &str) -> &str {
        self.program[key].as_str().unwrap_or_default()
    }

    /// Writes it for the eye.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (name, place) = (self.text("name"), &self.place);
        writeln!(
            out,
            "{WRONG}FAILED{WRONG:#} {name}  {FAINT}{place}{FAINT:#}"
        )?;
        if !self.text("desc").is_empty() {
            writeln!(out, "  {}", self.text("desc"))?;
        }
        match self.verdict {
            Verdict::Equal => {}
            Verdict::NoTrace(reason) => writeln!(out, "  {reason}")?,
            Verdict::Different(difference) => {
                let rows = difference.rows();
                writeln!(out, "  {}, {}:", difference.place, difference.key)?;
                writeln!(out, "    CPython   {}", rows.expected)?;
                writeln!(out, "    the loop  {}", rows.got)?;
                if !rows.marker.is_empty() {
                    writeln!(out, "              {WRONG}{}{WRONG:#}", rows.marker)?;
                }
            }
        }
        for note in &self.notes {
            writeln!(out, "  {note}")?;
        }
        writeln!(out)
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        let mut entry = json!({
            "name": self.text("name"),
            "place": self.place,
            "desc": self.text("desc"),
        });
        match self.verdict {
            Verdict::Equal => {}
            Verdict::NoTrace(reason) => entry["error"] = reason.as_str().into(),
            Verdict::Different(difference) => {
                entry["where"] = difference.place.as_str().into();
                entry["key"] = difference.key.as_str().into();
                // Absent where a trace has nothing there.
                for (side, value) in [("expected", &difference.expected), ("got", &difference.got)]
                {
                    if let Some(value) = value {
                        entry[side] = value.clone();
                    }
                }
            }
        }
        entry
    }
}
