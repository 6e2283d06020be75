//! From JSON to a program. Everything that can be wrong with one is found here, and named by line
//! and op.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

use crate::op::{Body, Millis, Mode, Name, Op, Program};
use crate::raised::{CLAUSES, TYPES};

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
enum Inside {
    Script(Mode),
    Callback,
}

/// Where the parser is, for its errors.
struct Place {
    path: String,
    inside: Inside,
}

impl Place {
    fn at(&self, index: usize, inside: Inside) -> Self {
        Self {
            path: format!("{}[{index}]", self.path),
            inside,
        }
    }

    fn error(&self, reason: impl Into<String>) -> ProgramError {
        ProgramError::Op {
            place: self.path.clone(),
            reason: reason.into(),
        }
    }

    fn op(&self, index: usize, value: &Value) -> Result<Op, ProgramError> {
        let place = self.at(index, self.inside);
        let list = value.as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| place.error("an op is a list that starts with its name"))?;
        let name = list[0]
            .as_str()
            .ok_or_else(|| place.error("an op's name is a string"))?;
        let inside_callback = Self {
            path: place.path,
            inside: Inside::Callback,
        };
        let args = Args {
            op: name,
            list: &list[1..],
            place: inside_callback,
        };
        let op = args.read(self.inside)?;
        Ok(op)
    }
}

/// The arguments of one op.
struct Args<'a> {
    op: &'a str,
    list: &'a [Value],
    place: Place,
}

impl Args<'_> {
    fn read(&self, inside: Inside) -> Result<Op, ProgramError> {
        let (least, most) =
            arity(self.op).ok_or_else(|| self.place.error(format!("unknown op {:?}", self.op)))?;
        if self.list.len() < least || self.list.len() > most {
            let count = self.list.len();
            let wanted = if least == most {
                format!("{least}")
            } else {
                format!("{least} to {most}")
            };
            return Err(self.error(format!("has {count} arguments and needs {wanted}")));
        }
        Ok(match self.op {
            "log" => Op::Log(self.scalar(0)?),
            "time" => Op::Time,
            "block" => Op::Block(self.millis(0)?.max(0)),
            "call_soon" => Op::CallSoon(self.name(0)?, self.body(1)?),
            "call_later" => Op::CallLater(self.millis(0)?, self.name(1)?, self.body(2)?),
            "call_at" => Op::CallAt(self.millis(0)?, self.name(1)?, self.body(2)?),
            "cancel_handle" => Op::CancelHandle(self.name(0)?),
            "handle_cancelled" => Op::HandleCancelled(self.name(0)?),
            "io" => Op::Io(self.millis(0)?, self.name(1)?, self.body(2)?),
            "stop" => Op::Stop,
            "raise" => Op::Raise(self.kind(0, &TYPES, &[])?, self.name(1)?.to_string()),
            "try" => Op::Try(self.body(0)?, self.clauses(1)?, self.body(2)?),
            "reraise" => Op::Reraise,
            "repeat" => Op::Repeat(self.millis(0)?.max(0).unsigned_abs(), self.body(1)?),
            "return" => Op::Return(self.scalar(0)?),
            "run_forever" if inside == Inside::Script(Mode::Loop) => Op::RunForever,
            _ => return Err(self.error("cannot stand here")),
        })
    }

    fn error(&self, reason: impl std::fmt::Display) -> ProgramError {
        self.place.error(format!("{:?} {reason}", self.op))
    }

    fn name(&self, index: usize) -> Result<Name, ProgramError> {
        let text = self.list[index].as_str();
        Ok(text
            .ok_or_else(|| self.error(format!("argument {index} must be a string")))?
            .into())
    }

    fn millis(&self, index: usize) -> Result<Millis, ProgramError> {
        // Far beyond any program, and small enough that no sum of two overflows a clock.
        let limit = Millis::MAX / 4_000_000;
        let number = self.list[index].as_i64().filter(|n| n.abs() <= limit);
        number.ok_or_else(|| self.error(format!("argument {index} must be a whole number")))
    }

    fn scalar(&self, index: usize) -> Result<Value, ProgramError> {
        match self.list.get(index) {
            None => Ok(Value::Null),
            Some(Value::Array(_) | Value::Object(_)) => Err(self.error("takes a scalar")),
            Some(scalar) => Ok(scalar.clone()),
        }
    }

    fn kind(
        &self,
        index: usize,
        types: &[&'static str],
        more: &[&'static str],
    ) -> Result<&'static str, ProgramError> {
        let name = self.list[index].as_str().unwrap_or_default();
        let found = types.iter().chain(more).find(|known| **known == name);
        found
            .copied()
            .ok_or_else(|| self.error(format!("knows no exception {}", self.list[index])))
    }

    fn body(&self, index: usize) -> Result<Body, ProgramError> {
        let place = self.place.at(index + 1, self.place.inside);
        match self.list.get(index) {
            None | Some(Value::Null) => Ok(Rc::new([])),
            Some(Value::Array(ops)) => ops
                .iter()
                .enumerate()
                .map(|(i, op)| place.op(i, op))
                .collect(),
            Some(_) => Err(place.error("a body is a list of ops")),
        }
    }

    fn clauses(&self, index: usize) -> Result<Vec<(&'static str, Body)>, ProgramError> {
        let list = self.list[index].as_array();
        let list = list.ok_or_else(|| self.error("needs a list of clauses"))?;
        let clause = |(i, clause): (usize, &Value)| {
            let parts = clause.as_array().filter(|parts| parts.len() == 2);
            let parts = parts.ok_or_else(|| self.error("has a clause that is no pair"))?;
            let place = self
                .place
                .at(index + 1, self.place.inside)
                .at(i, self.place.inside);
            let args = Args {
                op: self.op,
                list: parts,
                place,
            };
            Ok((args.kind(0, &TYPES, &CLAUSES)?, args.body(1)?))
        };
        list.iter().enumerate().map(clause).collect()
    }
}

/// How many arguments each op takes, at least and at most.
fn arity(op: &str) -> Option<(usize, usize)> {
    Some(match op {
        "time" | "stop" | "reraise" | "run_forever" => (0, 0),
        "return" => (0, 1),
        "log" | "block" | "cancel_handle" | "handle_cancelled" => (1, 1),
        "call_soon" => (1, 2),
        "raise" | "repeat" => (2, 2),
        "call_later" | "call_at" | "io" | "try" => (2, 3),
        _ => return None,
    })
}
