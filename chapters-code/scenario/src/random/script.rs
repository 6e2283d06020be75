//! A random program as a whole: its settings, its script, and how its runs end.

use serde_json::{Map, Value, json};

use super::names::Kind;
use super::{Place, Writer};

impl Writer<'_> {
    pub(super) fn settings(&mut self, program: &mut Map<String, Value>) {
        if self.level >= 3 && self.chance(30) {
            program.insert("debug".into(), true.into());
            if self.chance(50) {
                program.insert("slow".into(), self.pick(&[0, 1, 5, 10, 50, 101]).into());
            }
        }
        if self.chance(12) {
            program.insert("resolution".into(), self.pick(&[1, 1, 2, 5, 10]).into());
        }
        if self.level >= 4 && self.chance(15) {
            program.insert("eager_factory".into(), true.into());
        }
    }

    /// Mode "loop": parts that each end in `run_forever`, nearly all with a stop to come.
    pub(super) fn loop_script(&mut self) -> Vec<Value> {
        let mut script = Vec::new();
        for part in 0..self.rng.u8(1..=3) {
            if self.chance(4) {
                script.push(json!(["stop"]));
            }
            self.budget = self.rng.u32(8..40);
            let limit = self.rng.usize(3..=12);
            self.body_into(&mut script, Place::SCRIPT, limit);
            if self.chance(12) {
                self.many_timers(&mut script);
            }
            if self.chance(90) {
                let end = self.pick(&[0, 10, 60, 120, 120]);
                script.push(json!(["call_later", end, format!("end{part}"), [["stop"]]]));
            }
            script.push(json!(["run_forever"]));
        }
        script
    }

    /// Mode "run": one run, from level 3 on up to three.
    pub(super) fn run_script(&mut self) -> Vec<Value> {
        let runs = if self.level >= 3 {
            self.pick(&[1, 1, 1, 2, 2, 3])
        } else {
            1
        };
        (0..runs)
            .map(|run| {
                self.budget = self.rng.u32(5..45) / runs + 2;
                let mut body = Vec::new();
                if self.level == 5 {
                    for _ in 0..self.rng.u8(2..=4) {
                        self.new_sync_object(&mut body);
                    }
                }
                let limit = self.rng.usize(3..=12);
                self.body_into(&mut body, Place::MAIN, limit);
                if self.chance(6) {
                    self.many_timers(&mut body);
                }
                self.ending(&mut body);
                let name = if runs == 1 {
                    "main".into()
                } else {
                    format!("m{}", run + 1)
                };
                json!(["run", name, body])
            })
            .collect()
    }

    /// Lets most mains see their tasks end; the others leave them to `Runner.close()`.
    fn ending(&mut self, body: &mut Vec<Value>) {
        if self.chance(60) {
            let tasks = self.names.all(Kind::Task).to_vec();
            for task in tasks.iter().rev().take(3) {
                let op = if self.level >= 4 && self.chance(60) {
                    json!(["wait_for", task, 60])
                } else {
                    json!(["await", task])
                };
                body.push(json!(["try", [op], [[self.broad_type(), []]]]));
            }
        }
        if self.chance(50) {
            body.push(json!(["sleep", self.pick(&[1, 30, 60])]));
        }
        if self.level >= 3 && self.chance(4) {
            body.push(json!(["stop"]));
        }
    }

    /// About a hundred timers, many of them cancelled: what the sweep of step 1 looks at.
    fn many_timers(&mut self, ops: &mut Vec<Value>) {
        let kept = self.rng.u32(20..=70);
        let cancelled = (self.rng.u32(95..=125) - kept).max(kept / 2);
        let (k, c) = (
            self.names.fresh(Kind::Handle),
            self.names.fresh(Kind::Handle),
        );
        let (early, late, far) = (self.some_ms(), self.some_ms(), self.pick(&[30, 50, 200]));
        ops.push(json!([
            "repeat",
            kept / 2,
            [["call_later", early, k], ["call_later", late, k]]
        ]));
        ops.push(json!([
            "repeat",
            cancelled,
            [["call_later", far, c], ["cancel_handle", c]]
        ]));
    }
}
