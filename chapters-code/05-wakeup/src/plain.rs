//! A future that nobody drives: somebody sets its result.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use six_steps::{Exception, Handle};

use crate::Outcome;
use crate::cell::FutureCell;
use crate::future::{AnyFuture, Future, FutureObject, FutureState, state_of};
use crate::repr::{report_unretrieved, write_future};

/// The object behind `loop.create_future`.
pub(crate) struct Plain<T: 'static> {
    pub(crate) cell: FutureCell<T>,
    // Two words would be one too many in every future, and few have a name.
    pub(crate) name: OnceCell<Box<Rc<str>>>,
}

impl<T: 'static> AnyFuture for Plain<T> {
    fn state(&self) -> FutureState {
        state_of(&self.cell)
    }

    fn cancel(self: Rc<Self>) -> bool {
        let Some(callbacks) = self.cell.cancel() else {
            return false;
        };
        Future { object: self }.schedule_callbacks(callbacks);
        true
    }

    fn exception(&self) -> Outcome<Option<Exception>> {
        self.cell.exception()
    }

    fn add_done_handle(self: Rc<Self>, handle: Handle) {
        Future { object: self }.add_done_handle(handle);
    }

    fn name(&self) -> Option<Rc<str>> {
        self.name.get().map(|name| Rc::clone(name))
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }
}

impl<T: 'static> FutureObject<T> for Plain<T> {
    fn cell(&self) -> &FutureCell<T> {
        &self.cell
    }

    fn set_name(&self, name: &str) {
        let _ = self.name.set(Box::new(name.into()));
    }
}

impl<T: 'static> fmt::Debug for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_future(f, "Future", &self.cell)
    }
}

impl<T: 'static> Drop for Plain<T> {
    fn drop(&mut self) {
        report_unretrieved("Future", &self.cell, None, || format!("{self:?}"));
    }
}
