//! # Suspend once, suspend often
//!
//! An `async` block cannot say `Pending` by itself: at its bottom there is a future that can. Here
//! you build that future. It suspends as often as it is told, and it waits for nothing: before it
//! lets go, it asks to be polled again. Loops hand out turns with it, and tests stop coroutines at
//! a line of their choice.
//!
//! Give [`Suspend`] what it has to remember, and write its `poll`. The book builds the smaller one
//! in chapter 4, "A future that suspends once".

use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is pending a number of times and then ready.
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub struct Suspend {
    // What does it have to remember from one poll to the next?
}

/// Suspends the awaiting coroutine once.
pub fn suspend_once() -> Suspend {
    todo!("a future that suspends once")
}

/// Suspends the awaiting coroutine `times` times; with zero it does not suspend at all.
pub fn suspend_times(times: u32) -> Suspend {
    todo!("a future that suspends {times} times")
}

impl Future for Suspend {
    type Output = ();

    /// Pending as often as it was told; each time it wakes whoever polls it. Then ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("pending or ready? and whom does {cx:?} say to wake?")
    }
}
