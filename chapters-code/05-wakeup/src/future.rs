//! A future: the promise of a result, which can be awaited, and which tells its listeners through
//! `call_soon` when it is done.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use containers::{IntoOutcome, Slot};
use six_steps::{Callback, EventLoop, Exception, Handle};

use crate::Outcome;
use crate::callbacks::{Callbacks, DoneCallback};
use crate::cell::FutureCell;
use crate::closure::Closure;
use crate::error::FutureError;
use crate::plain::Plain;

/// A result that is not there yet (`asyncio/futures.py`, `Future`).
///
/// Clones are the same future. A [`Task`](crate::Task) is one too. Awaiting it gives the result,
/// or the exception it was given, or [`Exception::Cancelled`]; like a Python object the result is
/// shared by all who await, so its type has to be `Clone`.
pub struct Future<T> {
    pub(crate) object: Rc<dyn FutureObject<T>>,
}

/// How far a future is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FutureState {
    /// Not done.
    Pending,
    /// Done, with a result or an exception.
    Finished,
    /// Done, by a cancellation.
    Cancelled,
}

/// What every kind of future can do, whatever its result.
pub trait AnyFuture {
    /// How far it is.
    fn state(&self) -> FutureState;
    /// Asks it to end with a cancellation. Returns false if it is done.
    fn cancel(self: Rc<Self>) -> bool;
    /// The exception it ended with; asking retrieves it, so that it is not reported.
    ///
    /// # Errors
    /// [`Exception::Cancelled`] if it was cancelled, [`FutureError::ExceptionNotSet`] if it is
    /// not done.
    fn exception(&self) -> Outcome<Option<Exception>>;
    /// Puts `handle` into the ready queue when the future is done.
    fn add_done_handle(self: Rc<Self>, handle: Handle);
    /// The name it was given.
    fn name(&self) -> Option<Rc<str>>;
    /// What a report shows of it.
    fn as_debug(&self) -> &dyn fmt::Debug;
}

/// A future whose result is a `T`.
pub(crate) trait FutureObject<T>: AnyFuture {
    fn cell(&self) -> &FutureCell<T>;
    fn set_name(&self, name: &str);
    /// Whether a coroutine will end it, and nobody else may.
    fn is_task(&self) -> bool {
        false
    }
}

impl<T> Clone for Future<T> {
    fn clone(&self) -> Self {
        Self {
            object: Rc::clone(&self.object),
        }
    }
}

