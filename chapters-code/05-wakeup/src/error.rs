//! What futures and tasks refuse, in CPython's words (the C implementation's).

/// A future was asked for what its state does not allow (`asyncio.InvalidStateError`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FutureError {
    /// A result or an exception was set on a future that is done.
    #[error("invalid state")]
    InvalidState,
    /// A result was set on a task, whose result is its coroutine's.
    #[error("Task does not support set_result operation")]
    TaskResult,
    /// An exception was set on a task.
    #[error("Task does not support set_exception operation")]
    TaskException,
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
    /// A future that a task has awaited in vain before was
    /// awaited again before it was done.
    #[error("await wasn't used with future")]
    NotUsedWithFuture,
    /// A task awaited a future of another loop.
    #[error("Task {task} got Future {future} attached to a different loop")]
    DifferentLoop {
        /// The task.
        task: String,
        /// What it awaited.
        future: String,
    },
    /// A loop was to run a future of another, or a gathering to wait for one (Python's
    /// `ValueError`).
    #[error("The future belongs to a different loop than the one specified as the loop argument")]
    BelongsToDifferentLoop,
    /// `stop` was called before the future of `run_until_complete` was done.
    #[error("Event loop stopped before Future completed.")]
    Stopped,
}
