//! Random programs of the language, for comparing two event loops where no corpus has looked.
//!
//! Every program is valid, ends, and is made again by its seed. `ops.rs`, `tasks.rs` and `sync.rs`
//! write the ops, `names.rs` keeps what they may refer to, `shrink.rs` makes a failing program small.

use fastrand::Rng;
use serde_json::{Map, Value};

mod names;
mod ops;
mod script;
mod shape;
mod shrink;
mod sync;
mod tasks;

use names::Names;
pub use shrink::shrink;

/// Writes a random program of a level, 1 to 5, that uses the ops of that level and those below.
///
/// The program's name holds the state of `rng` at the call, in hexadecimal: a generator seeded with
/// it writes the same program.
///
/// # Panics
///
/// If `level` is not 1 to 5.
///
/// ```
/// let program = scenario::random::program(2, &mut fastrand::Rng::with_seed(7));
/// assert_eq!(program["name"], "random2-0000000000000007");
/// assert_eq!(program["mode"], "run");
/// ```
pub fn program(level: u8, rng: &mut Rng) -> Value {
    assert!(
        (1..=5).contains(&level),
        "a program's level is 1 to 5, not {level}"
    );
    let name = format!("random{level}-{:016x}", rng.get_seed());
    let mut writer = Writer {
        level,
        names: Names::default(),
        budget: 0,
        rng,
    };
    let mode = if level == 1 { "loop" } else { "run" };
    let mut program = Map::new();
    program.insert("name".into(), name.into());
    program.insert("level".into(), level.into());
    program.insert("desc".into(), "random".into());
    program.insert("mode".into(), mode.into());
    writer.settings(&mut program);
    let script = if level == 1 {
        writer.loop_script()
    } else {
        writer.run_script()
    };
    program.insert("script".into(), script.into());
    program.into()
}

/// What the place of a body allows.
#[derive(Clone, Copy)]
struct Place {
    /// It may wait: it is a coroutine's.
    suspends: bool,
    /// `return` may leave it.
    returns: bool,
    /// There is an exception to reraise.
    handles: bool,
    depth: u8,
}

impl Place {
    const SCRIPT: Self = Self {
        suspends: false,
        returns: false,
        handles: false,
        depth: 0,
    };
    const MAIN: Self = Self {
        suspends: true,
        returns: true,
        handles: false,
        depth: 0,
    };

    /// One level further in.
    fn inner(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn callback(self) -> Self {
        Self {
            suspends: false,
            returns: true,
            handles: false,
            depth: self.depth + 1,
        }
    }

    fn coroutine(self) -> Self {
        Self {
            suspends: true,
            ..self.callback()
        }
    }

    /// A body that may be put where it stands or into a coroutine of its own.
    fn moved(self) -> Self {
        Self {
            handles: false,
            ..self.inner()
        }
    }

    fn clause(self) -> Self {
        Self {
            handles: true,
            ..self.inner()
        }
    }

    fn final_clause(self) -> Self {
        Self {
            returns: false,
            ..self.inner()
        }
    }
}

/// A program while it is written.
struct Writer<'a> {
    level: u8,
    names: Names,
    /// How many more ops the present part of the script may hold.
    budget: u32,
    rng: &'a mut Rng,
}

const DEEPEST: u8 = 5;

impl Writer<'_> {
    /// A body of up to `limit` ops, as the budget and the depth allow.
    fn body(&mut self, place: Place, limit: usize) -> Vec<Value> {
        let mut ops = Vec::new();
        if place.depth <= DEEPEST {
            let limit = self.rng.usize(0..=limit);
            self.body_into(&mut ops, place, limit);
        }
        ops
    }

    /// A body that runs later than what is written after it, a callback's or a task's: most of its
    /// names are not bound by then.
    fn later_body(&mut self, place: Place, limit: usize) -> Vec<Value> {
        let mark = self.names.mark();
        let body = self.body(place, limit);
        if self.chance(75) {
            self.names.forget(mark);
        }
        body
    }

    fn body_into(&mut self, ops: &mut Vec<Value>, place: Place, limit: usize) {
        for _ in 0..limit {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.add_op(ops, place);
        }
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())]
    }

    /// A time in milliseconds, small and from few values, so that deadlines often meet.
    fn some_ms(&mut self) -> i64 {
        self.pick(&[-5, 0, 0, 1, 1, 2, 2, 2, 3, 5, 5, 5, 10, 10, 20])
    }

    fn ms_or_null(&mut self) -> Value {
        if self.chance(12) {
            Value::Null
        } else {
            self.some_ms().into()
        }
    }

    fn scalar(&mut self) -> Value {
        let number = self.rng.u8(..100);
        self.pick::<fn(u8) -> Value>(&[
            |n| n.into(),
            |n| n.into(),
            |_| "v".into(),
            |_| true.into(),
            |_| Value::Null,
        ])(number)
    }

    /// The type of an exception that the program itself makes.
    fn exception_type(&mut self) -> &'static str {
        let level = self.level;
        if level != 2 && self.chance(8) {
            // From level 2 on the message of a CancelledError comes and goes; SPEC leaves it out.
            let most = if level == 1 { 3 } else { 2 };
            return self.pick(&["SystemExit", "KeyboardInterrupt", "CancelledError"][..most]);
        }
        self.pick(&[
            "ValueError",
            "KeyError",
            "OSError",
            "RuntimeError",
            "TimeoutError",
            "ZeroDivisionError",
            "InvalidStateError",
            "QueueEmpty",
        ])
    }

    fn broad_type(&mut self) -> &'static str {
        self.pick(&["Exception", "Exception", "Exception", "BaseException"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAMS: u64 = 2_000;

    #[test]
    fn programs_are_json_valid_and_made_again_by_their_seed() {
        for level in 1..=5 {
            for seed in 0..PROGRAMS {
                let program = program(level, &mut Rng::with_seed(seed));
                let text = program.to_string();
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), program);
                assert!(shape::well_placed(&program), "{text}");
                assert_eq!(super::program(level, &mut Rng::with_seed(seed)), program);
            }
        }
    }

    #[test]
    fn every_op_of_a_level_is_written_and_none_above_it() {
        for level in 1..=5 {
            let mut seen = std::collections::BTreeSet::new();
            for seed in 0..PROGRAMS / 4 {
                collect_ops(
                    &program(level, &mut Rng::with_seed(seed))["script"],
                    &mut seen,
                );
            }
            for &(op, from, _) in ops::OPS {
                let written = seen.contains(op);
                // To stop the loop under a run is left to level 3.
                let wanted = from <= level && !(op == "stop" && level == 2);
                assert_eq!(written, wanted, "level {level}: {op}");
            }
        }
    }

    fn collect_ops(value: &Value, seen: &mut std::collections::BTreeSet<String>) {
        let Value::Array(items) = value else { return };
        if let Some(Value::String(name)) = items.first() {
            seen.insert(name.clone());
        }
        for item in items {
            collect_ops(item, seen);
        }
    }
}
