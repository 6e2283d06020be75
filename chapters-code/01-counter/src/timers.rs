//! The alarm clock: a heap of waiting tasks, the nearest deadline on top.
//!
//! Equal deadlines come out first in, first out, because each entry carries a sequence number.
//! `CPython`'s heap has no such number and another order; floor 2 shows it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::Task;

/// The tasks that wait for a deadline, as time since the loop's origin.
///
/// ```
/// use counter::{Task, Timers};
/// use std::time::Duration;
///
/// let second = Duration::from_secs(1);
/// let mut timers = Timers::default();
/// timers.push(second * 2, Task::new("late", []));
/// timers.push(second, Task::new("early", []));
///
/// assert_eq!(timers.next_deadline(), Some(second));
/// assert_eq!(timers.pop_due(second).unwrap().name(), "early");
/// assert!(timers.pop_due(second).is_none(), "the other one is not due yet");
/// ```
#[derive(Debug, Default)]
pub struct Timers {
    // `BinaryHeap` keeps the greatest on top; `Reverse` turns that into the nearest deadline.
    heap: BinaryHeap<Reverse<Timer>>,
    pushed: u64,
}

impl Timers {
    /// Sets the alarm for `task`.
    pub fn push(&mut self, deadline: Duration, task: Task) {
        self.heap.push(Reverse(Timer {
            deadline,
            seq: self.pushed,
            task,
        }));
        self.pushed += 1;
    }

    /// Returns the nearest deadline, or `None` when nothing waits.
    pub fn next_deadline(&self) -> Option<Duration> {
        self.heap.peek().map(|Reverse(timer)| timer.deadline)
    }

    /// Takes the task with the nearest deadline off the heap if that deadline is not after `now`.
    pub fn pop_due(&mut self, now: Duration) -> Option<Task> {
        if self.next_deadline()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse(timer)| timer.task)
    }

    /// Returns how many tasks wait.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns whether no task waits.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[derive(Debug)]
struct Timer {
    deadline: Duration,
    seq: u64,
    task: Task,
}

// ANCHOR: order
impl Ord for Timer {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.deadline, self.seq).cmp(&(other.deadline, other.seq))
    }
}
// ANCHOR_END: order

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Timer {}
