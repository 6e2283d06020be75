//! One step of a coroutine, taken by hand: `poll` with a waker that does nothing.
//! Everything else on this floor is driven through it; a task of the next floor makes the same
//! call, with a waker that does something.

use std::ops::DerefMut;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// What one step of a coroutine came back with.
///
/// ```
/// use suspension::{Step, step};
///
/// let mut coro = Box::pin(async { 42 });
/// assert_eq!(step(&mut coro), Step::Returned(42));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<T> {
    /// The coroutine suspended: `send(None)` returned a value, `poll` returned `Pending`.
    Yielded,
    /// The coroutine ended: `StopIteration.value`, or `Poll::Ready`.
    Returned(T),
}

/// Runs a coroutine up to its next suspension or to its end, as `coro.send(None)` does.
///
/// It takes a pinned box or a pinned reference, whatever holds the coroutine in place. Like
/// any poll, a step after [`Step::Returned`] is an error of the caller's: a coroutine made by
/// `async` panics.
///
/// ```
/// use suspension::{Step, step, suspend_once};
///
/// let mut coro = std::pin::pin!(async {
///     suspend_once().await;
///     "done"
/// });
/// assert_eq!(step(&mut coro), Step::Yielded);
/// assert_eq!(step(&mut coro), Step::Returned("done"));
/// ```
// ANCHOR: step
pub fn step<P>(coro: &mut Pin<P>) -> Step<<P::Target as Future>::Output>
where
    P: DerefMut<Target: Future>,
{
    step_with(coro, Waker::noop())
}
// ANCHOR_END: step

/// Runs one step with a waker of the caller's choice.
///
/// ```
/// use std::sync::Arc;
/// use std::task::Waker;
/// use suspension::{Step, Woken, parked, step_with};
///
/// let woken = Arc::new(Woken::new());
/// let (setter, future) = parked();
/// let mut coro = Box::pin(future);
/// assert_eq!(step_with(&mut coro, &Waker::from(Arc::clone(&woken))), Step::Yielded);
/// setter.set(7);
/// assert!(woken.take(), "set called the waker that the step registered");
/// ```
// ANCHOR: poll
pub fn step_with<P>(coro: &mut Pin<P>, waker: &Waker) -> Step<<P::Target as Future>::Output>
where
    P: DerefMut<Target: Future>,
{
    match coro.as_mut().poll(&mut Context::from_waker(waker)) {
        Poll::Pending => Step::Yielded,
        Poll::Ready(value) => Step::Returned(value),
    }
}
// ANCHOR_END: poll

/// A coroutine that came to its end, and how many polls that took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished<T> {
    /// How many times the coroutine was polled, the last one included.
    pub polls: u32,
    /// What it returned.
    pub value: T,
}

impl<T> Finished<T> {
    /// How many times the coroutine suspended on its way: every poll but the last.
    ///
    /// ```
    /// let finished = suspension::finish(&mut Box::pin(async { 1 }), 10).unwrap();
    /// assert_eq!((finished.polls, finished.yields()), (1, 0));
    /// ```
    pub fn yields(&self) -> u32 {
        self.polls - 1
    }
}

/// The coroutine had not ended when the driver's patience did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("still pending after {polls} polls: allow more, or look for what it waits for")]
pub struct StillPending {
    /// How many times the coroutine was polled.
    pub polls: u32,
}

/// Steps a coroutine to its end, at most `limit` times.
///
/// The limit is there because a coroutine that never ends would hold this thread for ever: the
/// driver polls again at once, woken or not.
///
/// # Errors
///
/// [`StillPending`] after `limit` polls without an end. The coroutine is left where it was, and
/// can be stepped further.
///
/// ```
/// use suspension::{StillPending, finish, suspend_once};
///
/// let mut coro = Box::pin(async {
///     suspend_once().await;
///     suspend_once().await;
///     "end"
/// });
/// assert_eq!(finish(&mut coro, 2), Err(StillPending { polls: 2 }));
/// assert_eq!(finish(&mut coro, 2).unwrap().value, "end");
/// ```
pub fn finish<P>(
    coro: &mut Pin<P>,
    limit: u32,
) -> Result<Finished<<P::Target as Future>::Output>, StillPending>
where
    P: DerefMut<Target: Future>,
{
    for polls in 1..=limit {
        if let Step::Returned(value) = step(coro) {
            return Ok(Finished { polls, value });
        }
    }
    Err(StillPending { polls: limit })
}
