//! # The timeout
//!
//! Step 2 of a turn is one number: how long may the loop sleep? Too long, and a callback waits that
//! could run; too short, and the loop turns for nothing.
//!
//! Complete [`Moment::timeout`]. The book has the rules and a table of situations in chapter 3, "How
//! long may the loop sleep?". Step 1 has swept the heap already, so its head is alive.

use std::time::Duration;

use containers::{Ready, Scheduled};

/// No sleep is longer than this.
pub const MAXIMUM_SELECT_TIMEOUT: Duration = Duration::from_hours(24);

/// What a loop knows when it comes to step 2.
#[derive(Default)]
pub struct Moment {
    /// What the clock shows.
    pub now: Duration,
    /// Whether `stop` was called.
    pub stopping: bool,
    /// The handles that are due; `len` and `is_empty` say how many.
    pub ready: Ready,
    /// The timers; `nearest` is the deadline at the head, on the loop's clock.
    pub scheduled: Scheduled,
}

impl Moment {
    /// What step 2 passes to select: zero to glance and not sleep, `None` to sleep until something
    /// else ends it.
    pub fn timeout(&self) -> Option<Duration> {
        todo!("zero, the time until the nearest deadline, or no limit at all")
    }
}
