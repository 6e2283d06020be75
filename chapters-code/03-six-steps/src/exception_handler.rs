//! Where exceptions go that nobody else can be given: a log line, or a handler of the user's.

use std::any::Any;
use std::fmt::{self, Write as _};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::rc::Rc;

use containers::Exception;

use crate::event_loop::EventLoop;

pub(crate) type Handler = Rc<dyn Fn(&EventLoop, &ExceptionContext)>;

/// Something a report can show, and that a handler can get back as what it is.
pub trait Detail: fmt::Debug + Any {}

impl<T: fmt::Debug + Any> Detail for T {}

/// What is known about an exception (the `context` of `loop.call_exception_handler`).
#[derive(Debug)]
pub struct ExceptionContext {
    /// One line that says what happened.
    pub message: String,
    /// The exception, where there is one.
    pub exception: Option<Exception>,
    /// Everything else, by asyncio's keys: `handle`, `task`, `future`…
    pub details: Vec<(&'static str, Box<dyn Detail>)>,
}

impl ExceptionContext {
    /// A context that holds only a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            exception: None,
            details: Vec::new(),
        }
    }

    /// Adds the exception.
    #[must_use]
    pub fn with_exception(mut self, exception: Exception) -> Self {
        self.exception = Some(exception);
        self
    }

    /// Adds a detail.
    #[must_use]
    pub fn with_detail(mut self, key: &'static str, detail: impl Detail) -> Self {
        self.details.push((key, Box::new(detail)));
        self
    }

    /// The detail of this key, if it is a `T`.
    pub fn detail<T: Any>(&self, key: &str) -> Option<&T> {
        let (_, detail) = self.details.iter().find(|(found, _)| *found == key)?;
        let detail: &dyn Any = detail.as_ref();
        detail.downcast_ref()
    }
}

/// Where the subject of a report was made: the detail `source_traceback`, which debug mode adds. It
/// shows one frame, the one that handed the callback or the coroutine to the loop.
pub struct SourceTraceback(pub &'static Location<'static>);

impl fmt::Debug for SourceTraceback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = (self.0.file(), self.0.line());
        let first = "Object created at (most recent call last):";
        write!(f, "{first}\n  File \"{file}\", line {line}")
    }
}

/// The message, then a `key: value` line for each detail in the keys' order, then the exception
/// (`base_events.py`, `default_exception_handler`, line 1810 at v3.13.0).
impl fmt::Display for ExceptionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut details: Vec<_> = self.details.iter().collect();
        details.sort_by_key(|(key, _)| *key);
        for (key, detail) in details {
            write!(f, "\n{key}: {detail:?}")?;
        }
        if let Some(exception) = &self.exception {
            write!(f, "\n{exception}")?;
        }
        Ok(())
    }
}

impl EventLoop {
    /// Sets what is done with exceptions that nobody else gets; `None` brings back the default
    /// (`loop.set_exception_handler`). It stays after a close, for what is found out later; one
    /// that holds the loop keeps it alive, so use the loop it is given.
    pub fn set_exception_handler(
        &self,
        handler: Option<impl Fn(&Self, &ExceptionContext) + 'static>,
    ) {
        let handler = handler.map(|handler| Rc::new(handler) as Handler);
        drop(self.core.exception_handler.replace(handler));
    }

    /// Reports an exception: to the handler if there is one, else as
    /// [`default_exception_handler`](Self::default_exception_handler) does. A handler that panics
    /// is itself reported.
    pub fn call_exception_handler(&self, context: &ExceptionContext) {
        let handler = self.core.exception_handler.borrow().clone();
        let outcome = catch_unwind(AssertUnwindSafe(|| match &handler {
            Some(handler) => handler(self, context),
            None => self.default_exception_handler(context),
        }));
        let Err(payload) = outcome else { return };
        let message = if handler.is_some() {
            "Unhandled error in exception handler"
        } else {
            "Exception in default exception handler"
        };
        // The whole context where it can be shown; what panicked may have been showing it.
        let shown = catch_unwind(AssertUnwindSafe(|| context.to_string()));
        let unhandled = ExceptionContext::new(message)
            .with_exception(Exception::from_panic(payload))
            .with_detail("context", shown.unwrap_or_else(|_| context.message.clone()));
        let again = || self.default_exception_handler(&unhandled);
        // A logger that panics twice has nothing left to be told.
        let _ = catch_unwind(AssertUnwindSafe(again));
    }

    /// Logs the context at level error under the target `asyncio`. Where no logger is installed
    /// it goes to standard error, as Python's logging does in its last resort.
    pub fn default_exception_handler(&self, context: &ExceptionContext) {
        if log::max_level() == log::LevelFilter::Off {
            let mut text = context.to_string();
            let _ = text.write_char('\n');
            eprint!("{text}");
        } else {
            log::error!(target: "asyncio", "{context}");
        }
    }
}
