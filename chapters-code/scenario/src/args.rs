//! The arguments of one op: how many, of which kinds, and which ops may stand in its bodies.

use std::fmt::Display;
use std::rc::Rc;

use serde_json::Value;

use crate::op::{Body, Item, Millis, Mode, Name, Op};
use crate::parse::{Inside, Place, ProgramError};
use crate::raised::{CLAUSES, TYPES};

/// An op that is being read.
pub(crate) struct Args<'a> {
    op: &'a str,
    list: &'a [Value],
    place: Place,
}

impl<'a> Args<'a> {
    pub(crate) fn new(op: &'a str, list: &'a [Value], place: Place) -> Self {
        Self { op, list, place }
    }

    pub(crate) fn read(&self) -> Result<Op, ProgramError> {
        let unknown = || self.place.error(format!("unknown op {:?}", self.op));
        let (least, most) = arity(self.op).ok_or_else(unknown)?;
        let count = self.list.len();
        if count < least || count > most {
            let wanted = if least == most {
                least.to_string()
            } else {
                format!("{least} to {most}")
            };
            return Err(self.error(format!("has {count} arguments and needs {wanted}")));
        }
        match (self.op, self.place.inside()) {
            ("run_forever", Inside::Script(Mode::Loop)) => Ok(Op::RunForever),
            ("run", Inside::Script(Mode::Run)) => Ok(Op::Run(self.name(0)?, self.coroutine(1)?)),
            ("run" | "run_forever", _) | (_, Inside::Script(Mode::Run)) => {
                Err(self.error("cannot stand here"))
            }
            (_, Inside::Coroutine) => self.suspending().unwrap_or_else(|| self.plain()),
            _ if self.suspending().is_some() => {
                Err(self.error("suspends, and cannot stand in a callback"))
            }
            _ => self.plain(),
        }
    }

    /// The ops that suspend, and may stand only in a coroutine.
    fn suspending(&self) -> Option<Result<Op, ProgramError>> {
        Some(match self.op {
            "await" => self.name(0).map(Op::Await),
            "yield" => Ok(Op::Yield),
            "sleep" => self.millis(0).map(Op::Sleep),
            "nest" => self.coroutine(0).map(Op::Nest),
            "agen" => self
                .name(0)
                .and_then(|name| Ok(Op::Agen(name, self.coroutine(1)?))),
            "aclose" => self.name(0).map(Op::Aclose),
            _ => return None,
        })
    }

    fn plain(&self) -> Result<Op, ProgramError> {
        Ok(match self.op {
            "log" => Op::Log(self.scalar(0)?),
            "time" => Op::Time,
            "block" => Op::Block(self.millis(0)?.max(0)),
            "call_soon" => Op::CallSoon(self.name(0)?, self.callback(1)?),
            "call_later" => Op::CallLater(self.millis(0)?, self.name(1)?, self.callback(2)?),
            "call_at" => Op::CallAt(self.millis(0)?, self.name(1)?, self.callback(2)?),
            "cancel_handle" => Op::CancelHandle(self.name(0)?),
            "handle_cancelled" => Op::HandleCancelled(self.name(0)?),
            "io" => Op::Io(self.millis(0)?, self.name(1)?, self.callback(2)?),
            "stop" => Op::Stop,
            "raise" => Op::Raise(self.kind(0, &[])?, self.name(1)?.to_string()),
            "try" => Op::Try(self.body(0)?, self.clauses(1)?, self.body(2)?),
            "reraise" => Op::Reraise,
            "repeat" => Op::Repeat(self.millis(0)?.max(0).unsigned_abs(), self.body(1)?),
            "return" => Op::Return(self.scalar(0)?),
            "future" => Op::Future(self.name(0)?),
            "set_result" => Op::SetResult(self.name(0)?, self.scalar(1)?),
            "set_exception" => {
                Op::SetException(self.name(0)?, self.kind(1, &[])?, self.name(2)?.to_string())
            }
            "on_done" => Op::OnDone(self.name(0)?, self.name(1)?, self.callback(2)?),
            "off_done" => Op::OffDone(self.name(0)?, self.name(1)?),
            "state" => Op::State(self.name(0)?),
            "result" => Op::Result(self.name(0)?),
            "exception" => Op::Exception(self.name(0)?),
            "cancel" => Op::Cancel(self.name(0)?),
            "task" => Op::Task(self.name(0)?, self.coroutine(1)?),
            "gather" => Op::Gather(self.name(0)?, self.items(1)?, self.return_exceptions(2)?),
            "set_debug" => Op::SetDebug(self.bool(0)?),
            "set_slow" => Op::SetSlow(self.millis(0)?.max(0)),
            _ => return Err(self.error("cannot stand here")),
        })
    }

    fn error(&self, reason: impl Display) -> ProgramError {
        self.place.error(format!("{:?} {reason}", self.op))
    }

    fn wanted(&self, index: usize, what: &str) -> ProgramError {
        self.error(format!("takes {what} as its argument {}", index + 1))
    }

