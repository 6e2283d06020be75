//! # The sweep
//!
//! A server sets a timeout for every request and cancels nearly all of them. Cancelling has to be
//! short, so it sets a flag and leaves the timer where it is. Step 1 of a turn takes the dead away
//! later, in one of two ways and never in both.
//!
//! Complete [`TimerHandle::cancel`] and [`Timers::sweep`]. The counts have to come out exactly as
//! CPython's, its drift included: the book has the rules in chapter 2, "What does a cancelled timer
//! cost?". A sorted map stands in for the heap, so that you need not think of ties; its methods
//! `first_entry` and `retain` are all that you need.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The whole heap is swept only if more timers than this stand on it.
pub const MIN_SCHEDULED_TIMER_HANDLES: usize = 100;

struct Timer {
    cancelled: Cell<bool>,
    // Whether it stands on the heap: `push` sets it, and `pop_due` clears it.
    scheduled: Cell<bool>,
}

/// The right to cancel a timer.
pub struct TimerHandle {
    timer: Rc<Timer>,
    cancelled_count: Rc<Cell<usize>>,
}

impl TimerHandle {
    /// Cancels the timer: a flag, and a count of the timers that were cancelled while they stood
    /// on the heap. Does nothing the second time.
    pub fn cancel(&self) {
        todo!(
            "set the flag, and count once: so far the count is {}",
            self.cancelled_count.get()
        )
    }

    /// Whether the timer was cancelled.
    pub fn cancelled(&self) -> bool {
        self.timer.cancelled.get()
    }
}

/// The timers that are due later, the nearest deadline first.
#[derive(Default)]
pub struct Timers {
    // By deadline in milliseconds and then by the order of setting.
    heap: BTreeMap<(u64, u64), Rc<Timer>>,
    cancelled_count: Rc<Cell<usize>>,
    pushed: u64,
}

impl Timers {
    /// An empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a timer for the moment `when`, in milliseconds.
    pub fn push(&mut self, when: u64) -> TimerHandle {
        let timer = Rc::new(Timer {
            cancelled: Cell::new(false),
            scheduled: Cell::new(true),
        });
        self.heap.insert((when, self.pushed), Rc::clone(&timer));
        self.pushed += 1;
        TimerHandle {
            timer,
            cancelled_count: Rc::clone(&self.cancelled_count),
        }
    }

    /// Takes off the nearest timer if it is due at `now`, cancelled or not, and returns its
    /// deadline. As in CPython's step 5, the count is left alone.
    pub fn pop_due(&mut self, now: u64) -> Option<u64> {
        let head = self.heap.first_entry()?;
        let (when, _) = *head.key();
        if when > now {
            return None;
        }
        head.remove().scheduled.set(false);
        Some(when)
    }

    /// Step 1 of a turn. If more than [`MIN_SCHEDULED_TIMER_HANDLES`] timers stand on the heap, and
    /// the count says that more than half of them are cancelled, all cancelled timers leave and the
    /// count goes to zero. Otherwise cancelled timers leave as long as one is at the head, and the
    /// count goes down by one for each.
    pub fn sweep(&mut self) {
        todo!("take the cancelled timers away, in one way or the other")
    }

    /// How many timers stand on the heap, cancelled ones included.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no timer stands on the heap.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// CPython's `_timer_cancelled_count`.
    pub fn cancelled_count(&self) -> usize {
        self.cancelled_count.get()
    }
}
