//! A handle with a deadline. It counts its own cancellation, since the sweep of step 1 asks how
//! many of the timers on the heap are cancelled.

use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;

use crate::exception::Exception;
use crate::handle::{Callback, Handle};

/// A handle that is due at a moment of the loop's clock (`asyncio/events.py`, `TimerHandle`,
/// line 108 at v3.13.0). [`Scheduled::push`](crate::Scheduled::push) makes it.
///
/// Dropping it changes nothing: the timer stays on the heap.
#[derive(Clone)]
pub struct TimerHandle {
    handle: Handle,
    // Shared with the heap, which may be gone by the time someone cancels.
    cancelled_count: Rc<Cell<usize>>,
}

/// How many of a heap's timers are cancelled: see
/// [`Scheduled::cancellations`](crate::Scheduled::cancellations).
#[derive(Clone, Default)]
pub struct Cancellations(pub(crate) Rc<Cell<usize>>);

impl Cancellations {
    /// The timer handle of a handle that was put on the heap, for those who kept only the latter.
    pub fn timer_handle(&self, handle: Handle) -> TimerHandle {
        TimerHandle {
            handle,
            cancelled_count: Rc::clone(&self.0),
        }
    }
}

impl TimerHandle {
    // ANCHOR: cancel
    /// Cancels the timer: a flag and a count. The heap is not touched, which makes this O(1);
    /// the entry leaves when it comes to the head, or in a sweep.
    pub fn cancel(&self) {
        if !self.handle.cancelled() {
            if self.handle.scheduled().get() {
                self.cancelled_count.set(self.cancelled_count.get() + 1);
            }
            self.handle.cancel();
        }
    }
    // ANCHOR_END: cancel

    /// Whether the timer was cancelled.
    pub fn cancelled(&self) -> bool {
        self.handle.cancelled()
    }

    /// The moment it is due, on the loop's clock.
    pub fn when(&self) -> Duration {
        self.handle.when().unwrap_or_default()
    }

    /// The handle without its deadline.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl fmt::Debug for TimerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.fmt(f)
    }
}

/// What stands in a timer's handle: the deadline beside the callback, in one allocation.
pub(crate) struct Timer<C> {
    pub(crate) when: u64,
    pub(crate) callback: C,
}

impl<C: Callback> Callback for Timer<C> {
    fn run(&self, handle: &Handle) -> Result<(), Exception> {
        self.callback.run(handle)
    }

    fn clear(&self) {
        self.callback.clear();
    }

    fn when(&self) -> Option<Duration> {
        Some(Duration::from_nanos(self.when))
    }

    fn created_at(&self) -> Option<&'static Location<'static>> {
        self.callback.created_at()
    }

    fn subject(&self) -> Option<&dyn fmt::Debug> {
        self.callback.subject()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.callback.describe(f)
    }
}
