//! The names a program has given so far.
//!
//! A body refers to names that stand before it in the program's text. So a task waits only for tasks
//! that were written before it, and no circle of tasks that wait for each other arises: cancelling
//! one would recurse without end in `CPython`.

use fastrand::Rng;

/// What a name is bound to. A name's first letters tell the kind, so an op is never given an object
/// of the wrong one.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Handle,
    Reader,
    Future,
    Task,
    Gather,
    Shield,
    DoneLabel,
    Generator,
    Group,
    Timeout,
    Event,
    Lock,
    Condition,
    Queue,
    Barrier,
}

const PREFIXES: [&str; 15] = [
    "h", "r", "f", "t", "g", "s", "c", "a", "tg", "tm", "e", "l", "cv", "q", "b",
];

/// The names given so far, by kind.
#[derive(Default)]
pub(super) struct Names {
    bound: [Vec<String>; PREFIXES.len()],
    made: [usize; PREFIXES.len()],
}

impl Names {
    /// A new name, which nothing refers to until it is [added](Self::add).
    pub(super) fn make(&mut self, kind: Kind) -> String {
        self.made[kind as usize] += 1;
        format!("{}{}", PREFIXES[kind as usize], self.made[kind as usize])
    }

    /// Lets what is written from here on refer to a name.
    pub(super) fn add(&mut self, kind: Kind, name: &str) {
        if !self.all(kind).iter().any(|known| known == name) {
            self.bound[kind as usize].push(name.to_owned());
        }
    }

    /// A new name that may be referred to at once.
    pub(super) fn fresh(&mut self, kind: Kind) -> String {
        let name = self.make(kind);
        self.add(kind, &name);
        name
    }

    /// A new name, or now and then an old one that is bound again.
    pub(super) fn fresh_or_again(&mut self, kind: Kind, rng: &mut Rng) -> String {
        let names = self.all(kind);
        if !names.is_empty() && rng.u8(..100) < 15 {
            return names[rng.usize(..names.len())].clone();
        }
        self.make(kind)
    }

    /// How many names of each kind there are now, for [`forget`](Self::forget).
    pub(super) fn mark(&self) -> [usize; PREFIXES.len()] {
        self.bound.each_ref().map(Vec::len)
    }

    /// Lets nothing refer any more to the names added since a mark.
    pub(super) fn forget(&mut self, mark: [usize; PREFIXES.len()]) {
        for (names, length) in self.bound.iter_mut().zip(mark) {
            names.truncate(length);
        }
    }

    /// The names of a kind.
    pub(super) fn all(&self, kind: Kind) -> &[String] {
        &self.bound[kind as usize]
    }

    /// A name of a kind, now and then one that is bound later or never.
    pub(super) fn known(&self, kind: Kind, rng: &mut Rng) -> String {
        let names = self.all(kind);
        if names.is_empty() || rng.u8(..100) < 5 {
            let prefix = PREFIXES[kind as usize];
            return match kind {
                // Never bound: a task could else wait for one that waits for it.
                Kind::Future | Kind::Task | Kind::Gather | Kind::Shield => format!("{prefix}0"),
                _ => format!("{prefix}{}", rng.usize(1..=names.len() + 2)),
            };
        }
        names[rng.usize(..names.len())].clone()
    }
}
