//! # Drive it
//!
//! A coroutine does nothing until somebody polls it. Here that is you: step it until it returns,
//! count the polls, and know when to give up. Every test of a coroutine needs such a driver, and
//! one without a limit is a test that can hang.
//!
//! Complete [`drive`]. The book explains the step in chapter 4, "A step".

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// A coroutine that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished<T> {
    /// How many times it was polled, the last poll included.
    pub polls: u32,
    /// What it returned.
    pub value: T,
}

/// The coroutine was still pending when the limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaveUp {
    /// How many times it was polled.
    pub polls: u32,
}

/// Polls `coroutine` until it returns, at most `limit` times, and does not wait to be woken.
///
/// # Errors
/// [`GaveUp`] after `limit` polls without an end. The coroutine stays where it stands, and another
/// call drives it on from there.
pub fn drive<F: Future>(
    mut coroutine: Pin<&mut F>,
    limit: u32,
) -> Result<Finished<F::Output>, GaveUp> {
    let mut context = Context::from_waker(Waker::noop());
    match coroutine.as_mut().poll(&mut context) {
        Poll::Pending => todo!("poll again, as long as the limit of {limit} polls allows"),
        Poll::Ready(value) => Ok(Finished { polls: 1, value }),
    }
}
