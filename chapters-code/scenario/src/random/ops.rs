//! Random ops: which stand where, and the ops of the bare loop.
//!
//! Those on futures, tasks and groups are in `tasks.rs`, those of level 5 in `sync.rs`.

use serde_json::{Value, json};

use super::names::Kind;
use super::{Place, Writer};

/// Each op: its name, the level it belongs to, how often it is wanted.
#[rustfmt::skip]
pub(super) const OPS: &[(&str, u8, u32)] = &[
    ("log", 1, 10), ("time", 1, 4), ("block", 1, 7), ("call_soon", 1, 14), ("call_later", 1, 16),
    ("call_at", 1, 7), ("cancel_handle", 1, 9), ("handle_cancelled", 1, 3), ("io", 1, 5),
    ("stop", 1, 1), ("raise", 1, 4), ("try", 1, 5), ("reraise", 1, 9), ("repeat", 1, 4),
    ("return", 1, 3),
    ("future", 2, 14), ("set_result", 2, 6), ("set_exception", 2, 3), ("on_done", 2, 8),
    ("off_done", 2, 3), ("state", 2, 4), ("result", 2, 4), ("exception", 2, 4), ("task", 2, 26),
    ("await", 2, 22), ("yield", 2, 12), ("sleep", 2, 16), ("nest", 2, 6), ("gather", 2, 10),
    ("set_debug", 3, 2), ("set_slow", 3, 2), ("agen", 3, 12), ("aclose", 3, 6),
    ("cancel", 4, 24), ("uncancel", 4, 4), ("cancelling", 4, 4), ("wait_for", 4, 12),
    ("timeout", 4, 12), ("reschedule", 4, 4), ("expired", 4, 3), ("wait", 4, 9),
    ("as_completed", 4, 7), ("shield", 4, 8), ("taskgroup", 4, 10),
    ("event", 5, 2), ("event_set", 5, 8), ("event_clear", 5, 3), ("event_is_set", 5, 2),
    ("event_wait", 5, 8), ("lock", 5, 2), ("semaphore", 5, 2), ("bounded_semaphore", 5, 2),
    ("condition", 5, 2), ("acquire", 5, 9), ("release", 5, 12), ("locked", 5, 3), ("with", 5, 14),
    ("cond_wait", 5, 5), ("cond_wait_for", 5, 3), ("notify", 5, 7), ("notify_all", 5, 4),
    ("queue", 5, 2), ("put", 5, 8), ("get", 5, 8), ("put_nowait", 5, 8), ("get_nowait", 5, 5),
    ("task_done", 5, 5), ("queue_join", 5, 2), ("qsize", 5, 2), ("queue_shutdown", 5, 2),
    ("barrier", 5, 2), ("barrier_wait", 5, 8), ("barrier_reset", 5, 2), ("barrier_abort", 5, 2),
];

/// The ops that suspend: SPEC.md, "Programs".
pub(super) const SUSPENDING: &[&str] = &[
    "yield",
    "sleep",
    "await",
    "nest",
    "wait_for",
    "wait",
    "as_completed",
    "timeout",
    "taskgroup",
    "agen",
    "aclose",
    "event_wait",
    "acquire",
    "with",
    "cond_wait",
    "cond_wait_for",
    "put",
    "get",
    "queue_join",
    "barrier_wait",
    "barrier_reset",
    "barrier_abort",
];

