//! Random ops of level 5: locks, events, semaphores, conditions, queues, barriers.

use serde_json::{Value, json};

use super::names::Kind;
use super::{Place, Writer};

impl Writer<'_> {
    /// Binds a name to one more object to wait at.
    pub(super) fn new_sync_object(&mut self, ops: &mut Vec<Value>) {
        let kind = self.pick(&[
            "event",
            "lock",
            "lock",
            "semaphore",
            "bounded_semaphore",
            "condition",
            "queue",
            "queue",
            "barrier",
        ]);
        self.make_sync_object(ops, kind);
    }

    fn make_sync_object(&mut self, ops: &mut Vec<Value>, op: &str) {
        let kind = match op {
            "event" => Kind::Event,
            "condition" => Kind::Condition,
            "queue" => Kind::Queue,
            "barrier" => Kind::Barrier,
            _ => Kind::Lock,
        };
        let name = self.names.fresh_or_again(kind, self.rng);
        self.names.add(kind, &name);
        let made = match op {
            "semaphore" | "bounded_semaphore" => json!([op, name, self.pick(&[0, 1, 1, 2, 2, 3])]),
            "condition" if self.chance(15) => {
                let lock = self.names.make(Kind::Lock);
                ops.push(json!(["lock", lock]));
                self.names.add(Kind::Lock, &lock);
                json!([op, name, lock])
            }
            "queue" => {
                let sort = self.pick(&["fifo", "fifo", "lifo", "priority"]);
                json!([op, name, self.pick(&[0, 0, 1, 1, 2]), sort])
            }
            "barrier" => json!([op, name, self.pick(&[1, 2, 2, 2, 3])]),
            _ => json!([op, name]),
        };
        ops.push(made);
        if self.chance(50) {
            self.someone_wakes(ops, kind, &name);
        }
    }

    /// Lets somebody come later to those who wait.
    fn someone_wakes(&mut self, ops: &mut Vec<Value>, kind: Kind, name: &str) {
        let wake = match kind {
            Kind::Event => json!(["event_set", name]),
            Kind::Queue if self.chance(70) => json!(["put_nowait", name, self.rng.u8(..10)]),
            Kind::Queue => json!(["get_nowait", name]),
            Kind::Lock if self.chance(30) => json!(["release", name]),
            Kind::Condition => {
                let task = self.names.fresh(Kind::Task);
                let notify = json!(["with", name, [["notify_all", name]]]);
                ops.push(json!(["task", task, [["sleep", self.some_ms()], notify]]));
                return;
            }
            _ => return,
        };
        let handle = self.names.fresh(Kind::Handle);
        ops.push(json!([
            "call_later",
            self.pick(&[1, 2, 5, 10, 20]),
            handle,
            [wake]
        ]));
    }

    /// Adds an op that may wait for long. In a main most leave that to a task, so that there is
    /// somebody left to wake it; some have a timeout.
    fn wait_at(&mut self, ops: &mut Vec<Value>, wait: Vec<Value>, place: Place) {
        if place.depth == 0 && self.chance(65) {
            let task = self.names.fresh(Kind::Task);
            ops.push(json!(["task", task, wait]));
        } else if self.chance(25) {
            let name = self.names.fresh(Kind::Timeout);
            let timeout = json!(["timeout", name, self.pick(&[1, 5, 20]), wait]);
            self.maybe_guarded(ops, timeout, place, 90);
        } else {
            ops.extend(wait);
        }
    }

    /// What can be acquired: a lock, a semaphore, a condition.
    fn lock(&mut self) -> String {
        let kind = if self.chance(25) {
            Kind::Condition
        } else {
            Kind::Lock
        };
        self.names.known(kind, self.rng)
    }

    /// Adds an op of level 5.
    pub(super) fn sync(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        match op {
            "event" | "lock" | "semaphore" | "bounded_semaphore" | "condition" | "queue"
            | "barrier" => self.make_sync_object(ops, op),
            "event_wait" => {
                let wait = json!([op, self.names.known(Kind::Event, self.rng)]);
                self.wait_at(ops, vec![wait], place);
            }
            "event_set" | "event_clear" | "event_is_set" => {
                ops.push(json!([op, self.names.known(Kind::Event, self.rng)]));
            }
            "locked" => ops.push(json!([op, self.names.known(Kind::Lock, self.rng)])),
            "acquire" => {
                let lock = self.lock();
                let mut wait = vec![json!([op, lock])];
                if self.chance(80) {
                    self.body_into(&mut wait, place.moved(), 1);
                    self.maybe_guarded(&mut wait, json!(["release", lock]), place.moved(), 50);
                }
                self.wait_at(ops, wait, place);
            }
            "with" => {
                let wait = json!([op, self.lock(), self.body(place.moved(), 3)]);
                self.wait_at(ops, vec![wait], place);
            }
            "release" => {
                let release = json!([op, self.lock()]);
                self.maybe_guarded(ops, release, place, 70);
            }
            "cond_wait" | "cond_wait_for" | "notify" | "notify_all" => {
                self.on_condition(ops, op, place);
            }
            "barrier_wait" => {
                let wait = json!([op, self.names.known(Kind::Barrier, self.rng)]);
                let mut guarded = Vec::new();
                self.maybe_guarded(&mut guarded, wait, place.moved(), 40);
                self.wait_at(ops, guarded, place);
            }
            "barrier_reset" | "barrier_abort" => {
                ops.push(json!([op, self.names.known(Kind::Barrier, self.rng)]));
            }
            _ => self.on_queue(ops, op, place),
        }
    }

    /// An op that wants the condition's lock, and mostly has it.
    fn on_condition(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        let condition = self.names.known(Kind::Condition, self.rng);
        let wanted = match op {
            "cond_wait_for" => json!([op, condition, self.names.known(Kind::Event, self.rng)]),
            "notify" => json!([op, condition, self.pick(&[0, 1, 1, 2])]),
            _ => json!([op, condition]),
        };
        if place.suspends && self.chance(85) {
            let with = json!(["with", condition, [wanted]]);
            if op.starts_with("cond") {
                self.wait_at(ops, vec![with], place);
            } else {
                ops.push(with);
            }
        } else {
            self.maybe_guarded(ops, wanted, place, 70);
        }
    }

    fn on_queue(&mut self, ops: &mut Vec<Value>, op: &str, place: Place) {
        let queue = self.names.known(Kind::Queue, self.rng);
        match op {
            // Numbers only: a priority queue compares them.
            "put" => {
                let items: Vec<u8> = (0..self.rng.u8(1..=3)).map(|_| self.rng.u8(..10)).collect();
                let wait = items
                    .into_iter()
                    .map(|item| json!([op, queue, item]))
                    .collect();
                self.wait_at(ops, wait, place);
            }
            "put_nowait" => {
                let put = json!([op, queue, self.rng.u8(..10)]);
                self.maybe_guarded(ops, put, place, 60);
            }
            "get" => {
                let mut wait = vec![json!([op, queue])];
                if self.chance(50) {
                    self.maybe_guarded(&mut wait, json!(["task_done", queue]), place.moved(), 50);
                }
                self.wait_at(ops, wait, place);
            }
            "queue_join" => self.wait_at(ops, vec![json!([op, queue])], place),
            "queue_shutdown" => ops.push(json!([op, queue, self.chance(30)])),
            "qsize" => ops.push(json!([op, queue])),
            _ => self.maybe_guarded(ops, json!([op, queue]), place, 70),
        }
    }
}
