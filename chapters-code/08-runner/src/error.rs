//! What a runner refuses, and how an interrupt ends it.

/// A runner was asked for what it cannot do (CPython's `RuntimeError`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunnerError {
    /// `run` was called from within a running loop.
    #[error("Runner.run() cannot be called from a running event loop")]
    InRunningLoop,
    /// `run` was called after `close`.
    #[error("Runner is closed")]
    Closed,
    /// An asynchronous generator was closed while its closing was under way.
    #[error("aclose(): asynchronous generator is already running")]
    GeneratorRunning,
}

/// The program was interrupted with Ctrl-C (`KeyboardInterrupt`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
