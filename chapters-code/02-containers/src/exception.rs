//! What a callback may fail with. A [`Handle`](crate::Handle) that runs gives `Ok` or an
//! [`Exception`]; floor 5's futures carry the same type.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::rc::Rc;

/// An exception: an ordinary error, a cancellation, or a wish to leave the loop at once.
///
/// The three kinds are Python's `Exception`, `asyncio.CancelledError`, and the two that no loop
/// holds back, `SystemExit` and `KeyboardInterrupt`. Cloning shares the error, as raising the
/// same Python object twice does.
///
/// ```
/// use containers::Exception;
///
/// let e = Exception::error(std::io::Error::other("out of tea"));
/// assert_eq!(e.to_string(), "out of tea");
/// assert!(e.downcast_ref::<std::io::Error>().is_some());
/// ```
// A box within the `Rc`, so that a reference is one word: every future has room for one of these.
#[derive(Clone)]
pub enum Exception {
    /// An ordinary error. The loop reports it and goes on.
    Error(Rc<Box<dyn Error>>),
    /// The work was cancelled (`asyncio.CancelledError`).
    Cancelled,
    /// Leaves the loop at once (`SystemExit`, `KeyboardInterrupt`).
    Exit(Rc<Box<dyn Error>>),
}

impl Exception {
    /// An ordinary error made of any error value or message.
    pub fn error(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Error(Rc::new(error.into()))
    }

    /// An exception that no loop holds back.
    pub fn exit(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Exit(Rc::new(error.into()))
    }

    /// The exception that stands for a panic's payload, with its message where it has one.
    pub fn from_panic(payload: Box<dyn Any + Send>) -> Self {
        let message = match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => match payload.downcast::<&'static str>() {
                Ok(text) => (*text).to_owned(),
                Err(_) => "a panic without a message".to_owned(),
            },
        };
        Self::error(Panicked(message))
    }

    /// The error inside, if it is of type `E`.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::Error(e) | Self::Exit(e) => e.downcast_ref(),
            Self::Cancelled => None,
        }
    }

    /// Whether this is a cancellation.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
    }

    /// Whether this leaves the loop at once.
    pub fn is_exit(&self) -> bool {
        matches!(self, Self::Exit(_))
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(e) | Self::Exit(e) => e.fmt(f),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(e) => fmt::Debug::fmt(e, f),
            Self::Exit(e) => write!(f, "Exit({e:?})"),
            Self::Cancelled => f.write_str("Cancelled"),
        }
    }
}

// `Exception` is deliberately not `std::error::Error` itself: that would forbid this conversion,
// which is what lets `?` raise any error.
impl<E: Into<Box<dyn Error>>> From<E> for Exception {
    fn from(error: E) -> Self {
        Self::error(error)
    }
}

/// A panic, caught and kept as an error. Its text is the panic's message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Panicked(pub String);

/// What a callback may return: nothing, or a `Result` whose error becomes an [`Exception`].
pub trait IntoOutcome {
    /// The same as a `Result`.
    ///
    /// # Errors
    /// The callback's own error.
    fn into_outcome(self) -> Result<(), Exception>;
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Result<(), Exception> {
        Ok(())
    }
}

impl<E: Into<Exception>> IntoOutcome for Result<(), E> {
    fn into_outcome(self) -> Result<(), Exception> {
        self.map_err(Into::into)
    }
}
