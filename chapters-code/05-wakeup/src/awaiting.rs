//! Awaiting a future: the place where a coroutine suspends, and where it goes on.

use std::future::IntoFuture;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::Outcome;
use crate::callbacks::DoneCallback;
use crate::cell::FutureCell;
use crate::error::TaskError;
use crate::future::{AnyFuture, Future};
use crate::step::{self, Parked};
use crate::task::Task;

/// What `future.await` polls (`futures.py`, `Future.__await__`).
#[must_use = "it does nothing unless it is awaited"]
pub struct Awaiting<T: 'static> {
    future: Future<T>,
    listener: Option<Listener>,
}

/// Who is told when the future is done.
enum Listener {
    /// The task that polls it. Where it stands in memory is enough: the future holds it.
    Task(*const ()),
    /// Whoever polls it with a waker that is not a task's own, such as a combinator.
    Waker(Waker),
}

impl<T: Clone + 'static> std::future::Future for Awaiting<T> {
    type Output = Outcome<T>;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome<T>> {
        let cell = self.future.object.cell();
        // An exception thrown into the task is raised here, at the await.
        if let Some(exception) = step::take_thrown() {
            cell.retrieve();
            return Poll::Ready(Err(exception));
        }
        if let Some(outcome) = cell.outcome() {
            // Done: nobody listens to it any more.
            self.listener = None;
            return Poll::Ready(outcome);
        }
        if self.listener.is_none() && cell.spoilt().get() {
            return Poll::Ready(Err(TaskError::NotUsedWithFuture.into()));
        }
        match &self.listener {
            Some(Listener::Task(task)) if step::is_polled_by(context, *task) => {
                step::park(Parked::On(self.future.any()));
            }
            Some(Listener::Waker(waker)) if waker.will_wake(context.waker()) => {}
            _ => self.listen(context),
        }
        Poll::Pending
    }
    // ANCHOR_END: poll
}

impl<T: 'static> Awaiting<T> {
    fn listen(&mut self, context: &Context<'_>) {
        self.stop_listening();
        let cell = self.future.object.cell();
        let Some(callback) = listener(self.future.any(), cell, context) else {
            return;
        };
        self.listener = Some(match &callback {
            DoneCallback::Handle(task) => Listener::Task(task.as_ptr()),
            DoneCallback::Other(_) => Listener::Waker(context.waker().clone()),
        });
        self.future.listen(callback);
    }

    /// A coroutine that no longer awaits must not be woken by what it no longer waits for.
    fn stop_listening(&mut self) {
        let Some(listener) = self.listener.take() else {
            return;
        };
        self.future
            .object
            .cell()
            .unlisten(|callbacks| match &listener {
                Listener::Task(task) => callbacks.remove_wakeup(*task),
                Listener::Waker(waker) => callbacks.remove_waker(waker),
            });
    }
}

/// Who is to be told when `future` is done: the task that polls it, which is then parked on it, or
/// the waker of a combinator. Nobody, if the task may not await it.
pub(crate) fn listener<T: 'static>(
    future: Rc<dyn AnyFuture>,
    cell: &FutureCell<T>,
    context: &Context<'_>,
) -> Option<DoneCallback<T>> {
    let Some(task) = step::task_of(context) else {
        return Some(DoneCallback::waker(context.waker().clone()));
    };
    if let Some(wrong) = step::objection(&task, &*future, &cell.event_loop) {
        cell.spoilt().set(true);
        step::park(Parked::Wrong(wrong));
        return None;
    }
    step::park(Parked::On(future));
    Some(DoneCallback::Handle(task))
}

impl<T: 'static> Drop for Awaiting<T> {
    fn drop(&mut self) {
        self.stop_listening();
    }
}

impl<T: Clone + 'static> IntoFuture for Future<T> {
    type Output = Outcome<T>;
    type IntoFuture = Awaiting<T>;

    fn into_future(self) -> Awaiting<T> {
        Awaiting {
            future: self,
            listener: None,
        }
    }
}

impl<T: Clone + 'static> IntoFuture for &Future<T> {
    type Output = Outcome<T>;
    type IntoFuture = Awaiting<T>;

    fn into_future(self) -> Awaiting<T> {
        self.clone().into_future()
    }
}

impl<T: Clone + 'static> IntoFuture for Task<T> {
    type Output = Outcome<T>;
    type IntoFuture = Awaiting<T>;

    fn into_future(self) -> Awaiting<T> {
        self.future().into_future()
    }
}

impl<T: Clone + 'static> IntoFuture for &Task<T> {
    type Output = Outcome<T>;
    type IntoFuture = Awaiting<T>;

    fn into_future(self) -> Awaiting<T> {
        self.future().into_future()
    }
}
