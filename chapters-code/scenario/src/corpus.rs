//! A corpus: one program a line, with the trace that CPython recorded.

use serde_json::Value;

/// A line of a corpus.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its line number, from 1.
    pub line: usize,
    /// The program, still as JSON.
    pub program: Value,
    /// The recorded trace; `None` if the line holds only a program.
    pub trace: Option<Value>,
}

/// Reads a corpus; blank lines are passed over.
///
/// # Errors
/// The line's number and the fault of the first line that is not JSON.
pub fn cases(text: &str) -> Result<Vec<Case>, (usize, String)> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let mut value: Value =
            serde_json::from_str(line).map_err(|error| (index + 1, reason(&error)))?;
        let trace = value.get_mut("trace").map(Value::take);
        let program = value.get_mut("program").map(Value::take).unwrap_or(value);
        cases.push(Case {
            line: index + 1,
            program,
            trace,
        });
    }
    Ok(cases)
}

/// What is wrong with a line, and at which column; the line's own number is always 1.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    format!("{reason}, column {}", error.column())
}
