//! Writes the trace: the events of the program, turn by turn, beside what the loop did in each.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use serde_json::{Map, Value, json};
use six_steps::TurnRecord;

use crate::film::Camera;
use crate::op::{Body, Op};

/// After how many turns a program counts as endless, as in the recorder. A loop with a fault would
/// else fill the memory with turns.
pub(crate) const TURN_LIMIT: usize = 100_000;

/// After how many operations: a program can also stay in one turn for ever.
pub(crate) const OP_LIMIT: u64 = 2_000_000;

/// The trace while it grows: the program's events, the phases, and what was recorded outside of any
/// turn. What each turn did comes from the subject in the end.
#[derive(Default)]
pub(crate) struct Tracer {
    entries: RefCell<Vec<Entry>>,
    phase: RefCell<String>,
    ops: Cell<u64>,
    inside_turn: Cell<bool>,
    turns: Cell<usize>,
    origin: Duration,
    /// What films the loop, if anything does.
    pub(crate) camera: Option<Camera>,
}

enum Entry {
    Turn {
        phase: String,
        log: Vec<Value>,
        raised: Option<Left>,
    },
    Outside(Vec<Value>),
}

/// The exception that left a turn.
struct Left {
    text: String,
    /// When it did, which ends the turn.
    at: Duration,
}

impl Tracer {
    /// A trace whose times count from `origin`.
    pub(crate) fn new(origin: Duration) -> Self {
        Self {
            origin,
            ..Self::default()
        }
    }

    /// The same trace, whose loop is filmed as well.
    pub(crate) fn filmed_by(self, camera: Option<Camera>) -> Self {
        Self { camera, ..self }
    }

    /// Counts an operation; false once the program has had all it may have.
    pub(crate) fn counts_op(&self) -> bool {
        self.ops.set(self.ops.get() + 1);
        !self.is_busy_for_ever()
    }

    /// Whether the program has had all the operations it may have.
    pub(crate) fn is_busy_for_ever(&self) -> bool {
        self.ops.get() > OP_LIMIT
    }

    /// Whether the program has had all the turns it may have. Any more of them are not recorded.
    pub(crate) fn is_over(&self) -> bool {
        self.turns.get() >= TURN_LIMIT
    }

    /// A turn starts; false, and nothing is recorded of it, if the program has had all of them.
    pub(crate) fn turn_started(&self) -> bool {
        if self.is_over() {
            return false;
        }
        self.turns.set(self.turns.get() + 1);
        self.inside_turn.set(true);
        let phase = self.phase.borrow().clone();
        self.entries.borrow_mut().push(Entry::Turn {
            phase,
            log: Vec::new(),
            raised: None,
        });
        true
    }

    /// The turn that is going on, if one is, ran to its end.
    pub(crate) fn turn_ended(&self) {
        self.inside_turn.set(false);
    }

    /// Whether a turn is going on.
    pub(crate) fn is_inside_turn(&self) -> bool {
        self.inside_turn.get()
    }

    /// How many turns have started.
    pub(crate) fn turns(&self) -> usize {
        self.turns.get()
    }

    /// Names the run of the loop that the next turns belong to.
    pub(crate) fn set_phase(&self, phase: impl Into<String>) {
        let phase = phase.into();
        if let Some(camera) = &self.camera {
            camera.film.set_phase(&phase);
        }
        self.phase.replace(phase);
    }

    /// Records an event, in the current turn or outside.
    pub(crate) fn record(&self, event: Value) {
        if let Some(camera) = &self.camera {
            camera.film.say(event.clone());
        }
        let mut entries = self.entries.borrow_mut();
        match entries.last_mut() {
            Some(Entry::Turn { log, .. }) if self.inside_turn.get() => log.push(event),
            Some(Entry::Outside(log)) => log.push(event),
            _ => entries.push(Entry::Outside(vec![event])),
        }
    }

    /// Notes that an exception left the turn that is going on, if one is.
    pub(crate) fn turn_raised(&self, text: &str, now: Duration) {
        if self.inside_turn.replace(false)
            && let Some(Entry::Turn { raised, .. }) = self.entries.borrow_mut().last_mut()
        {
            *raised = Some(Left {
                text: text.to_owned(),
                at: now,
            });
        }
    }

    /// An op is run.
    pub(crate) fn at_op(&self, op: &Op) {
        if let Some(camera) = &self.camera {
            camera.at_op(op);
        }
    }

    /// A body is entered.
    pub(crate) fn at_body(&self, body: &Body) {
        if let Some(camera) = &self.camera {
            camera.at_body(body);
        }
    }

    /// The trace's `turns` and `totals`.
    pub(crate) fn finish(&self, now: Duration, turns: &[TurnRecord]) -> (Value, Value) {
        let entries = self.entries.borrow();
        let (mut written, mut handles, mut longest) = (Vec::new(), 0, Duration::ZERO);
        let mut index = 0;
        for entry in entries.iter() {
            let (phase, log, raised) = match entry {
                Entry::Outside(log) => {
                    written.push(json!({ "outside": log }));
                    continue;
                }
                Entry::Turn { phase, log, raised } => (phase, log, raised),
            };
            let turn = &turns[index];
            index += 1;
            let left = raised.as_ref().map(|left| left.at);
            let ended = turn.ended.or(left).unwrap_or(now);
            longest = longest.max(ended.saturating_sub(turn.started));
            handles += turn.ran.len();
            let mut map = Map::new();
            map.insert("turn".into(), index.into());
            map.insert("phase".into(), phase.as_str().into());
            map.insert("t".into(), self.millis(turn.started));
            map.insert("timeout".into(), turn.timeout.map_or(Value::Null, millis));
            if let Some(woke) = turn.woke {
                map.insert("woke".into(), self.millis(woke));
            }
            map.insert("heap".into(), json!([turn.heap.0, turn.heap.1]));
            map.insert(
                "ccount".into(),
                json!([turn.cancelled_count.0, turn.cancelled_count.1]),
            );
            map.insert("ran".into(), json!(turn.ran));
            map.insert("log".into(), json!(log));
            if let Some(left) = raised {
                map.insert("raised".into(), left.text.as_str().into());
            }
            written.push(map.into());
        }
        let totals = json!({
            "turns": index,
            "handles": handles,
            "t_end": self.millis(now),
            "longest_turn": millis(longest),
        });
        (written.into(), totals)
    }

    /// The trace of a program that did not end: its turns, and nothing after them.
    pub(crate) fn unfinished(&self, now: Duration, turns: &[TurnRecord]) -> Value {
        json!({ "turns": self.finish(now, turns).0 })
    }

    /// A moment of the loop's clock, in the trace's milliseconds.
    pub(crate) fn millis(&self, moment: Duration) -> Value {
        millis(moment.saturating_sub(self.origin))
    }
}

/// A whole number of milliseconds where it is one, as all times of the language are.
fn millis(duration: Duration) -> Value {
    let nanos = duration.as_nanos();
    if nanos.is_multiple_of(1_000_000) {
        u64::try_from(nanos / 1_000_000).unwrap_or(u64::MAX).into()
    } else {
        (duration.as_secs_f64() * 1000.0).into()
    }
}
