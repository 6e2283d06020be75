//! Two watchers: one that counts turns, and one that records what each turn did.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use containers::Handle;

use crate::event_loop::EventLoop;
use crate::watch::{Step, Watch};

/// Counts turns.
///
/// ```
/// use six_steps::{EventLoop, TurnCounter};
/// use std::rc::Rc;
///
/// let event_loop = EventLoop::new();
/// let turns = Rc::new(TurnCounter::default());
/// event_loop.watch(turns.clone());
/// event_loop.stop();
/// event_loop.run_forever()?;
/// assert_eq!(turns.count(), 1);
/// # Ok::<(), six_steps::LoopError>(())
/// ```
#[derive(Debug, Default)]
pub struct TurnCounter {
    turns: Cell<u64>,
}

impl TurnCounter {
    /// How many turns started since it began to watch.
    pub fn count(&self) -> u64 {
        self.turns.get()
    }
}

impl Watch for TurnCounter {
    fn turn_started(&self, _: &EventLoop) {
        self.turns.set(self.turns.get() + 1);
    }
}

/// Records what every turn did.
#[derive(Debug, Default)]
pub struct Recorder {
    turns: RefCell<Vec<TurnRecord>>,
}

/// What one turn did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnRecord {
    /// The clock as the turn started.
    pub started: Duration,
    /// What step 2 passed to select; meaningless before step 3.
    pub timeout: Option<Duration>,
    /// The clock as select returned; `None` if it failed.
    pub woke: Option<Duration>,
    /// Timers on the heap before and after the sweep.
    pub heap: (usize, usize),
    /// The count of cancelled timers before and after the sweep.
    pub cancelled_count: (usize, usize),
    /// Every handle step 6 took, by name; `cancelled` for one that it skipped.
    pub ran: Vec<String>,
    /// The clock as the turn ended; `None` if an error ended it early.
    pub ended: Option<Duration>,
}

impl Recorder {
    /// The turns so far.
    pub fn turns(&self) -> Vec<TurnRecord> {
        self.turns.borrow().clone()
    }

    fn with_last(&self, change: impl FnOnce(&mut TurnRecord)) {
        if let Some(last) = self.turns.borrow_mut().last_mut() {
            change(last);
        }
    }
}

impl Watch for Recorder {
    fn turn_started(&self, event_loop: &EventLoop) {
        self.turns.borrow_mut().push(TurnRecord {
            started: event_loop.time(),
            ..TurnRecord::default()
        });
    }

    fn step_entered(&self, event_loop: &EventLoop, step: Step) {
        let heap = event_loop.scheduled_len();
        let cancelled = event_loop.timer_cancelled_count();
        self.with_last(|turn| match step {
            Step::Sweep => (turn.heap.0, turn.cancelled_count.0) = (heap, cancelled),
            Step::Timeout => (turn.heap.1, turn.cancelled_count.1) = (heap, cancelled),
            Step::Select(timeout) => turn.timeout = timeout,
            Step::Events => turn.woke = Some(event_loop.time()),
            Step::Timers | Step::Run(_) => {}
        });
    }

    fn handle_about_to_run(&self, _: &EventLoop, handle: &Handle) {
        self.with_last(|turn| turn.ran.push(handle.callback().to_string()));
    }

    fn handle_skipped(&self, _: &EventLoop, _: &Handle) {
        self.with_last(|turn| turn.ran.push("cancelled".to_owned()));
    }

    fn turn_ended(&self, event_loop: &EventLoop) {
        self.with_last(|turn| turn.ended = Some(event_loop.time()));
    }
}
