//! Three nested awaits with every poll counted: at the top, in the middle and at the bottom.
//! What suspends is the bottom; an `.await` on the way down costs no suspension of its own.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::suspend_once;

/// How many times each of the three levels was polled.
#[derive(Debug, Default)]
pub struct Polls {
    outer: Cell<u32>,
    middle: Cell<u32>,
    inner: Cell<u32>,
}

impl Polls {
    /// The counts, outermost first.
    pub fn counts(&self) -> [u32; 3] {
        [self.outer.get(), self.middle.get(), self.inner.get()]
    }
}

/// Awaits a coroutine that awaits a coroutine, whose body suspends `stops` times.
///
/// ```
/// use suspension::{Polls, finish, outer};
///
/// let polls = Polls::default();
/// let finished = finish(&mut Box::pin(outer(&polls, 0)), 10).unwrap();
/// assert_eq!((finished.value, finished.yields()), (3, 0));
/// assert_eq!(polls.counts(), [1, 1, 1]);
/// ```
// ANCHOR: nested
pub fn outer(polls: &Polls, stops: u32) -> impl Future<Output = u32> {
    counted(&polls.outer, async move { middle(polls, stops).await + 1 })
}

fn middle(polls: &Polls, stops: u32) -> impl Future<Output = u32> {
    counted(&polls.middle, async move { inner(polls, stops).await + 1 })
}

fn inner(polls: &Polls, stops: u32) -> impl Future<Output = u32> {
    counted(&polls.inner, async move {
        for _ in 0..stops {
            suspend_once().await;
        }
        1
    })
}
// ANCHOR_END: nested

/// A future and the counter of its polls.
struct Counted<'a, F> {
    polls: &'a Cell<u32>,
    // Boxed, so that `Counted` itself may move and no pinned field has to be reached into.
    future: Pin<Box<F>>,
}

fn counted<F: Future>(polls: &Cell<u32>, future: F) -> Counted<'_, F> {
    Counted {
        polls,
        future: Box::pin(future),
    }
}

impl<F: Future> Future for Counted<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.polls.set(self.polls.get() + 1);
        self.future.as_mut().poll(cx)
    }
}
