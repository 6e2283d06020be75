//! The alarm clock: a heap of waiting tasks, the nearest deadline on top.
//!
//! Equal deadlines come out first in, first out, because each entry carries a sequence number.
//! `CPython`'s heap has no such number and another order; floor 2 shows it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::Task;

/// The tasks that wait for a deadline, which is a time since the loop's origin.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    // `BinaryHeap` keeps the greatest on top; `Reverse` turns that into the nearest deadline.
    heap: BinaryHeap<Reverse<Timer>>,
    pushed: u64,
}

impl Timers {
    /// Sets the alarm for `task`.
    pub(crate) fn push(&mut self, deadline: Duration, task: Task) {
        self.heap.push(Reverse(Timer {
            deadline,
            seq: self.pushed,
            task,
        }));
        self.pushed += 1;
    }

    /// Returns the nearest deadline, or `None` when nothing waits.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        self.heap.peek().map(|Reverse(timer)| timer.deadline)
    }

    /// Takes the task with the nearest deadline off the heap if that deadline is not after `now`.
    pub(crate) fn pop_due(&mut self, now: Duration) -> Option<Task> {
        if self.next_deadline()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse(timer)| timer.task)
    }

    /// Returns how many tasks wait.
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_nearest_deadline_comes_first_and_not_before_its_time() {
        let mut timers = Timers::default();
        timers.push(SECOND * 2, Task::new("late", []));
        timers.push(SECOND, Task::new("early", []));

        assert_eq!(timers.next_deadline(), Some(SECOND));
        assert!(timers.pop_due(SECOND / 2).is_none());
        assert_eq!(timers.pop_due(SECOND).unwrap().name(), "early");
        assert!(timers.pop_due(SECOND).is_none());
        assert_eq!(timers.len(), 1);
    }
}
