//! What a runner refuses, and how an interrupt ends it.

/// A runner was asked for what it cannot do (CPython's `RuntimeError`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunnerError {
    /// The function named was called from within a running loop, which would have to wait for
    /// itself.
    #[error("{0} cannot be called from a running event loop")]
    InRunningLoop(&'static str),
    /// `run` was called after `close`.
    #[error("Runner is closed")]
    Closed,
    /// An asynchronous generator was closed while its closing was under way.
    #[error("aclose(): asynchronous generator is already running")]
    GeneratorRunning,
}

/// The program was interrupted with Ctrl-C (`KeyboardInterrupt`). A program that ends because of it
/// should exit with [`EXIT_CODE`](Self::EXIT_CODE).
///
/// ```no_run
/// use runner::Interrupted;
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     match runner::run(async { Ok(()) }) {
///         Ok(()) => ExitCode::SUCCESS,
///         Err(e) if e.downcast_ref::<Interrupted>().is_some() => Interrupted::EXIT_CODE.into(),
///         Err(e) => {
///             eprintln!("{e}");
///             ExitCode::FAILURE
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl Interrupted {
    /// What a shell reports of a program that SIGINT has ended: 128, and the signal's number.
    pub const EXIT_CODE: u8 = 130;
}
