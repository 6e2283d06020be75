//! Blocking for a while, on either clock: the examples run on both, and print the same story.

use std::thread;
use std::time::Duration;

use six_steps::{EventLoop, VirtualClock, VirtualSelector};

/// A call that holds its thread for a while: `time.sleep`, a query without a timeout, a
/// computation.
#[derive(Debug, Clone)]
pub enum Block {
    /// Holds the thread for as long as it says.
    Real,
    /// Moves a virtual clock on, and returns at once.
    Virtual(VirtualClock),
}

impl Block {
    /// A loop on the system's clock, and a call that really blocks.
    pub fn real() -> (EventLoop, Self) {
        (EventLoop::new(), Self::Real)
    }

    /// A loop on a virtual clock, and a call that blocks on that clock.
    ///
    /// ```
    /// use blocking::Block;
    /// use std::time::Duration;
    ///
    /// let (event_loop, block) = Block::on_virtual_clock();
    /// block.hold(Duration::from_millis(100));
    /// assert_eq!(event_loop.time(), Duration::from_millis(100));
    /// ```
    pub fn on_virtual_clock() -> (EventLoop, Self) {
        let selector = VirtualSelector::new();
        let clock = selector.clock();
        (EventLoop::with_selector(selector), Self::Virtual(clock))
    }

    // ANCHOR: hold
    /// Blocks, here and now.
    pub fn hold(&self, time: Duration) {
        match self {
            Self::Real => thread::sleep(time),
            Self::Virtual(clock) => clock.advance(time),
        }
    }
    // ANCHOR_END: hold

    /// The same as a job for another thread. On a virtual clock that is nothing to do: there a job
    /// takes the time that its [`VirtualExecutor`](crate::VirtualExecutor) says.
    pub fn job(&self, time: Duration) -> Box<dyn FnOnce() + Send> {
        match self {
            Self::Real => Box::new(move || thread::sleep(time)),
            Self::Virtual(_) => Box::new(|| ()),
        }
    }
}
