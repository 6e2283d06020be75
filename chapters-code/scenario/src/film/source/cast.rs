//! The names of a source: what a program calls a thing is not always what a language allows, and a
//! task, its variable and its function have one name in a program.

use std::collections::{HashMap, HashSet};

use crate::op::{Name, Op};

/// What both languages, and the sources themselves, use already.
const TAKEN: &str = "and as assert asyncio async await break class const continue crate def del dyn \
    elif else enum except extern false finally fn for from gather global if impl import in is \
    lambda let loop main match mod move mut nonlocal None not None or pass pub print raise ref \
    return run runner running_loop self Self sleep socket start static struct super thread threading \
    time trait True true try type unsafe use where while with yield yield_now event_loop \
    create_task current_task future ours knock";

/// What a variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Handle,
    Timer,
    Future,
    Task,
    Generator,
}

#[derive(Default)]
pub(super) struct Identifiers {
    used: HashSet<String>,
    mains: HashSet<String>,
    variables: HashMap<Name, (String, Holds)>,
}

impl Identifiers {
    pub(super) fn new() -> Self {
        Self {
            used: TAKEN.split_whitespace().map(str::to_owned).collect(),
            ..Self::default()
        }
    }

    /// A function's name, which nothing else has.
    pub(super) fn function(&mut self, name: &str) -> String {
        self.unique(&identifier(name))
    }

    /// The name of what `run` is given: `main`, where the program calls it so.
    pub(super) fn main(&mut self, name: &str) -> String {
        let wanted = identifier(name);
        if wanted == "main" && self.mains.insert(wanted.clone()) {
            return wanted;
        }
        self.unique(&wanted)
    }

    /// The variable that a name is from now on; the first thing that has it decides what it holds.
    pub(super) fn variable(&mut self, name: &Name, holds: Holds) {
        if self.variables.contains_key(name) {
            return;
        }
        let suffix = match holds {
            Holds::Handle | Holds::Timer => "_handle",
            Holds::Future => "",
            Holds::Task => "_task",
            Holds::Generator => "_gen",
        };
        let variable = self.unique(&format!("{}{suffix}", identifier(name)));
        self.variables.insert(name.clone(), (variable, holds));
    }

    pub(super) fn find(&self, name: &Name) -> Option<&(String, Holds)> {
        self.variables.get(name)
    }

    fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.used.insert(name.clone()) {
            name = match number {
                2 if TAKEN.split_whitespace().any(|taken| taken == wanted) => format!("{wanted}_"),
                _ => format!("{wanted}_{number}"),
            };
            number += 1;
        }
        name
    }
}

/// A name in small letters, digits and underscores.
fn identifier(name: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    };
    let text: String = name.chars().map(letter).collect();
    match text.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("n{text}"),
        Some(_) => text,
        None => "unnamed".to_owned(),
    }
}

/// The name an op binds, and what it holds then.
pub(super) fn binds(op: &Op) -> Option<(&Name, Holds)> {
    Some(match op {
        Op::CallSoon(name, _) => (name, Holds::Handle),
        Op::CallLater(_, name, _) | Op::CallAt(_, name, _) => (name, Holds::Timer),
        Op::Future(name) | Op::Gather(name, ..) => (name, Holds::Future),
        Op::Task(name, _) => (name, Holds::Task),
        Op::Agen(name, _) => (name, Holds::Generator),
        _ => return None,
    })
}

/// The names an op uses.
pub(super) fn uses(op: &Op) -> Vec<&Name> {
    use crate::op::Item;
    match op {
        Op::CancelHandle(name)
        | Op::HandleCancelled(name)
        | Op::SetResult(name, _)
        | Op::SetException(name, ..)
        | Op::OnDone(name, ..)
        | Op::OffDone(name, _)
        | Op::State(name)
        | Op::Result(name)
        | Op::Exception(name)
        | Op::Cancel(name)
        | Op::Await(name)
        | Op::Aclose(name) => vec![name],
        Op::Gather(_, items, _) => items
            .iter()
            .filter_map(|item| match item {
                Item::Name(name) => Some(name),
                Item::Body(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
