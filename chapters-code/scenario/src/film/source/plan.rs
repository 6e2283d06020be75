//! The plan of a source: each body that runs by itself becomes a function, and each name that is
//! used becomes a variable.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

use super::cast::{Holds, Identifiers, binds, uses};
use crate::op::{Body, Item, Name, Op, Program};

/// What a function is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What `run` is given.
    Main,
    /// A coroutine: a task's, one of a gathering, or one that is awaited.
    Coroutine,
    /// What a generator does as it is closed.
    Closing,
    /// A callback of the loop.
    Callback,
    /// A reader's callback.
    Reader,
    /// A done callback.
    Done,
}

/// A body that becomes a function.
pub(super) struct Function<'a> {
    pub(super) part: Part,
    pub(super) name: String,
    pub(super) body: &'a Body,
    /// The names that it takes from others: it, or what it calls, uses them and does not bind them.
    pub(super) takes: BTreeSet<Name>,
}

pub(super) struct Plan<'a> {
    /// In an order in which each stands before what calls it.
    pub(super) functions: Vec<Function<'a>>,
    by_body: HashMap<*const Op, usize>,
    identifiers: Identifiers,
    /// How often the function that is being written still uses each name.
    left: RefCell<HashMap<Name, usize>>,
    /// In how many loops of the program the writer stands.
    pub(super) loops: Cell<usize>,
    labels: HashMap<Name, String>,
    script: &'a [Op],
}

impl<'a> Plan<'a> {
    pub(super) fn of(program: &'a Program) -> Self {
        let mut plan = Self {
            functions: Vec::new(),
            by_body: HashMap::new(),
            identifiers: Identifiers::new(),
            left: RefCell::default(),
            loops: Cell::default(),
            labels: HashMap::new(),
            script: &program.script,
        };
        plan.walk(&program.script);
        plan
    }

    fn walk(&mut self, ops: &'a [Op]) {
        for op in ops {
            for (part, name, body) in children(op) {
                self.walk(body);
                if part == Some(Part::Main) {
                    let name = self.identifiers.main(&name);
                    self.add(Part::Main, name, body);
                } else if let Some(part) = part {
                    let name = self.identifiers.function(&name);
                    if let (Part::Done, Op::OnDone(_, label, _)) = (part, op) {
                        self.labels.entry(label.clone()).or_insert(name.clone());
                    }
                    self.add(part, name, body);
                }
            }
            if let Some((name, holds)) = binds(op) {
                self.identifiers.variable(name, holds);
            }
        }
    }

    fn add(&mut self, part: Part, name: String, body: &'a Body) {
        self.by_body.insert(body.as_ptr(), self.functions.len());
        let (mut bound, mut used) = (BTreeSet::new(), BTreeSet::new());
        self.names(body, &mut bound, &mut used);
        let takes = used.difference(&bound).cloned().collect();
        self.functions.push(Function {
            part,
            name,
            body,
            takes,
        });
    }

    /// What a body binds and uses, with what the functions it calls take from it.
    fn names(&self, ops: &[Op], bound: &mut BTreeSet<Name>, used: &mut BTreeSet<Name>) {
        for op in ops {
            bound.extend(binds(op).map(|(name, _)| name.clone()));
            let own = uses(op).into_iter().filter(|name| name.as_ref() != "self");
            used.extend(own.cloned());
            for (part, _, body) in children(op) {
                if part.is_none() {
                    self.names(body, bound, used);
                } else if let Some(called) = self.function(body) {
                    used.extend(called.takes.iter().cloned());
                }
            }
        }
    }

    /// A function is about to be written: how often it uses each name.
    pub(super) fn enter(&self, ops: &[Op]) {
        let mut left = HashMap::new();
        self.count(ops, &mut left);
        self.left.replace(left);
    }

    fn count(&self, ops: &[Op], left: &mut HashMap<Name, usize>) {
        for op in ops {
            let mut used: Vec<Name> = uses(op).into_iter().cloned().collect();
            for (part, _, body) in children(op) {
                match self.function(body) {
                    Some(called) => used.extend(called.takes.iter().cloned()),
                    None if part.is_none() => self.count(body, left),
                    None => {}
                }
            }
            for name in used {
                *left.entry(name).or_default() += 1;
            }
        }
    }

    /// The function that a body has become.
    pub(super) fn function(&self, body: &Body) -> Option<&Function<'a>> {
        self.by_body
            .get(&body.as_ptr())
            .map(|index| &self.functions[*index])
    }

    /// The function of a done callback's label.
    pub(super) fn labelled<'n>(&'n self, label: &'n Name) -> &'n str {
        self.labels.get(label).map_or(label, String::as_str)
    }

    /// The variable of a name. A name that nothing binds stays as it is.
    pub(super) fn variable(&self, name: &Name) -> String {
        let found = self.identifiers.find(name);
        found.map_or_else(|| name.to_string(), |(variable, _)| variable.clone())
    }

    /// What the variable of a name holds.
    pub(super) fn holds(&self, name: &Name) -> Option<Holds> {
        self.identifiers.find(name).map(|(_, holds)| *holds)
    }

    /// Whether anything uses the name.
    pub(super) fn is_used(&self, name: &Name) -> bool {
        let used = |function: &Function| uses_anywhere(function.body, name);
        uses_anywhere(self.script, name) || self.functions.iter().any(used)
    }

    /// Uses a name; true if nothing uses it after that.
    pub(super) fn use_up(&self, name: &Name) -> bool {
        let mut left = self.left.borrow_mut();
        let count = left.entry(name.clone()).or_default();
        *count = count.saturating_sub(1);
        *count == 0 && self.loops.get() == 0
    }
}

fn uses_anywhere(ops: &[Op], name: &Name) -> bool {
    ops.iter().any(|op| {
        let inline = children(op).into_iter().filter(|(part, ..)| part.is_none());
        uses(op).contains(&name)
            || inline
                .into_iter()
                .any(|(_, _, body)| uses_anywhere(body, name))
    })
}

/// The bodies of an op, each with the part it plays by itself, if it does, and its name.
pub(super) fn children(op: &Op) -> Vec<(Option<Part>, String, &Body)> {
    let one = |part, name: &str, body| vec![(Some(part), name.to_owned(), body)];
    match op {
        Op::CallSoon(name, body) | Op::CallLater(_, name, body) | Op::CallAt(_, name, body) => {
            one(Part::Callback, name, body)
        }
        Op::Io(_, name, body) => one(Part::Reader, name, body),
        Op::OnDone(_, label, body) => one(Part::Done, label, body),
        Op::Task(name, body) => one(Part::Coroutine, name, body),
        Op::Nest(body) => one(Part::Coroutine, "nested", body),
        Op::Agen(name, body) => one(Part::Closing, name, body),
        Op::Run(name, body) => one(Part::Main, name, body),
        Op::Gather(name, items, _) => items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| match item {
                Item::Name(_) => None,
                Item::Body(body) => {
                    let name = format!("{name}_{index}");
                    Some((Some(Part::Coroutine), name, body))
                }
            })
            .collect(),
        Op::Try(body, clauses, last) => {
            let clauses = clauses.iter().map(|(_, body)| body);
            let all = [body].into_iter().chain(clauses).chain([last]);
            all.map(|body| (None, String::new(), body)).collect()
        }
        Op::Repeat(_, body) => vec![(None, String::new(), body)],
        _ => Vec::new(),
    }
}
