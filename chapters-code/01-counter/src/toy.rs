//! The toy loop: a ready queue, a timer heap, a clock, and one rule.
//!
//! It stands on the other files of this crate and on nothing else.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use crate::timers::Timers;
use crate::{Clock, FakeClock, Task};

/// The end of a task: when, and whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The loop's time when the task ended.
    pub at: Duration,
    /// The task's name.
    pub name: String,
}

// ANCHOR: loop
/// A single-threaded loop that runs tasks in rounds.
#[derive(Debug)]
pub struct ToyLoop<C = FakeClock> {
    ready: VecDeque<Task>,
    timers: Timers,
    clock: C,
    finished: Vec<Finished>,
}
// ANCHOR_END: loop

impl ToyLoop {
    /// Makes an empty loop with a fake clock that stands at zero.
    ///
    /// ```
    /// assert!(counter::ToyLoop::new().run().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::with_clock(FakeClock::default())
    }
}

impl Default for ToyLoop {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Clock> ToyLoop<C> {
    /// Makes an empty loop that waits on `clock`.
    ///
    /// ```
    /// use counter::{RealClock, ToyLoop};
    ///
    /// let (clock, hatch) = RealClock::with_hatch();
    /// hatch.post("letter", []).unwrap();
    /// drop(hatch);
    /// assert_eq!(ToyLoop::with_clock(clock).run().len(), 1);
    /// ```
    pub fn with_clock(clock: C) -> Self {
        Self {
            ready: VecDeque::new(),
            timers: Timers::default(),
            clock,
            finished: Vec::new(),
        }
    }

    /// Puts a task at the back of the ready queue.
    ///
    /// ```
    /// let mut toy = counter::ToyLoop::new();
    /// toy.spawn("A", []);
    /// assert_eq!(toy.ready(), 1);
    /// ```
    pub fn spawn<D>(&mut self, name: impl Into<String>, delays: D)
    where
        D: IntoIterator<Item = Duration>,
        D::IntoIter: 'static,
    {
        self.ready.push_back(Task::new(name, delays));
    }

    /// Runs one round, after waiting if nothing is ready; `false` when nothing will ever be.
    ///
    /// ```
    /// use counter::ToyLoop;
    /// use std::time::Duration;
    ///
    /// let mut toy = ToyLoop::new();
    /// toy.spawn("A", [Duration::ZERO]);
    /// assert!(toy.round(), "A gives the thread back");
    /// assert!(toy.round(), "A ends");
    /// assert!(!toy.round());
    /// ```
    // ANCHOR: round
    pub fn round(&mut self) -> bool {
        if self.ready.is_empty()
            && !self
                .clock
                .wait(self.timers.next_deadline(), &mut self.ready)
        {
            return false;
        }
        self.clock.collect(&mut self.ready);
        let now = self.clock.now();
        while let Some(task) = self.timers.pop_due(now) {
            self.ready.push_back(task);
        }

        // The rule: count first. A task that comes back during the round finds the count taken.
        let todo = self.ready.len();
        for _ in 0..todo {
            let Some(task) = self.ready.pop_front() else {
                break;
            };
            self.step(task);
        }
        true
    }
    // ANCHOR_END: round

    /// Runs rounds until nothing is left to wait for; returns the ends since the last call, in
    /// order.
    ///
    /// ```
    /// use counter::ToyLoop;
    /// use std::time::Duration;
    ///
    /// let mut toy = ToyLoop::new();
    /// toy.spawn("an hour", [Duration::from_secs(3600)]);
    /// assert_eq!(toy.run()[0].at.as_secs(), 3600);
    /// ```
    pub fn run(&mut self) -> Vec<Finished> {
        while self.round() {}
        mem::take(&mut self.finished)
    }

    // ANCHOR: step
    fn step(&mut self, mut task: Task) {
        match task.step() {
            Some(Duration::ZERO) => self.ready.push_back(task),
            Some(delay) => {
                // A deadline past the end of time is the end of time: nobody will be there.
                let deadline = self.clock.now().saturating_add(delay);
                self.timers.push(deadline, task);
            }
            None => {
                let at = self.clock.now();
                self.finished.push(Finished {
                    at,
                    name: task.into_name(),
                });
            }
        }
    }
    // ANCHOR_END: step

    /// Returns how many tasks will run in the next round as things stand.
    ///
    /// ```
    /// assert_eq!(counter::ToyLoop::new().ready(), 0);
    /// ```
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns how many tasks wait for a deadline.
    ///
    /// ```
    /// use counter::ToyLoop;
    /// use std::time::Duration;
    ///
    /// let mut toy = ToyLoop::new();
    /// toy.spawn("A", [Duration::from_secs(1)]);
    /// toy.round();
    /// assert_eq!((toy.ready(), toy.waiting()), (0, 1));
    /// ```
    pub fn waiting(&self) -> usize {
        self.timers.len()
    }

    /// Returns the clock, to read it.
    ///
    /// ```
    /// use counter::{Clock, ToyLoop};
    ///
    /// assert!(ToyLoop::new().clock().now().is_zero());
    /// ```
    pub fn clock(&self) -> &C {
        &self.clock
    }
}