impl<T: 'static> Future<T> {
    /// A future of this loop, not done (`loop.create_future`).
    pub(crate) fn pending(event_loop: EventLoop) -> Self {
        let cell = FutureCell::new(event_loop);
        Self {
            object: Rc::new(Plain {
                cell,
                name: OnceCell::new(),
            }),
        }
    }

    fn cell(&self) -> &FutureCell<T> {
        self.object.cell()
    }

    /// The loop it belongs to.
    pub fn event_loop(&self) -> &EventLoop {
        &self.cell().event_loop
    }

    // ANCHOR: set_result
    /// Ends the future with a result (`futures.py`, `set_result`). Whoever awaits it does not
    /// resume here: their wakeups become ready, and run in the next turn.
    ///
    /// # Errors
    /// [`FutureError::InvalidState`] if it is done, [`FutureError::TaskResult`] if it is a task.
    pub fn set_result(&self, result: T) -> Result<(), FutureError> {
        if self.object.is_task() {
            return Err(FutureError::TaskResult);
        }
        self.finish(Ok(result))
    }

    /// Ends the future with an exception. If nobody ever asks for it, it is reported as never
    /// retrieved.
    ///
    /// # Errors
    /// [`FutureError::InvalidState`] if it is done, [`FutureError::TaskException`] if it is a task.
    pub fn set_exception(&self, exception: impl Into<Exception>) -> Result<(), FutureError> {
        if self.object.is_task() {
            return Err(FutureError::TaskException);
        }
        self.finish(Err(exception.into()))
    }

    fn finish(&self, outcome: Outcome<T>) -> Result<(), FutureError> {
        self.schedule_callbacks(self.cell().finish(outcome)?);
        Ok(())
    }

    /// Every path out of a future ends here: one `call_soon` a listener
    /// (`futures.py`, `__schedule_callbacks`).
    pub(crate) fn schedule_callbacks(&self, callbacks: Callbacks<T>) {
        callbacks.for_each(|callback| callback.schedule(self.event_loop(), || self.clone()));
    }
    // ANCHOR_END: set_result

    /// Asks it to end with a cancellation (`Future.cancel`; for a task `Task.cancel`). Returns
    /// false if it is done.
    pub fn cancel(&self) -> bool {
        Rc::clone(&self.object).cancel()
    }

    /// How far it is.
    pub fn state(&self) -> FutureState {
        self.object.state()
    }

    /// Whether it has a result, an exception or was cancelled.
    pub fn done(&self) -> bool {
        self.cell().done()
    }

    /// Whether it was cancelled.
    pub fn cancelled(&self) -> bool {
        self.cell().cancelled()
    }

    /// The result.
    ///
    /// # Errors
    /// The exception it was given, [`Exception::Cancelled`], or [`FutureError::ResultNotSet`] if
    /// it is not done.
    pub fn result(&self) -> Outcome<T>
    where
        T: Clone,
    {
        let outcome = self.cell().outcome();
        outcome.unwrap_or_else(|| Err(Exception::error(FutureError::ResultNotSet)))
    }

    /// The exception, if it was given one; asking retrieves it.
    ///
    /// # Errors
    /// [`Exception::Cancelled`], or [`FutureError::ExceptionNotSet`] if it is not done.
    pub fn exception(&self) -> Outcome<Option<Exception>> {
        self.cell().exception()
    }

    /// The exception that nobody has asked for, if there is one; looking does not retrieve it.
    pub fn unretrieved_exception(&self) -> Option<Exception> {
        self.cell().unretrieved()
    }

    /// Runs `callback` with the future, through `call_soon`, when it is done; at once (in the next
    /// turn, that is) if it is done already. The handle removes it again.
    #[track_caller]
    pub fn add_done_callback<F, R>(&self, callback: F) -> Handle
    where
        F: FnOnce(Self) -> R + 'static,
        R: IntoOutcome + 'static,
    {
        let closure = Closure::new(callback);
        let slot = Rc::new(Slot::new(closure));
        let handle = Handle::from_slot(Rc::clone(&slot) as Rc<Slot<dyn Callback>>);
        self.listen(DoneCallback::closure(slot));
        handle
    }

    /// [`add_done_callback`](Self::add_done_callback) of a handle that exists already.
    pub fn add_done_handle(&self, handle: Handle) {
        self.listen(DoneCallback::Handle(handle));
    }

    pub(crate) fn listen(&self, callback: DoneCallback<T>) {
        if let Some(callback) = self.cell().listen(callback) {
            callback.schedule(self.event_loop(), || self.clone());
        }
    }

    /// Removes a done callback that has not become ready yet. Returns how many were removed
    /// (`Future.remove_done_callback`).
    pub fn remove_done_callback(&self, handle: &Handle) -> usize {
        self.cell()
            .unlisten(|callbacks| callbacks.remove_handle(handle))
    }

    /// Gives it a name for traces and reports; the first name stays, except a task's.
    pub fn set_name(&self, name: &str) {
        self.object.set_name(name);
    }

    /// The name it was given.
    pub fn name(&self) -> Option<Rc<str>> {
        self.object.name()
    }

    /// The same future, without the type of its result.
    pub fn any(&self) -> Rc<dyn AnyFuture> {
        Rc::clone(&self.object) as Rc<dyn AnyFuture>
    }

    /// Whether both are the same future.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Rc::as_ptr(&self.object), Rc::as_ptr(&other.object))
    }
}

impl<T> fmt::Debug for Future<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.object.as_debug(), f)
    }
}

pub(crate) fn state_of<T: 'static>(cell: &FutureCell<T>) -> FutureState {
    match (cell.done(), cell.cancelled()) {
        (false, _) => FutureState::Pending,
        (true, false) => FutureState::Finished,
        (true, true) => FutureState::Cancelled,
    }
}

impl fmt::Display for FutureState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "pending",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        })
    }
}
