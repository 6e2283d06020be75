//! A candidate's future with what the judge knows of it: its name, what it is, and whether anybody has
//! asked for its exception.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use six_steps::Exception;
use wakeup::FutureError;

use crate::candidate::{Future, Outcome};
use crate::op::Name;

/// What a future is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Task,
    /// It is never cancelled itself: in the end it is given its children's cancellation.
    Gathering,
}

pub(crate) struct Tracked<F> {
    pub(super) future: F,
    pub(super) name: OnceCell<Name>,
    kind: Kind,
    retrieved: Cell<bool>,
    // A task that awaited itself: nobody may await it after that.
    pub(super) spoilt: Cell<bool>,
}

impl<F: Future> Tracked<F> {
    pub(super) fn new(future: F, name: Option<&Name>, kind: Kind) -> Rc<Self> {
        let tracked = Self {
            future,
            name: OnceCell::new(),
            kind,
            retrieved: Cell::new(false),
            spoilt: Cell::new(false),
        };
        if let Some(name) = name {
            let _ = tracked.name.set(Rc::clone(name));
        }
        Rc::new(tracked)
    }

    /// What it ended with; whoever asks has retrieved the exception.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let outcome = self.future.outcome();
        self.retrieved.set(outcome.is_some());
        outcome
    }

    pub(super) fn result(&self) -> Outcome {
        let outcome = self.outcome();
        outcome.unwrap_or_else(|| Err(FutureError::ResultNotSet.into()))
    }

    pub(super) fn exception(&self) -> Result<Option<Exception>, Exception> {
        match self.outcome() {
            None => Err(FutureError::ExceptionNotSet.into()),
            Some(Ok(_)) => Ok(None),
            Some(Err(exception)) if self.is_cancelled_by(&exception) => Err(exception),
            Some(Err(exception)) => Ok(Some(exception)),
        }
    }

    pub(super) fn unretrieved(&self) -> Option<Exception> {
        let exception = self.future.outcome()?.err()?;
        let unasked = !self.retrieved.get() && !self.is_cancelled_by(&exception);
        unasked.then_some(exception)
    }

    fn is_cancelled_by(&self, exception: &Exception) -> bool {
        exception.is_cancelled() && self.kind != Kind::Gathering
    }

    /// A callback's name in a trace, with the future's where it has one.
    pub(super) fn label(&self, callback: &str) -> String {
        match self.name.get() {
            Some(name) => format!("{callback}:{name}"),
            None => callback.to_owned(),
        }
    }

    pub(super) fn state(&self) -> &'static str {
        match self.future.outcome() {
            None => "pending",
            Some(Err(exception)) if self.is_cancelled_by(&exception) => "cancelled",
            Some(_) => "finished",
        }
    }

    pub(super) fn set(&self, outcome: Outcome) -> Result<(), Exception> {
        if self.kind == Kind::Task {
            return Err(match outcome {
                Ok(_) => FutureError::TaskResult.into(),
                Err(_) => FutureError::TaskException.into(),
            });
        }
        if self.future.finish(outcome) {
            Ok(())
        } else {
            Err(FutureError::InvalidState.into())
        }
    }
}
