//! The exceptions of the language: a type by name, a message if the program made it, and Python's
//! hierarchy for `except`.

use std::io;

use six_steps::{Exception, LoopError};
use wakeup::FutureError;

/// The types a program may raise, and the ones an except clause may name besides.
pub(crate) const TYPES: [&str; 14] = [
    "ValueError",
    "KeyError",
    "RuntimeError",
    "OSError",
    "ZeroDivisionError",
    "TimeoutError",
    "CancelledError",
    "InvalidStateError",
    "QueueEmpty",
    "QueueFull",
    "QueueShutDown",
    "BrokenBarrierError",
    "KeyboardInterrupt",
    "SystemExit",
];
pub(crate) const CLAUSES: [&str; 3] = ["ExceptionGroup", "Exception", "BaseException"];

/// An exception that a program made. Its text is that of the trace.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{kind}:{message}")]
pub(crate) struct Raised {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl Raised {
    /// What a coroutine raises, or a future is given: a cancellation is one.
    pub(crate) fn exception(kind: &'static str, message: &str) -> Exception {
        match kind {
            "CancelledError" => Exception::Cancelled,
            _ => Self::plain(kind, message),
        }
    }

    /// What a callback raises.
    pub(crate) fn plain(kind: &'static str, message: &str) -> Exception {
        let raised = Self {
            kind,
            message: message.to_owned(),
        };
        match kind {
            "KeyboardInterrupt" | "SystemExit" => Exception::exit(raised),
            _ => Exception::error(raised),
        }
    }
}

/// The name of an exception's type.
pub(crate) fn kind(exception: &Exception) -> &'static str {
    if exception.is_cancelled() {
        return "CancelledError";
    }
    if let Some(raised) = exception.downcast_ref::<Raised>() {
        return raised.kind;
    }
    if exception.downcast_ref::<FutureError>().is_some() {
        return "InvalidStateError";
    }
    if let Some(LoopError::Selector(error)) = exception.downcast_ref()
        && error.kind() == io::ErrorKind::Deadlock
    {
        return "Deadlock";
    }
    // Whatever else the loop itself refuses, asyncio refuses with a RuntimeError.
    "RuntimeError"
}

/// An exception's text in a trace: with its message if the program made it.
pub(crate) fn text(exception: &Exception) -> String {
    match exception.downcast_ref::<Raised>() {
        Some(raised) => raised.to_string(),
        None => kind(exception).to_owned(),
    }
}

/// Whether `except clause` takes an exception of this type.
pub(crate) fn matches(kind: &str, clause: &str) -> bool {
    let leaves_exception = matches!(kind, "CancelledError" | "KeyboardInterrupt" | "SystemExit");
    match clause {
        "BaseException" => true,
        "Exception" => !leaves_exception,
        "OSError" => matches!(kind, "OSError" | "TimeoutError"),
        "RuntimeError" => matches!(kind, "RuntimeError" | "BrokenBarrierError"),
        _ => kind == clause,
    }
}
