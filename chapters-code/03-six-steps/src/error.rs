//! What can go wrong with a loop itself. An exception in a callback is not here: it goes to the
//! exception handler, and the loop goes on.

use std::io;

use containers::{DeadlineOverflow, Exception};

/// A loop was asked for what it cannot do, or had to stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoopError {
    /// `run_forever` or `run_once` was called from a callback of the same loop.
    #[error("this event loop is already running")]
    AlreadyRunning,
    /// Another loop is running on this thread.
    #[error("cannot run the event loop while another loop is running")]
    AnotherLoopRunning,
    /// The loop was closed.
    #[error("event loop is closed")]
    Closed,
    /// `close` was called while the loop runs.
    #[error("cannot close a running event loop")]
    CloseWhileRunning,
    /// No loop is running on this thread.
    #[error("no running event loop")]
    NoRunningLoop,
    /// A deadline lies beyond the clock's range.
    #[error(transparent)]
    Deadline(#[from] DeadlineOverflow),
    /// The selector failed; a virtual one fails with [`io::ErrorKind::Deadlock`] where nothing
    /// can ever happen.
    #[error("the selector failed: {0}")]
    Selector(#[from] io::Error),
    /// A callback asked to leave the loop at once ([`Exception::Exit`]).
    #[error("a callback left the loop: {0}")]
    Exit(Exception),
}

/// The loop behind a [`Hatch`](crate::Hatch) was closed. Unlike [`LoopError`] it may be sent to
/// another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("event loop is closed")]
pub struct LoopClosed;

impl From<LoopClosed> for LoopError {
    fn from(_: LoopClosed) -> Self {
        Self::Closed
    }
}