    fn name(&self, index: usize) -> Result<Name, ProgramError> {
        let text = self.list[index].as_str();
        Ok(text.ok_or_else(|| self.wanted(index, "a string"))?.into())
    }

    fn bool(&self, index: usize) -> Result<bool, ProgramError> {
        self.list[index]
            .as_bool()
            .ok_or_else(|| self.wanted(index, "true or false"))
    }

    fn millis(&self, index: usize) -> Result<Millis, ProgramError> {
        // Far beyond any program, and small enough that no sum of two overflows a clock.
        let limit = 999_999_999_999;
        let number = self.list[index].as_i64().filter(|n| n.abs() <= limit);
        number.ok_or_else(|| self.wanted(index, "a whole number of at most 12 digits"))
    }

    fn scalar(&self, index: usize) -> Result<Value, ProgramError> {
        match self.list.get(index) {
            None => Ok(Value::Null),
            Some(Value::Array(_) | Value::Object(_)) => Err(self.wanted(index, "a scalar")),
            Some(scalar) => Ok(scalar.clone()),
        }
    }

    fn kind(&self, index: usize, more: &[&'static str]) -> Result<&'static str, ProgramError> {
        let name = self.list[index].as_str().unwrap_or_default();
        let found = TYPES.iter().chain(more).find(|known| **known == name);
        found
            .copied()
            .ok_or_else(|| self.error(format!("knows no exception {}", self.list[index])))
    }

    /// A body that is part of the one the op stands in.
    fn body(&self, index: usize) -> Result<Body, ProgramError> {
        let same = match self.place.inside() {
            Inside::Coroutine => Inside::Coroutine,
            Inside::Script(_) | Inside::Callback => Inside::Callback,
        };
        self.ops(index, same)
    }

    fn callback(&self, index: usize) -> Result<Body, ProgramError> {
        self.ops(index, Inside::Callback)
    }

    fn coroutine(&self, index: usize) -> Result<Body, ProgramError> {
        self.ops(index, Inside::Coroutine)
    }

    fn ops(&self, index: usize, inside: Inside) -> Result<Body, ProgramError> {
        match self.list.get(index) {
            None | Some(Value::Null) => Ok(Rc::new([])),
            Some(list) => read_body(list, self.place.at(index + 1).within(inside)),
        }
    }

    fn clauses(&self, index: usize) -> Result<Vec<(&'static str, Body)>, ProgramError> {
        let list = self.list[index].as_array();
        let list = list.ok_or_else(|| self.wanted(index, "a list of clauses"))?;
        let clause = |(i, clause): (usize, &Value)| {
            let parts = clause.as_array().filter(|parts| parts.len() == 2);
            let parts = parts.ok_or_else(|| self.error("has a clause that is no pair"))?;
            // The body of a clause stands at its index 1, as an op's first argument does.
            let place = self.place.at(index + 1).at(i);
            let kind = Args::new(self.op, parts, place).kind(0, &CLAUSES)?;
            let place = self.place.at(index + 1).at(i);
            Ok((kind, Args::new(self.op, &parts[1..], place).body(0)?))
        };
        list.iter().enumerate().map(clause).collect()
    }

    fn items(&self, index: usize) -> Result<Vec<Item>, ProgramError> {
        let list = self.list[index].as_array();
        let list = list.ok_or_else(|| self.wanted(index, "a list of names and bodies"))?;
        let place = self.place.at(index + 1).within(Inside::Coroutine);
        let item = |(i, item): (usize, &Value)| match item {
            Value::String(name) => Ok(Item::Name(name.as_str().into())),
            other => Ok(Item::Body(read_body(other, place.at(i))?)),
        };
        list.iter().enumerate().map(item).collect()
    }

    fn return_exceptions(&self, index: usize) -> Result<bool, ProgramError> {
        match self.list.get(index) {
            None => Ok(false),
            Some(options) => match options.get("return_exceptions") {
                None => Ok(false),
                Some(flag) => flag
                    .as_bool()
                    .ok_or_else(|| self.wanted(index, "return_exceptions")),
            },
        }
    }
}

fn read_body(value: &Value, place: Place) -> Result<Body, ProgramError> {
    match value.as_array() {
        Some(ops) => ops
            .iter()
            .enumerate()
            .map(|(i, op)| place.op(i, op))
            .collect(),
        None => Err(place.error("a body is a list of ops")),
    }
}

/// How many arguments each op takes, at least and at most.
fn arity(op: &str) -> Option<(usize, usize)> {
    Some(match op {
        "time" | "stop" | "reraise" | "run_forever" | "yield" => (0, 0),
        "return" => (0, 1),
        "log" | "block" | "cancel_handle" | "handle_cancelled" | "future" | "state" | "result"
        | "exception" | "cancel" | "await" | "sleep" | "nest" | "aclose" | "set_debug"
        | "set_slow" => (1, 1),
        "call_soon" => (1, 2),
        "raise" | "repeat" | "off_done" | "set_result" | "task" | "run" | "agen" => (2, 2),
        "call_later" | "call_at" | "io" | "try" | "on_done" | "gather" => (2, 3),
        "set_exception" => (3, 3),
        _ => return None,
    })
}
