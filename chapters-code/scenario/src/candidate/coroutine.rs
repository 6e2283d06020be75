//! A coroutine as a candidate's task sees it: it is resumed, and says what it waits for.

use std::cell::{Cell, OnceCell, RefCell};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use six_steps::Exception;

use crate::candidate::Outcome;
use crate::candidate::tracked::Tracked;
use crate::op::Name;

type Body = Pin<Box<dyn std::future::Future<Output = Outcome>>>;

/// A coroutine: code that runs from one await to the next each time it is resumed.
pub struct Coroutine<F> {
    body: Cell<Option<Body>>,
    started: Cell<bool>,
    step: Rc<Step<F>>,
    running: Running<F>,
}

/// How a resumed coroutine gave back the thread.
pub enum Resumed<F> {
    /// A bare yield: it goes on in the next turn.
    Yielded,
    /// It awaits this future, which is not done.
    Awaits(F),
    /// It ended.
    Ended(Outcome),
}

/// The coroutine whose step is going on.
pub(super) type Running<F> = Rc<RefCell<Option<Rc<Step<F>>>>>;

/// What a coroutine and whatever it awaits tell each other.
pub(super) struct Step<F> {
    pub(super) name: Name,
    pub(super) task: OnceCell<Weak<Tracked<F>>>,
    pub(super) thrown: Cell<Option<Exception>>,
    pub(super) parked: Cell<Option<Resumed<F>>>,
}

impl<F> Coroutine<F> {
    pub(super) fn new(
        name: &str,
        running: Running<F>,
        body: impl std::future::Future<Output = Outcome> + 'static,
    ) -> (Self, Rc<Step<F>>) {
        let step = Rc::new(Step {
            name: name.into(),
            task: OnceCell::new(),
            thrown: Cell::new(None),
            parked: Cell::new(None),
        });
        let coroutine = Self {
            body: Cell::new(Some(Box::pin(body))),
            started: Cell::new(false),
            step: Rc::clone(&step),
            running,
        };
        (coroutine, step)
    }

    /// Runs it to its next await, or to its end. An exception in `thrown` is raised where it waits
    /// (`coro.throw`); in one that has not started it ends it before the first line.
    ///
    /// # Panics
    /// If it has ended, or is running: a task that is done takes no step.
    #[track_caller]
    pub fn resume(&self, thrown: Option<Exception>) -> Resumed<F> {
        let Some(mut body) = self.body.take() else {
            panic!(
                "task {} took a step although its coroutine has ended",
                self.step.name
            );
        };
        if let (Some(exception), false) = (&thrown, self.started.replace(true)) {
            return Resumed::Ended(Err(exception.clone()));
        }
        self.step.thrown.set(thrown);
        let outer = self.running.replace(Some(Rc::clone(&self.step)));
        let polled = body.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        self.running.replace(outer);
        match polled {
            Poll::Ready(outcome) => Resumed::Ended(outcome),
            Poll::Pending => {
                self.body.set(Some(body));
                self.step.parked.take().unwrap_or(Resumed::Yielded)
            }
        }
    }
}
