//! # A stopwatch
//!
//! Build the part of debug mode that finds who held the thread: a watcher which times each handle and
//! keeps the slow ones. A loop that it watches ([`EventLoop::watch`]) tells it before a handle runs and
//! after it has run; [`EventLoop::time`] is the clock, here a virtual one.
//!
//! * A handle is slow if it took at least the limit. The limit is read when the handle is over.
//! * Each handle is timed alone. What passes between two handles, or in select, belongs to nobody.
//! * A slow handle is kept by its name, `handle.callback().to_string()`.
//!
//! Such a watcher runs in production as well, where a log line for each slow handle would be too much,
//! and "the worst of the last hour" is enough. The book builds its own in chapter 7, "Where does the
//! stopwatch hang?".

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Handle, Watch};

/// A handle that was slow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slow {
    /// Its callback's name.
    pub name: String,
    /// How long it ran.
    pub took: Duration,
}

/// Times handles and keeps the slow ones.
#[derive(Debug, Default)]
pub struct Stopwatch {
    limit: Cell<Duration>,
    // What it has to remember from a handle's beginning to its end is yours to add.
    slow: RefCell<Vec<Slow>>,
}

impl Stopwatch {
    /// A stopwatch that keeps what takes this long, or longer.
    pub fn with_limit(limit: Duration) -> Rc<Self> {
        let stopwatch = Self::default();
        stopwatch.set_limit(limit);
        Rc::new(stopwatch)
    }

    /// Sets another limit.
    pub fn set_limit(&self, limit: Duration) {
        self.limit.set(limit);
    }

    /// The slow handles so far, in the order in which they ran.
    pub fn slow(&self) -> Vec<Slow> {
        self.slow.borrow().clone()
    }

    /// The one that took longest; of equals the first; `None` if none was slow.
    pub fn worst(&self) -> Option<Slow> {
        todo!("the longest of those that were kept")
    }
}

impl Watch for Stopwatch {
    fn handle_about_to_run(&self, _event_loop: &EventLoop, _handle: &Handle) {
        todo!("start the watch")
    }

    fn handle_done(&self, _event_loop: &EventLoop, _handle: &Handle) {
        todo!("stop it, and keep the handle if it was slow")
    }
}
