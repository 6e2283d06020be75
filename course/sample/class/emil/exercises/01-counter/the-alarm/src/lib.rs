//! # The alarm
//!
//! The stack is empty, so the worker sleeps until the alarm. On a fake clock sleeping takes no time:
//! the hand jumps. A loop on such a clock can be tested for a whole year in a moment, as long as the
//! hand goes exactly where a real clock would stand when the worker gets up.
//!
//! Complete [`Counter::wait`] and [`Counter::ring`], the two things that happen before a round. The
//! book has them in chapter 1, "How does a loop wait?" and "Where does a task go after its step?".

use std::collections::VecDeque;
use std::time::Duration;

/// An alarm: when it rings, its slip goes on the stack.
#[derive(Debug, Clone)]
pub struct Alarm {
    /// When it is due, since the counter opened.
    pub at: Duration,
    /// The name of the slip.
    pub slip: String,
}

/// The counter: the stack of slips, the alarms, and a clock that moves only when told to.
#[derive(Debug, Default)]
pub struct Counter {
    now: Duration,
    stack: VecDeque<String>,
    // In the order in which they were set, until you choose another.
    alarms: Vec<Alarm>,
}

impl Counter {
    /// A counter with nothing on it. Its clock stands at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a slip on the stack, behind the others.
    pub fn put(&mut self, slip: impl Into<String>) {
        self.stack.push_back(slip.into());
    }

    /// Sets an alarm for the moment `at`, which may have passed already.
    pub fn set_alarm(&mut self, at: Duration, slip: impl Into<String>) {
        self.alarms.push(Alarm {
            at,
            slip: slip.into(),
        });
    }

    /// Takes the oldest slip.
    pub fn take(&mut self) -> Option<String> {
        self.stack.pop_front()
    }

    /// Works for that long: the hand of the clock moves on, and no alarm is heard meanwhile.
    pub fn work(&mut self, time: Duration) {
        self.now += time;
    }

    /// What the clock shows.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// How many alarms are set.
    pub fn alarms(&self) -> usize {
        self.alarms.len()
    }

    /// Sleeps if there is nothing to do: moves the hand to the nearest alarm. With a slip on the
    /// stack it does not sleep, and an alarm that has passed does not turn the hand back. The
    /// alarms stay set.
    ///
    /// Returns `false` if there is nothing left to wait for: no slip and no alarm.
    pub fn wait(&mut self) -> bool {
        if !self.stack.is_empty() {
            return true;
        }
        let Some(nearest) = self.alarms.iter().map(|alarm| alarm.at).min() else {
            return false;
        };
        self.now = self.now.max(nearest);
        true
    }

    /// Lets every alarm ring that is due by now: its slip goes on the stack, behind those that are
    /// there, and the alarm is no longer set. The nearest deadline goes first; of equal deadlines,
    /// the one that was set first.
    pub fn ring(&mut self) {
        // The sort is stable: of equal deadlines, the first that was set stays in front.
        self.alarms.sort_by_key(|alarm| alarm.at);
        let due = self.alarms.partition_point(|alarm| alarm.at <= self.now);
        let slips = self.alarms.drain(..due).map(|alarm| alarm.slip);
        self.stack.extend(slips);
    }
}
