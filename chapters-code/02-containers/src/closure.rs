//! Closures as callbacks: one that runs once, and one that can run many times.

use std::cell::Cell;
use std::fmt;
use std::panic::Location;

use crate::exception::{Exception, IntoOutcome};
use crate::handle::{Callback, Handle};

/// A callback of a closure that runs once; what [`Handle::new`] makes a handle of.
#[track_caller]
pub fn once<F, R>(callback: F) -> impl Callback
where
    F: FnOnce() -> R + 'static,
    R: IntoOutcome + 'static,
{
    Once {
        callback: Cell::new(Some(callback)),
        at: Location::caller(),
    }
}

pub(crate) struct Once<F> {
    pub(crate) callback: Cell<Option<F>>,
    pub(crate) at: &'static Location<'static>,
}

impl<F, R> Callback for Once<F>
where
    F: FnOnce() -> R,
    R: IntoOutcome,
{
    #[inline]
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        match self.callback.take() {
            Some(callback) => callback().into_outcome(),
            None => Ok(()),
        }
    }

    fn clear(&self) {
        drop(self.callback.take());
    }

    fn created_at(&self) -> Option<&'static Location<'static>> {
        Some(self.at)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe_closure::<F>(f)
    }
}

pub(crate) struct Repeating<F> {
    // Taken out while it runs, so that a callback that cancels itself does not drop the closure
    // it is standing in.
    callback: Cell<Option<F>>,
    cleared: Cell<bool>,
    at: &'static Location<'static>,
}

impl<F> Repeating<F> {
    pub(crate) fn new(callback: F, at: &'static Location<'static>) -> Self {
        Self {
            callback: Cell::new(Some(callback)),
            cleared: Cell::new(false),
            at,
        }
    }
}

impl<F, R> Callback for Repeating<F>
where
    F: FnMut() -> R,
    R: IntoOutcome,
{
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        match (PutBack {
            callback: self.callback.take(),
            to: self,
        })
        .callback
        .as_mut()
        {
            Some(callback) => callback().into_outcome(),
            None => Ok(()),
        }
    }

    fn clear(&self) {
        self.cleared.set(true);
        drop(self.callback.take());
    }

    fn created_at(&self) -> Option<&'static Location<'static>> {
        Some(self.at)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe_closure::<F>(f)
    }
}

/// Puts the closure back even if it panics: its descriptor stays registered, so losing it would
/// leave a loop that turns on a ready descriptor and does nothing, silently.
struct PutBack<'a, F> {
    callback: Option<F>,
    to: &'a Repeating<F>,
}

impl<F> Drop for PutBack<'_, F> {
    fn drop(&mut self) {
        if let Some(callback) = self.callback.take()
            && !self.to.cleared.get()
        {
            self.to.callback.set(Some(callback));
        }
    }
}

/// A closure's name is the path of the function it stands in: `shop::main::{{closure}}()`.
fn describe_closure<F>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}()", std::any::type_name::<F>())
}
