//! Awaiting a future: the place where a coroutine suspends, and where it goes on.

use std::future::IntoFuture;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::Outcome;
use crate::callbacks::DoneCallback;
use crate::error::TaskError;
use crate::future::Future;
use crate::step::{self, Listener, Parked};
use crate::task::Task;

/// What `future.await` polls (`futures.py`, `Future.__await__`).
#[must_use = "it does nothing unless it is awaited"]
pub struct Awaiting<T: 'static> {
    future: Future<T>,
    listener: Option<Listener>,
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
            return Poll::Ready(outcome);
        }
        if self.listener.is_none() && cell.spoilt().get() {
            return Poll::Ready(Err(TaskError::NotUsedWithFuture.into()));
        }
        let listens = self
            .listener
            .as_ref()
            .is_some_and(|listener| listener.is_of(context));
        if !listens {
            self.stop_listening();
            self.listen(Listener::of(context));
        } else if let Some(Listener::Task(_)) = self.listener {
            step::park(Parked::On(self.future.any()));
        }
        Poll::Pending
    }
    // ANCHOR_END: poll
}

impl<T: 'static> Awaiting<T> {
    fn listen(&mut self, listener: Listener) {
        let callback = match &listener {
            Listener::Waker(waker) => DoneCallback::waker(waker.clone()),
            Listener::Task(task) => {
                if let Some(wrong) = step::objection(&self.future) {
                    self.future.object.cell().spoilt().set(true);
                    return step::park(Parked::Wrong(wrong));
                }
                step::park(Parked::On(self.future.any()));
                DoneCallback::Handle(task.clone())
            }
        };
        self.future.listen(callback);
        self.listener = Some(listener);
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
                Listener::Task(task) => callbacks.remove_wakeup(task),
                Listener::Waker(waker) => callbacks.remove_waker(waker),
            });
    }
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
