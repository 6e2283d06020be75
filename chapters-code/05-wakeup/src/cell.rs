//! The part that every future has, be it plain, a task or a gathering: its outcome, or who waits
//! for it.

use std::cell::{Cell, RefCell};

use six_steps::{EventLoop, Exception};

use crate::Outcome;
use crate::callbacks::{Callbacks, DoneCallback};
use crate::error::FutureError;

pub(crate) struct FutureCell<T> {
    pub(crate) event_loop: EventLoop,
    state: RefCell<State<T>>,
    // Whether there is an exception that nobody has asked for (`Future.__log_traceback`).
    unretrieved: Cell<bool>,
    // Whether a task has awaited it that may not (`_asyncio_future_blocking` left set): CPython
    // lets nobody await it after that while it is pending.
    spoilt: Cell<bool>,
}

enum State<T> {
    Pending(Callbacks<T>),
    Finished(Outcome<T>),
    Cancelled,
}

impl<T: 'static> FutureCell<T> {
    pub(crate) fn new(event_loop: EventLoop) -> Self {
        let state = RefCell::new(State::Pending(Callbacks::None));
        Self {
            event_loop,
            state,
            unretrieved: Cell::new(false),
            spoilt: Cell::new(false),
        }
    }

    pub(crate) fn spoilt(&self) -> &Cell<bool> {
        &self.spoilt
    }

    pub(crate) fn done(&self) -> bool {
        !matches!(*self.state.borrow(), State::Pending(_))
    }

    pub(crate) fn cancelled(&self) -> bool {
        matches!(*self.state.borrow(), State::Cancelled)
    }

    /// Ends the future with a result or an exception, and gives back who waits for it.
    pub(crate) fn finish(&self, outcome: Outcome<T>) -> Result<Callbacks<T>, FutureError> {
        if self.done() {
            return Err(FutureError::InvalidState);
        }
        self.unretrieved.set(outcome.is_err());
        Ok(self.end(State::Finished(outcome)))
    }

    /// Ends the future as cancelled, unless it is done.
    pub(crate) fn cancel(&self) -> Option<Callbacks<T>> {
        self.unretrieved.set(false);
        (!self.done()).then(|| self.end(State::Cancelled))
    }

    fn end(&self, state: State<T>) -> Callbacks<T> {
        match self.state.replace(state) {
            State::Pending(callbacks) => callbacks,
            State::Finished(_) | State::Cancelled => Callbacks::None,
        }
    }

    /// Adds a listener; a future that is done gives it back, to be scheduled at once.
    pub(crate) fn listen(&self, callback: DoneCallback<T>) -> Option<DoneCallback<T>> {
        match &mut *self.state.borrow_mut() {
            State::Pending(callbacks) => {
                callbacks.push(callback);
                None
            }
            State::Finished(_) | State::Cancelled => Some(callback),
        }
    }

    /// Changes the listeners of a future that is not done. What `change` removes is dropped here,
    /// after the borrow: a listener may hold the last reference to anything.
    pub(crate) fn unlisten(
        &self,
        change: impl FnOnce(&mut Callbacks<T>) -> Vec<DoneCallback<T>>,
    ) -> usize {
        let removed = match &mut *self.state.borrow_mut() {
            State::Pending(callbacks) => change(callbacks),
            State::Finished(_) | State::Cancelled => Vec::new(),
        };
        removed.len()
    }

    /// Takes the listeners of a future that will never be done.
    pub(crate) fn forget_callbacks(&self) -> Callbacks<T> {
        match &mut *self.state.borrow_mut() {
            State::Pending(callbacks) => std::mem::replace(callbacks, Callbacks::None),
            State::Finished(_) | State::Cancelled => Callbacks::None,
        }
    }

    /// The outcome of a future that is done; asking for an exception retrieves it.
    pub(crate) fn outcome(&self) -> Option<Outcome<T>>
    where
        T: Clone,
    {
        let outcome = match &*self.state.borrow() {
            State::Pending(_) => return None,
            State::Finished(outcome) => outcome.clone(),
            State::Cancelled => Err(Exception::Cancelled),
        };
        self.retrieve();
        Some(outcome)
    }

    /// The exception of a future that is done, or that it was cancelled; retrieves it.
    pub(crate) fn exception(&self) -> Outcome<Option<Exception>> {
        let found = match &*self.state.borrow() {
            State::Pending(_) => return Err(Exception::error(FutureError::ExceptionNotSet)),
            State::Finished(Ok(_)) => None,
            State::Finished(Err(exception)) => Some(exception.clone()),
            State::Cancelled => return Err(Exception::Cancelled),
        };
        self.retrieve();
        Ok(found)
    }

    pub(crate) fn retrieve(&self) {
        self.unretrieved.set(false);
    }

    /// Looks at how a future has finished, if it has; that retrieves nothing.
    pub(crate) fn with_finished<R>(&self, look: impl FnOnce(Option<&Outcome<T>>) -> R) -> R {
        match &*self.state.borrow() {
            State::Finished(outcome) => look(Some(outcome)),
            State::Pending(_) | State::Cancelled => look(None),
        }
    }

    /// Looks at the listeners, in their order.
    pub(crate) fn callbacks<R>(&self, look: impl Fn(&DoneCallback<T>) -> R) -> Vec<R> {
        match &*self.state.borrow() {
            State::Pending(callbacks) => callbacks.as_slice().iter().map(look).collect(),
            State::Finished(_) | State::Cancelled => Vec::new(),
        }
    }

    /// The exception that nobody has asked for, if there is one.
    pub(crate) fn unretrieved(&self) -> Option<Exception> {
        match &*self.state.borrow() {
            State::Finished(Err(exception)) if self.unretrieved.get() => Some(exception.clone()),
            _ => None,
        }
    }
}
