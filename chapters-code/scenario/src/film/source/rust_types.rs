//! The types that a program's names would have in Rust: what a future is given, what a coroutine
//! returns. A program need not be of one mind about them; then the first value decides.

use serde_json::Value;

use super::cast::Holds;
use super::plan::{Plan, children};
use crate::op::{Item, Name, Op, Program};

pub(super) fn of_value(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(_) => "i64",
        Value::String(_) => "&'static str",
        _ => "()",
    }
}

/// What a body returns.
pub(super) fn returned(ops: &[Op]) -> &'static str {
    find(ops).map_or("()", of_value)
}

fn find(ops: &[Op]) -> Option<&Value> {
    ops.iter().find_map(|op| match op {
        Op::Return(value) => Some(value),
        other => children(other)
            .into_iter()
            .filter(|(part, ..)| part.is_none())
            .find_map(|(.., body)| find(body)),
    })
}

/// The type of the variable that a name is.
pub(super) fn of_name(program: &Program, plan: &Plan, name: &Name) -> String {
    match plan.holds(name) {
        Some(Holds::Handle) => "Handle".to_owned(),
        Some(Holds::Timer) => "TimerHandle".to_owned(),
        Some(Holds::Generator) => "AsyncGenerator".to_owned(),
        Some(Holds::Task) => format!("Task<{}>", value_of(&program.script, name)),
        Some(Holds::Future) | None => format!("Future<{}>", value_of(&program.script, name)),
    }
}

fn value_of(ops: &[Op], name: &Name) -> String {
    search(ops, name).unwrap_or_else(|| "()".to_owned())
}

fn search(ops: &[Op], name: &Name) -> Option<String> {
    ops.iter().find_map(|op| match op {
        Op::SetResult(set, value) if set == name => Some(of_value(value).to_owned()),
        Op::Task(task, body) if task == name => Some(returned(body).to_owned()),
        Op::Gather(gathered, items, _) if gathered == name => {
            let body = items.iter().find_map(|item| match item {
                Item::Body(body) => Some(returned(body)),
                Item::Name(_) => None,
            });
            Some(format!("Vec<{}>", body.unwrap_or("()")))
        }
        other => children(other)
            .into_iter()
            .find_map(|(.., body)| search(body, name)),
    })
}
