//! The run file: what a film is when it is written down. Field names are those of the format; lists
//! that are empty are left out.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format's name, which each file begins with.
pub(crate) const FORMAT: &str = "loop-run/1";

/// A number of milliseconds; whole where it can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(into = "serde_json::Number", from = "f64")]
pub struct Millis(pub f64);

impl Millis {
    /// The time from `origin` to `moment`, which may lie before it.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a run of 104 days in nanoseconds still fits an f64 exactly"
    )]
    pub fn between(origin: Duration, moment: Duration) -> Self {
        let millis = origin.abs_diff(moment).as_nanos() as f64 / 1_000_000.0;
        Self::rounded(if moment < origin { -millis } else { millis })
    }

    /// To the microsecond: what lies below says nothing about a loop.
    pub(crate) fn rounded(millis: f64) -> Self {
        Self((millis * 1_000.0).round() / 1_000.0)
    }
}

impl From<Duration> for Millis {
    fn from(duration: Duration) -> Self {
        Self::between(Duration::ZERO, duration)
    }
}

impl From<f64> for Millis {
    fn from(millis: f64) -> Self {
        Self(millis)
    }
}

impl From<Millis> for serde_json::Number {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "beyond 2^53 ms nothing whole is lost"
    )]
    fn from(millis: Millis) -> Self {
        let whole = millis.0.trunc() as i64;
        if millis.0.fract() == 0.0 {
            whole.into()
        } else {
            serde_json::Number::from_f64(millis.0).unwrap_or_else(|| whole.into())
        }
    }
}

/// A whole run: a program, what became of it turn by turn, and how it ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// `loop-run/1`.
    pub format: String,
    /// The file's name, without its ending.
    pub name: String,
    /// What a person calls it.
    pub title: String,
    /// What to look at.
    pub text: String,
    /// Whose time it is.
    pub clock: Clock,
    /// What was chosen, where the program is one of a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    /// The program, in both languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The tasks' names, in order of creation.
    pub tasks: Vec<String>,
    /// Every handle that was ever queued or scheduled; its place here is its number.
    pub handles: Vec<HandleSeen>,
    /// Every reader and writer; likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<ReaderSeen>,
    /// The turns.
    pub turns: Vec<Turn>,
    /// What happened while the loop did not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Between>,
    /// How each run of the loop ended.
    pub outcome: Value,
    /// Sums.
    pub totals: Totals,
    /// Where the film ran out: the run went on unseen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
}

/// Whose time a run tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// A clock that moves only in `select` and in calls that block.
    Virtual,
    /// The system's.
    Wall,
}

/// The lines of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// In Rust, on the loop of this book.
    pub rust: Vec<String>,
    /// In Python, on asyncio.
    pub python: Vec<String>,
}

/// A handle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HandleSeen {
    /// What its callback is called.
    pub name: String,
    /// Its deadline, if it is a timer's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Millis>,
    /// The task it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<usize>,
    /// The reader or writer whose callback it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<usize>,
}

/// A reader or a writer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReaderSeen {
    /// What its callback is called.
    pub name: String,
}

/// A turn.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Turn {
    /// Which run of the loop it belongs to.
    pub phase: String,
    /// When it began.
    pub t: Millis,
    /// What step 2 found; `None` is without end.
    pub timeout: Option<Millis>,
    /// When select returned; `None` if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub woke: Option<Millis>,
    /// When it ended.
    pub end: Millis,
    /// Timers on the heap before and after step 1.
    pub heap: [usize; 2],
    /// The count of cancelled timers at the same moments.
    pub ccount: [usize; 2],
    /// What was ready as it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<usize>,
    /// What step 1 took off the heap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<usize>,
    /// What step 4 made ready.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<usize>,
    /// What step 5 moved from the heap to ready, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<usize>,
    /// What step 6 ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<Ran>,
    /// The exception that left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<String>,
}

/// A handle that step 6 took, and what it did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ran {
    /// Which handle.
    pub h: usize,
    /// When it began.
    pub t: Millis,
    /// When it was done.
    pub end: Millis,
    /// Whether it was skipped, because it had been cancelled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// What changed while it ran.
    #[serde(flatten)]
    pub did: Deeds,
    /// The lines that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
}

/// What a handle, or the world outside, did to the containers; and what the program said meanwhile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Deeds {
    /// What became ready.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<usize>,
    /// What was put on the heap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heap: Vec<usize>,
    /// What was cancelled where it stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cancelled: Vec<usize>,
    /// Readers and writers that were registered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<usize>,
    /// Readers and writers that were removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<usize>,
    /// The program's events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<Value>,
}

/// What happened while the loop did not run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Between {
    /// Before the turn of this index.
    pub turn: usize,
    /// What happened.
    #[serde(flatten)]
    pub did: Deeds,
}

/// The lines of a program that ran, in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// In Rust.
    pub rust: Span,
    /// In Python.
    pub python: Span,
}

/// First and last line, from 0.
pub type Span = [usize; 2];

impl Lines {
    /// The lines from the first of both to the last.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let join = |a: Span, b: Span| [a[0].min(b[0]), a[1].max(b[1])];
        Self {
            rust: join(self.rust, other.rust),
            python: join(self.python, other.python),
        }
    }
}

/// Sums over a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Turns.
    pub turns: usize,
    /// Handles that step 6 took.
    pub handles: usize,
    /// When the run ended.
    pub t_end: Millis,
    /// The longest turn, from its start to its end, select included.
    pub longest_turn: Millis,
}

impl Run {
    /// The file's text.
    pub fn to_json(&self) -> String {
        // Names and numbers: nothing in it that JSON cannot say.
        serde_json::to_string(self).unwrap_or_default()
    }
}
