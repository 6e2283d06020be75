//! Random ops on futures and tasks, and on what waits for them or cancels them.

use serde_json::{Value, json};

use super::names::Kind;
use super::{Place, Writer};

impl Writer<'_> {
    /// The name of something to wait for: a future of any sort.
    fn awaitable(&mut self) -> String {
        let kinds = [
            Kind::Task,
            Kind::Task,
            Kind::Future,
            Kind::Gather,
            Kind::Shield,
        ];
        let bound: Vec<Kind> = kinds
            .into_iter()
            .filter(|&kind| !self.names.all(kind).is_empty())
            .collect();
        let kind = if bound.is_empty() {
            Kind::Task
        } else {
            self.pick(&bound)
        };
        self.names.known(kind, self.rng)
    }

    fn awaitable_or_self(&mut self, place: Place) -> String {
        if place.suspends && self.chance(10) {
            "self".into()
        } else {
            self.awaitable()
        }
    }

    fn awaitable_or_body(&mut self, place: Place) -> Value {
        let none = !self.has_object_for("await");
        if none || self.chance(50) {
            self.later_body(place.coroutine(), 3).into()
        } else {
            self.awaitable().into()
        }
    }

    fn awaitables_and_bodies(&mut self, place: Place) -> Vec<Value> {
        (0..self.pick(&[0, 1, 2, 2, 3, 3, 4]))
            .map(|_| self.awaitable_or_body(place))
            .collect()
    }

    pub(super) fn on_future(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        match op {
            "future" => self.new_future(ops, place),
            "set_result" | "set_exception" => {
                let future = self.names.known(Kind::Future, self.rng);
                let set = self.set(op, &future);
                self.maybe_guarded(ops, set, place, 75);
            }
            "on_done" => {
                let awaitable = self.awaitable();
                let body = self.later_body(place.callback(), 2);
                let label = self.names.fresh_or_again(Kind::DoneLabel, self.rng);
                self.names.add(Kind::DoneLabel, &label);
                ops.push(json!([op, awaitable, label, body]));
            }
            "off_done" => {
                let label = self.names.known(Kind::DoneLabel, self.rng);
                ops.push(json!([op, self.awaitable(), label]));
            }
            "state" | "cancel" => ops.push(json!([op, self.awaitable_or_self(place)])),
            _ => {
                let ask = json!([op, self.awaitable_or_self(place)]);
                self.maybe_guarded(ops, ask, place, 65);
            }
        }
    }

    fn set(&mut self, op: &str, future: &str) -> Value {
        if op == "set_result" {
            json!([op, future, self.scalar()])
        } else {
            json!([op, future, self.exception_type(), "f"])
        }
    }

    /// A future, with somebody who resolves it nearly always.
    fn new_future(&mut self, ops: &mut Vec<Value>, place: Place) {
        let future = self.names.fresh_or_again(Kind::Future, self.rng);
        self.names.add(Kind::Future, &future);
        ops.push(json!(["future", future]));
        let set = self.pick(&["set_result", "set_result", "set_result", "set_exception"]);
        let resolve = [self.set(set, &future)];
        let handle = self.names.fresh(Kind::Handle);
        match self.rng.u8(..20) {
            0..=12 => ops.push(json!(["call_later", self.some_ms(), handle, resolve])),
            13..=16 => ops.push(json!(["call_soon", handle, resolve])),
            17..=18 => ops.extend(resolve),
            _ => {}
        }
        if place.suspends && self.chance(30) {
            self.maybe_guarded(ops, json!(["await", future]), place, 60);
        }
    }

    pub(super) fn on_task(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        match op {
            "task" => self.new_task(ops, place),
            "gather" => {
                let items = self.awaitables_and_bodies(place);
                let name = self.names.fresh(Kind::Gather);
                ops.push(if self.chance(40) {
                    json!([op, name, items, {"return_exceptions": self.chance(85)}])
                } else {
                    json!([op, name, items])
                });
                if place.suspends && self.chance(60) {
                    self.maybe_guarded(ops, json!(["await", name]), place, 70);
                }
            }
            "shield" => {
                let inner = self.awaitable_or_body(place);
                let name = self.names.fresh(Kind::Shield);
                ops.push(json!([op, name, inner]));
            }
            _ => {
                let tasks = !self.names.all(Kind::Task).is_empty();
                let myself = place.suspends && (!tasks || self.chance(40));
                let task = if myself {
                    "self".into()
                } else {
                    self.names.known(Kind::Task, self.rng)
                };
                ops.push(json!([op, task]));
            }
        }
    }

    fn new_task(&mut self, ops: &mut Vec<Value>, place: Place) {
        let again = !self.names.all(Kind::Task).is_empty() && self.chance(8);
        let (name, body) = if again {
            // Such a task waits for no other: one that waits for the name may be older.
            let waits = json!(["sleep", self.some_ms()]);
            (
                self.names.known(Kind::Task, self.rng),
                vec![waits, json!(["return", "again"])],
            )
        } else {
            let body = self.later_body(place.coroutine(), 6);
            (self.names.make(Kind::Task), body)
        };
        self.names.add(Kind::Task, &name);
        ops.push(if self.level >= 4 && self.chance(10) {
            json!(["task", name, body, {"eager": true}])
        } else if !self.names.all(Kind::Group).is_empty() && self.chance(8) {
            json!(["task", name, body, {"group": self.names.known(Kind::Group, self.rng)}])
        } else {
            json!(["task", name, body])
        });
        if place.suspends && self.chance(25) {
            ops.push(json!(["yield"]));
        }
    }

    pub(super) fn waiting(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        let may_raise = match op {
            "agen" => {
                let last = self.later_body(place.coroutine().final_clause(), 3);
                ops.push(json!([op, self.names.fresh(Kind::Generator), last]));
                return;
            }
            "aclose" => json!([op, self.names.known(Kind::Generator, self.rng)]),
            "wait_for" => json!([op, self.awaitable_or_body(place), self.ms_or_null()]),
            "timeout" => {
                let name = self.names.fresh(Kind::Timeout);
                json!([op, name, self.ms_or_null(), self.body(place.inner(), 4)])
            }
            "reschedule" => {
                json!([
                    op,
                    self.names.known(Kind::Timeout, self.rng),
                    self.ms_or_null()
                ])
            }
            "expired" => json!([op, self.names.known(Kind::Timeout, self.rng)]),
            "wait" => self.wait(),
            "as_completed" => {
                let items = self.awaitables_and_bodies(place);
                if self.chance(50) {
                    json!([op, items])
                } else {
                    json!([op, items, self.some_ms()])
                }
            }
            _ => self.group(place),
        };
        self.maybe_guarded(ops, may_raise, place, 60);
    }

    fn wait(&mut self) -> Value {
        let names: Vec<_> = (0..self.pick(&[0, 1, 1, 2, 2, 3, 3, 4]))
            .map(|_| self.awaitable())
            .collect();
        let mut options = json!({});
        if self.chance(50) {
            options["timeout"] = self.ms_or_null();
        }
        if self.chance(60) {
            let when = self.pick(&["FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"]);
            options["when"] = when.into();
        }
        if self.chance(20) {
            json!(["wait", names])
        } else {
            json!(["wait", names, options])
        }
    }

    /// A group with tasks in it, made in the block and by the tasks themselves.
    fn group(&mut self, place: Place) -> Value {
        let group = self.names.fresh(Kind::Group);
        let mut block = Vec::new();
        for _ in 0..self.rng.u8(0..=3) {
            let mut body = self.later_body(place.coroutine().inner(), 4);
            if self.chance(15) {
                body.push(json!(["raise", self.exception_type(), "g"]));
            }
            let task = self.names.fresh(Kind::Task);
            block.push(json!(["task", task, body, {"group": group}]));
            let limit = self.rng.usize(0..=1);
            self.body_into(&mut block, place.inner(), limit);
        }
        json!(["taskgroup", group, block])
    }
}
