//! The end of an exercise that would go on for ever: a limit of turns, with a message that says why.

use std::cell::Cell;
use std::rc::Rc;

use containers::{VirtualClock, VirtualSelector};
use six_steps::{EventLoop, Watch};

use crate::rule::Rule;
use crate::threads::held_on;

/// Ends a loop that turns more often than the exercise needs.
///
/// It counts: with every turn of a loop that it watches ([`Limit::on`]), or with every
/// [`count`](Limit::count) of a callback in a test whose loop is the learner's own.
#[derive(Debug)]
pub struct Limit {
    left: Cell<u64>,
    most: u64,
    what: &'static str,
    rule: Rule,
}

impl Limit {
    /// At most `most` of `what`, such as `"turns"` or `"calls of the same slip"`.
    pub fn new(most: u64, what: &'static str, rule: Rule) -> Rc<Self> {
        Rc::new(Self {
            left: Cell::new(most),
            most,
            what,
            rule,
        })
    }

    /// A limit of turns that watches this loop.
    pub fn on(event_loop: &EventLoop, turns: u64, rule: Rule) -> Rc<Self> {
        let limit = Self::new(turns, "turns of the loop", rule);
        event_loop.watch(Rc::clone(&limit) as Rc<dyn Watch>);
        limit
    }

    /// Counts one.
    ///
    /// # Panics
    /// When the limit is passed, with the rule that would have ended it.
    #[track_caller]
    pub fn count(&self) {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => self.rule.broken(format_args!(
                "stopped after {} {}: it would go on for ever",
                self.most, self.what
            )),
        }
    }

    /// How many there were so far.
    pub fn counted(&self) -> u64 {
        self.most - self.left.get()
    }
}

impl Watch for Limit {
    fn turn_started(&self, _event_loop: &EventLoop) {
        self.count();
    }
}

/// A loop on a virtual clock that starts at zero, and that clock. [`hold`](crate::hold) moves it on
/// until the thread makes another one.
///
/// ```
/// use std::time::Duration;
///
/// let (event_loop, clock) = lesson::virtual_loop();
/// event_loop.call_later(Duration::from_secs(3), {
///     let event_loop = event_loop.clone();
///     move || event_loop.stop()
/// })?;
/// event_loop.run_forever()?;
/// assert_eq!(clock.time(), Duration::from_secs(3));
/// # Ok::<(), six_steps::LoopError>(())
/// ```
pub fn virtual_loop() -> (EventLoop, VirtualClock) {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    held_on(clock.clone());
    (EventLoop::with_selector(selector), clock)
}
