//! What futures and tasks refuse, in CPython's words (the C implementation's).

/// A future was asked for what its state does not allow (`asyncio.InvalidStateError`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FutureError {
    /// A result or an exception was set on a future that is done.
    #[error("invalid state")]
    InvalidState,
    /// The result of a future that is not done.
    #[error("Result is not set.")]
    ResultNotSet,
    /// The exception of a future that is not done.
    #[error("Exception is not set.")]
    ExceptionNotSet,
}

/// A coroutine awaited what it cannot, or its loop did not let it end (Python's `RuntimeError`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// A task awaited itself.
    #[error("Task cannot await on itself: {0}")]
    AwaitsItself(String),
    /// A task awaited a future of another loop.
    #[error("Task {0} got Future attached to a different loop")]
    DifferentLoop(String),
    /// `run_until_complete` was given a future of another loop, which it would wait for in vain
    /// (CPython's `ValueError`).
    #[error("The future belongs to a different loop than the one that is to run")]
    OtherLoop,
    /// `stop` was called before the future of `run_until_complete` was done.
    #[error("Event loop stopped before Future completed.")]
    Stopped,
}
