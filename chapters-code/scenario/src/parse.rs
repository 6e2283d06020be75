//! From JSON to a program. Everything that can be wrong with one is found here, and named by line
//! and op.

use std::time::Duration;

use serde_json::Value;

use crate::args::Args;
use crate::op::{Mode, Op, Program};

/// What is wrong with a program, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(String),
    /// A key of the program is missing or of the wrong kind.
    #[error("a program needs {0}")]
    Key(&'static str),
    /// An op is wrong; the place is its path in the script.
    #[error("{place}: {reason}")]
    Op {
        /// Where it stands, as in `script[0][2][1]`.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Program {
    /// Reads one program, or the program of a corpus line.
    ///
    /// # Errors
    /// [`ProgramError`] with the place and the reason.
    pub fn parse(text: &str) -> Result<Self, ProgramError> {
        let value: Value =
            serde_json::from_str(text).map_err(|e| ProgramError::Json(e.to_string()))?;
        Self::from_json(value.get("program").unwrap_or(&value))
    }

    /// Reads a program that is JSON already.
    ///
    /// # Errors
    /// [`ProgramError`] with the place and the reason.
    pub fn from_json(value: &Value) -> Result<Self, ProgramError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let script = value.get("script").and_then(Value::as_array);
        let script = script.ok_or(ProgramError::Key("\"script\", a list of ops"))?;
        let mode = match text("mode").as_deref() {
            Some("loop") => Mode::Loop,
            Some("run") => Mode::Run,
            _ => return Err(ProgramError::Key("\"mode\", which is \"loop\" or \"run\"")),
        };
        let level = value.get("level").and_then(Value::as_u64);
        let level = level.and_then(|level| u8::try_from(level).ok());
        let place = Place {
            path: "script".to_owned(),
            inside: Inside::Script(mode),
        };
        let ops = script.iter().enumerate().map(|(i, op)| place.op(i, op));
        Ok(Self {
            name: text("name").ok_or(ProgramError::Key("\"name\", a string"))?,
            level: level.ok_or(ProgramError::Key("\"level\", a number from 1 to 5"))?,
            desc: text("desc").unwrap_or_default(),
            mode,
            script: ops.collect::<Result<_, _>>()?,
            debug: match value.get("debug") {
                None => false,
                Some(flag) => flag
                    .as_bool()
                    .ok_or(ProgramError::Key("true or false for \"debug\""))?,
            },
            slow: millis_key(value, "slow")?,
            resolution: millis_key(value, "resolution")?,
        })
    }
}

fn millis_key(value: &Value, key: &'static str) -> Result<Option<Duration>, ProgramError> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => match found.as_u64() {
            Some(millis) => Ok(Some(Duration::from_millis(millis))),
            None => Err(ProgramError::Key(
                "whole milliseconds for \"resolution\" and \"slow\"",
            )),
        },
    }
}

/// Which ops may stand here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    Script(Mode),
    Callback,
    Coroutine,
}

/// Where the parser is, for its errors.
pub(crate) struct Place {
    path: String,
    inside: Inside,
}

impl Place {
    /// The place of an element of the list that stands here.
    pub(crate) fn at(&self, index: usize) -> Self {
        Self {
            path: format!("{}[{index}]", self.path),
            inside: self.inside,
        }
    }

    /// The same place, in which other ops may stand.
    pub(crate) fn within(self, inside: Inside) -> Self {
        Self { inside, ..self }
    }

    pub(crate) fn inside(&self) -> Inside {
        self.inside
    }

    pub(crate) fn error(&self, reason: impl Into<String>) -> ProgramError {
        ProgramError::Op {
            place: self.path.clone(),
            reason: reason.into(),
        }
    }

    /// The op that stands at `index` of the list that stands here.
    pub(crate) fn op(&self, index: usize, value: &Value) -> Result<Op, ProgramError> {
        let place = self.at(index);
        let list = value.as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| place.error("an op is a list that starts with its name"))?;
        match list[0].as_str() {
            Some(name) => Args::new(name, &list[1..], place).read(),
            None => Err(place.error("an op's name is a string")),
        }
    }
}
