//! # Reuse the loop
//!
//! Build a runner: an object that makes a loop when it is first asked to run something, keeps it for
//! every run that follows, and closes it once, in order. A shell that runs a coroutine for each line
//! you type needs one, and so does every test of a program that is `async`.
//!
//! * [`run`](Runner::run) makes the loop if there is none yet, and runs a coroutine on it to its end
//!   (`run_until_complete`). What else is on the loop stays: it goes on with the next run. So does the
//!   runner, if the coroutine fails.
//! * [`close`](Runner::close) ends in order: cancel what is left, join the threads, close the loop
//!   (`EventLoop::close`). If a part fails, the parts behind it are left out, and the loop is closed
//!   all the same. The second time it does nothing; before the first run it does nothing either, and
//!   makes no loop.
//! * After a close, `run` is refused with [`Closed`].
//! * A runner that is dropped is closed.
//!
//! The first two parts of the end are in `src/ending.rs`. The book explains runner and order in chapter
//! 8, "Many runs, one loop" and "The end, in order".

pub mod ending;

use six_steps::EventLoop;
use wakeup::Outcome;

/// `run` was called after a close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the runner is closed")
    }
}

impl std::error::Error for Closed {}

/// Runs coroutines on one loop.
pub struct Runner {
    make: Option<Box<dyn FnOnce() -> EventLoop>>,
    event_loop: Option<EventLoop>,
}

impl Runner {
    /// A runner that will make its loop in this way.
    pub fn new(make: impl FnOnce() -> EventLoop + 'static) -> Self {
        Self {
            make: Some(Box::new(make)),
            event_loop: None,
        }
    }

    /// Whether it has not made its loop yet.
    pub fn is_new(&self) -> bool {
        self.make.is_some()
    }

    /// Its loop, from the first run to the close.
    pub fn event_loop(&self) -> Option<&EventLoop> {
        self.event_loop.as_ref()
    }

    /// Runs a coroutine to its end and returns its result.
    ///
    /// # Errors
    /// What the coroutine ended with; [`Closed`] after a close.
    pub fn run<T, F>(&mut self, main: F) -> Outcome<T>
    where
        T: Clone + 'static,
        F: Future<Output = Outcome<T>> + 'static,
    {
        drop(main);
        todo!("make the loop if there is none, and run main on it")
    }

    /// Ends in order, and closes the loop.
    ///
    /// # Errors
    /// What ended a part early; the loop is closed all the same.
    pub fn close(&mut self) -> Outcome<()> {
        todo!("cancel what is left, join the threads, close the loop")
    }
}
