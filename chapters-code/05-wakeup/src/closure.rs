//! A done callback that is given the future.

use std::cell::{Cell, RefCell};
use std::fmt;

use six_steps::{Callback, Handle, IntoOutcome};

use crate::Outcome;
use crate::callbacks::TakesFuture;
use crate::future::Future;

/// A closure, and the future it is given when that is done: not before, or each would keep the
/// other alive.
pub(crate) struct Closure<T: 'static, F> {
    callback: Cell<Option<F>>,
    future: RefCell<Option<Future<T>>>,
}

impl<T: 'static, F> Closure<T, F> {
    pub(crate) fn new(callback: F) -> Self {
        Self {
            callback: Cell::new(Some(callback)),
            future: RefCell::default(),
        }
    }
}

impl<T: 'static, F, R> Callback for Closure<T, F>
where
    F: FnOnce(Future<T>) -> R,
    R: IntoOutcome,
{
    fn run(&self, _: &Handle) -> Outcome<()> {
        match (self.callback.take(), self.future.take()) {
            (Some(callback), Some(future)) => callback(future).into_outcome(),
            _ => Ok(()),
        }
    }

    fn clear(&self) {
        drop((self.callback.take(), self.future.take()));
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}()", std::any::type_name::<F>())
    }
}

impl<T: 'static, F, R> TakesFuture<T> for Closure<T, F>
where
    F: FnOnce(Future<T>) -> R,
    R: IntoOutcome,
{
    fn give(&self, future: Future<T>) {
        self.future.replace(Some(future));
    }
}
