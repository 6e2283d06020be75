//! A candidate's future with what the judge knows of it: its name, and whether anybody has asked for
//! its exception.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use six_steps::Exception;
use wakeup::FutureError;

use crate::candidate::{Future, Outcome};
use crate::op::Name;

pub(crate) struct Tracked<F> {
    pub(super) future: F,
    pub(super) name: OnceCell<Name>,
    pub(super) is_task: bool,
    retrieved: Cell<bool>,
    // A task that awaited itself: nobody may await it after that.
    pub(super) spoilt: Cell<bool>,
}

impl<F: Future> Tracked<F> {
    pub(super) fn new(future: F, name: Option<&Name>, is_task: bool) -> Rc<Self> {
        let tracked = Self {
            future,
            name: OnceCell::new(),
            is_task,
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
            Some(Err(Exception::Cancelled)) => Err(Exception::Cancelled),
            Some(Err(exception)) => Ok(Some(exception)),
        }
    }

    pub(super) fn unretrieved(&self) -> Option<Exception> {
        match self.future.outcome() {
            Some(Err(exception)) if !self.retrieved.get() && !exception.is_cancelled() => {
                Some(exception)
            }
            _ => None,
        }
    }

    /// A callback's name in a trace, with the future's where it has one.
    pub(super) fn label(&self, callback: &str) -> String {
        match self.name.get() {
            Some(name) => format!("{callback}:{name}"),
            None => callback.to_owned(),
        }
    }

    pub(super) fn set(&self, outcome: Outcome) -> Result<(), Exception> {
        let refused = match &outcome {
            _ if !self.is_task => FutureError::InvalidState,
            Ok(_) => FutureError::TaskResult,
            Err(_) => FutureError::TaskException,
        };
        if !self.is_task && self.future.finish(outcome) {
            Ok(())
        } else {
            Err(refused.into())
        }
    }
}