impl Writer<'_> {
    /// Adds a random op that may stand in `place`, with what belongs to it.
    pub(super) fn add_op(&mut self, ops: &mut Vec<Value>, place: Place) {
        let mut op = self.choose(place);
        // An op on a name that is not bound does nothing: a few are enough.
        for _ in 0..4 {
            if self.has_object_for(op) || self.chance(5) {
                break;
            }
            op = self.choose(place);
        }
        match op {
            op @ ("log" | "time" | "block" | "stop" | "cancel_handle" | "handle_cancelled"
            | "reraise" | "return" | "yield" | "sleep" | "set_debug" | "set_slow") => {
                let op = self.simple(op);
                ops.push(op);
            }
            op @ ("call_soon" | "call_later" | "call_at" | "io") => self.callback(ops, op, place),
            op @ ("try" | "repeat" | "nest" | "raise") => self.flow(ops, op, place),
            op @ ("future" | "set_result" | "set_exception" | "on_done" | "off_done" | "state"
            | "result" | "exception" | "await" | "cancel") => self.on_future(ops, op, place),
            op @ ("task" | "gather" | "shield" | "uncancel" | "cancelling") => {
                self.on_task(ops, op, place);
            }
            op @ ("agen" | "aclose" | "wait_for" | "timeout" | "reschedule" | "expired"
            | "wait" | "as_completed" | "taskgroup") => self.waiting(ops, op, place),
            op => self.sync(ops, op, place),
        }
    }

    fn choose(&mut self, place: Place) -> &'static str {
        let weight = |&(op, from, weight): &(&str, u8, u32)| {
            let stands = from <= self.level
                && (place.suspends || !SUSPENDING.contains(&op))
                && (place.returns || op != "return")
                && (place.handles || op != "reraise")
                && (self.level != 2 || op != "stop");
            // What leaves an op of a loop's script ends the script.
            let ends = !place.returns && matches!(op, "raise" | "reraise");
            if !stands {
                0
            } else if ends {
                1
            } else if from == self.level {
                3 * weight // a level's own ops are what its programs are about
            } else {
                weight
            }
        };
        let weights: Vec<u32> = OPS.iter().map(weight).collect();
        let sum: u32 = weights.iter().sum();
        let mut at = self.rng.u32(..sum);
        for (&(op, ..), weight) in OPS.iter().zip(weights) {
            if at < weight {
                return op;
            }
            at -= weight;
        }
        "log"
    }

    /// Whether a name is bound that the op could be about.
    pub(super) fn has_object_for(&self, op: &str) -> bool {
        let kinds: &[Kind] = match op {
            "cancel_handle" | "handle_cancelled" => &[Kind::Handle],
            "set_result" | "set_exception" => &[Kind::Future],
            "on_done" | "state" | "result" | "exception" | "await" | "cancel" | "wait" => {
                &[Kind::Task, Kind::Future, Kind::Gather, Kind::Shield]
            }
            "off_done" => &[Kind::DoneLabel],
            "aclose" => &[Kind::Generator],
            "reschedule" | "expired" => &[Kind::Timeout],
            "event_set" | "event_clear" | "event_is_set" | "event_wait" => &[Kind::Event],
            "acquire" | "release" | "locked" | "with" => &[Kind::Lock],
            "cond_wait" | "cond_wait_for" | "notify" | "notify_all" => &[Kind::Condition],
            "put" | "get" | "put_nowait" | "get_nowait" | "task_done" | "queue_join" | "qsize"
            | "queue_shutdown" => &[Kind::Queue],
            "barrier_wait" | "barrier_reset" | "barrier_abort" => &[Kind::Barrier],
            _ => return true,
        };
        kinds.iter().any(|&kind| !self.names.all(kind).is_empty())
    }

    fn simple(&mut self, op: &str) -> Value {
        match op {
            "log" | "return" => json!([op, self.scalar()]),
            "block" => {
                let slow = self.level >= 3 && self.chance(30);
                let ms = if slow {
                    self.pick(&[99, 100, 101, 250])
                } else {
                    self.rng.i64(0..=12)
                };
                json!([op, ms])
            }
            "cancel_handle" | "handle_cancelled" => {
                json!([op, self.names.known(Kind::Handle, self.rng)])
            }
            "sleep" => json!([op, self.some_ms()]),
            "set_debug" => json!([op, self.chance(70)]),
            "set_slow" => json!([op, self.pick(&[0, 1, 5, 10, 100])]),
            _ => json!([op]),
        }
    }

    fn callback(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        let body = self.later_body(place.callback(), 4);
        let kind = if op == "io" {
            Kind::Reader
        } else {
            Kind::Handle
        };
        let name = self.names.fresh_or_again(kind, self.rng);
        self.names.add(kind, &name);
        ops.push(match op {
            "call_soon" => json!([op, name, body]),
            "call_later" => json!([op, self.some_ms(), name, body]),
            _ => json!([
                op,
                self.pick(&[0, 1, 2, 5, 5, 10, 20, 20, 30, 40]),
                name,
                body
            ]),
        });
        if op != "io" && self.chance(10) {
            ops.push(json!(["cancel_handle", name]));
        }
    }

    fn flow(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        match op {
            "try" => {
                let body = self.body(place.inner(), 4);
                let guarded = self.guard(body, place);
                ops.push(guarded);
            }
            "repeat" => {
                let times = self.pick(&[0, 1, 2, 2, 3, 4]);
                let body = self.body(place.inner(), 3);
                ops.push(json!([op, times, body]));
            }
            "nest" => {
                let body = self.body(place.coroutine(), 4);
                ops.push(json!([op, body]));
            }
            _ => {
                let raise = json!([op, self.exception_type(), self.pick(&["x", "y", "z"])]);
                let percent = if place.returns { 50 } else { 95 };
                self.maybe_guarded(ops, raise, place, percent);
            }
        }
    }

    /// `body` in a try, with clauses that often match.
    fn guard(&mut self, body: Vec<Value>, place: Place) -> Value {
        let mut clauses = Vec::new();
        for _ in 0..self.pick(&[1, 1, 1, 2]) {
            let kind = match self.rng.u8(..10) {
                0..=4 => self.broad_type(),
                5..=7 if self.level >= 3 => "CancelledError",
                8 if self.level >= 4 => self.pick(&["TimeoutError", "ExceptionGroup"]),
                _ => self.exception_type(),
            };
            let mut clause = self.body(place.clause(), 2);
            if self.chance(25) {
                clause.push(json!(["reraise"]));
            }
            clauses.push(json!([kind, clause]));
        }
        if self.chance(25) {
            json!(["try", body, clauses, self.body(place.final_clause(), 2)])
        } else {
            json!(["try", body, clauses])
        }
    }

    /// An op that may raise: `percent` of them inside a try.
    pub(super) fn maybe_guarded(
        &mut self,
        ops: &mut Vec<Value>,
        op: Value,
        place: Place,
        percent: u8,
    ) {
        let guarded = self.chance(percent);
        ops.push(if guarded {
            self.guard(vec![op], place)
        } else {
            op
        });
    }
}
