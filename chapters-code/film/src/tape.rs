//! A film that is written while the loop runs: a line for each turn, with what was seen in it for the
//! first time. Whatever ends the process, the turns that were over are there.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{Between, Clock, FORMAT, HandleSeen, Millis, ReaderSeen, Run, Totals, Turn};

/// With this many handles the film is over, and the run goes on unseen.
pub const MOST_HANDLES: usize = 20_000;

/// A line of a tape: a turn, and what came up since the last line.
#[derive(Default, Serialize, Deserialize)]
struct Line {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    handles: Vec<HandleSeen>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    readers: Vec<ReaderSeen>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    between: Vec<Between>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Turn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
}

/// What a tape has of a film, and where it is written.
pub(crate) struct Tape {
    file: File,
    tasks: usize,
    handles: usize,
    readers: usize,
    between: usize,
    turns: usize,
}

/// What a film holds, for the tape to take what is new.
pub(crate) struct Seen<'a> {
    pub(crate) tasks: &'a [String],
    pub(crate) handles: &'a [HandleSeen],
    pub(crate) readers: &'a [ReaderSeen],
    pub(crate) between: &'a [Between],
    pub(crate) turns: &'a [Turn],
}

impl Tape {
    /// A new file; one that is there already belongs to another loop.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::create_new(path)?,
            tasks: 0,
            handles: 0,
            readers: 0,
            between: 0,
            turns: 0,
        })
    }

    /// Writes what is new; false if the tape is full, or cannot be written.
    pub(crate) fn write(&mut self, seen: &Seen<'_>) -> bool {
        let full = seen.handles.len() >= MOST_HANDLES || seen.turns.len() >= MOST_HANDLES;
        let cut = full.then(|| {
            let (turns, handles) = (seen.turns.len(), seen.handles.len());
            format!("The film ends after {turns} turns and {handles} handles; the run went on.")
        });
        let last = seen.turns.len();
        for (index, turn) in seen.turns.iter().enumerate().skip(self.turns) {
            let line = Line {
                tasks: seen.tasks[self.tasks..].to_vec(),
                handles: seen.handles[self.handles..].to_vec(),
                readers: seen.readers[self.readers..].to_vec(),
                between: seen.between[self.between..].to_vec(),
                turn: Some(turn.clone()),
                cut: if index + 1 == last { cut.clone() } else { None },
            };
            self.tasks = seen.tasks.len();
            self.handles = seen.handles.len();
            self.readers = seen.readers.len();
            self.between = seen.between.len();
            self.turns = index + 1;
            let Ok(mut text) = serde_json::to_string(&line) else {
                return false;
            };
            text.push('\n');
            // One write a turn, so that a line is there whole or not at all.
            if self.file.write_all(text.as_bytes()).is_err() {
                return false;
            }
        }
        !full
    }
}

/// A tape that is no tape.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// It holds no turn.
    #[error("the recording holds no turn: the loop was made, and never ran")]
    Empty,
    /// A line is not one of a tape's.
    #[error("line {0} of the recording cannot be read: {1}")]
    Line(usize, String),
}

/// The run that a tape holds. What was being written as the process ended is left out.
///
/// # Errors
/// [`TapeError`] if it holds none.
pub fn read_tape(text: &str) -> Result<Run, TapeError> {
    let mut run = Run {
        format: FORMAT.to_owned(),
        name: String::new(),
        title: String::new(),
        text: String::new(),
        clock: Clock::Wall,
        params: None,
        source: None,
        tasks: Vec::new(),
        handles: Vec::new(),
        readers: Vec::new(),
        turns: Vec::new(),
        between: Vec::new(),
        outcome: Value::Array(Vec::new()),
        totals: Totals::default(),
        cut: None,
    };
    // A line without its end was not over.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (index, line) in whole.lines().enumerate() {
        let line: Line = serde_json::from_str(line)
            .map_err(|error| TapeError::Line(index + 1, error.to_string()))?;
        run.tasks.extend(line.tasks);
        run.handles.extend(line.handles);
        run.readers.extend(line.readers);
        run.between.extend(line.between);
        run.turns.extend(line.turn);
        run.cut = line.cut.or(run.cut);
    }
    let last = run.turns.last().ok_or(TapeError::Empty)?;
    let lengths = run.turns.iter().map(|turn| turn.end.0 - turn.t.0);
    run.totals = Totals {
        turns: run.turns.len(),
        handles: run.turns.iter().map(|turn| turn.ran.len()).sum(),
        t_end: last.end,
        longest_turn: Millis::rounded(lengths.fold(0.0, f64::max)),
    };
    Ok(run)
}
