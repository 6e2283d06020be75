//! # The hatch
//!
//! A gallery makes thumbnails on worker threads. A worker that has finished reports to the loop, and
//! the report, a callback, shows the picture. A thumbnail takes 3 ms, yet pictures come up as late as
//! a quarter of a second, and the log says that the loop turns four times a second all night, when
//! nobody is there.
//!
//! Find the door by which reports come in, and give them the right one, so that
//!
//! * a report runs in the next turn, and ends the loop's sleep if it is asleep;
//! * reports run in the order in which they came in, and one that panics does not take the others
//!   with it;
//! * a service without reports leaves nothing on the loop, which sleeps until something happens;
//! * a report to a closed loop is an error.
//!
//! The book has the way in from another thread in chapter 3, "How does another thread get in?".
//! [`Reports::new`], [`Reports::reporter`] and [`Reporter::report`] keep their signatures.

use six_steps::{EventLoop, Hatch, LoopClosed, LoopError};

/// The loop's side: where reports come in.
pub struct Reports {
    hatch: Hatch,
}

/// A worker's way back to the loop. Any thread may hold it; clones reach the same loop.
#[derive(Clone)]
pub struct Reporter {
    hatch: Hatch,
}

impl Reports {
    /// Opens the way in to this loop.
    ///
    /// # Errors
    /// [`LoopError::Closed`] if the loop was closed.
    pub fn new(event_loop: &EventLoop) -> Result<Self, LoopError> {
        if event_loop.is_closed() {
            return Err(LoopError::Closed);
        }
        Ok(Self {
            hatch: event_loop.hatch(),
        })
    }

    /// What a worker thread needs to report.
    pub fn reporter(&self) -> Reporter {
        Reporter {
            hatch: self.hatch.clone(),
        }
    }
}

impl Reporter {
    /// Has the loop run `report` on its own thread, in its next turn.
    ///
    /// # Errors
    /// [`LoopClosed`] after the loop was closed; the report is dropped.
    pub fn report(&self, report: impl FnOnce() + Send + 'static) -> Result<(), LoopClosed> {
        self.hatch.call_soon_threadsafe(report)
    }
}
