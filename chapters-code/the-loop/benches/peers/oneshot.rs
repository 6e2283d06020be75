//! The one-shot that every runtime awaits: the least a future can be, and the same for all.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Clone, Default)]
pub(crate) struct OneShot(Rc<Inner>);

#[derive(Default)]
struct Inner {
    done: Cell<bool>,
    waker: Cell<Option<Waker>>,
}

impl OneShot {
    pub(crate) fn complete(&self) {
        self.0.done.set(true);
        if let Some(waker) = self.0.waker.take() {
            waker.wake();
        }
    }
}

impl Future for OneShot {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.done.get() {
            return Poll::Ready(());
        }
        self.0.waker.set(Some(context.waker().clone()));
        Poll::Pending
    }
}

/// Wakes itself and suspends, once: what a bare wake costs.
#[derive(Default)]
pub(crate) struct WakeByRef {
    yielded: bool,
}

impl Future for WakeByRef {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.yielded {
            return Poll::Ready(());
        }
        self.yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
