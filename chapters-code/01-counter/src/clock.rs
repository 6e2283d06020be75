//! What the loop asks of a clock: to tell the time and to be waited on.
//!
//! `FakeClock` jumps, so that a test of an hour's sleep takes no time and gives the same result on
//! every machine. `RealClock` in `hatch.rs` is the other implementation.

use std::collections::VecDeque;
use std::time::Duration;

use crate::Task;

// ANCHOR: clock
/// A clock that a loop can read, and wait on when it has nothing to do.
pub trait Clock {
    /// Returns the time since the loop's origin.
    fn now(&self) -> Duration;

    /// Waits until `alarm` has come or a task has been posted; with no alarm, for a post alone.
    ///
    /// A posted task goes to the back of `ready`. `false` says that there is nothing left to wait
    /// for: no alarm is set and no post can come.
    fn wait(&mut self, alarm: Option<Duration>, ready: &mut VecDeque<Task>) -> bool;

    /// Moves what has been posted so far to the back of `ready`, without waiting.
    fn collect(&mut self, ready: &mut VecDeque<Task>);
}
// ANCHOR_END: clock

/// A clock that stands still while tasks run and jumps to the alarm when the loop waits.
///
/// ```
/// use counter::{Clock, FakeClock};
/// use std::{collections::VecDeque, time::Duration};
///
/// let hour = Duration::from_secs(3600);
/// let mut clock = FakeClock::default();
/// assert!(clock.wait(Some(hour), &mut VecDeque::new()));
/// assert_eq!(clock.now(), hour);
/// ```
#[derive(Debug, Default)]
pub struct FakeClock {
    now: Duration,
}

// ANCHOR: fake
impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.now
    }

    fn wait(&mut self, alarm: Option<Duration>, _ready: &mut VecDeque<Task>) -> bool {
        let Some(alarm) = alarm else { return false };
        self.now = self.now.max(alarm);
        true
    }

    fn collect(&mut self, _ready: &mut VecDeque<Task>) {}
}
// ANCHOR_END: fake
