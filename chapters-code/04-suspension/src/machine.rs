//! What `.await` compiles to: one coroutine as the compiler builds it ([`tally`]), and the same
//! one by hand ([`Tally`]), a state for each place where it can stand.
//! `tests/machine.rs` steps both and finds no difference.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::{SuspendOnce, suspend_once};

/// Adds an awaited number to `first`, and tells `note` how far it has come.
///
/// ```
/// let mut coro = Box::pin(suspension::tally(|line| println!("{line}"), 40));
/// let finished = suspension::finish(&mut coro, 10).unwrap();
/// assert_eq!((finished.value, finished.yields()), (42, 2));
/// ```
// ANCHOR: coroutine
pub async fn tally(mut note: impl FnMut(&'static str), first: u32) -> u32 {
    note("begun");
    suspend_once().await;
    note("past the first stop");
    let second = answer(2).await;
    note("answer in");
    first + second
}
// ANCHOR_END: coroutine

/// Returns `value`, one suspension later.
///
/// ```
/// use suspension::{Step, answer, step};
///
/// let mut coro = Box::pin(answer(2));
/// assert_eq!(step(&mut coro), Step::Yielded);
/// assert_eq!(step(&mut coro), Step::Returned(2));
/// ```
// ANCHOR: answer
pub async fn answer(value: u32) -> u32 {
    suspend_once().await;
    value
}
// ANCHOR_END: answer

/// The coroutine [`tally`] by hand: where it stands, and what it needs from there on.
///
/// ```
/// use suspension::{Step, Tally, step};
///
/// let mut machine = Box::pin(Tally::new(|_| {}, 40));
/// assert_eq!(machine.state(), "Unresumed");
/// assert_eq!(step(&mut machine), Step::Yielded);
/// assert_eq!(machine.state(), "AtFirstStop");
/// ```
// ANCHOR: states
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub enum Tally<N> {
    /// Called, and not polled yet: `note` and `first`, the arguments.
    Unresumed(N, u32),
    /// At `suspend_once().await`: `note`, `first`, and what is awaited.
    AtFirstStop(N, u32, SuspendOnce),
    /// At `answer(2).await`: the same, with a machine inside the machine.
    AtAnswer(N, u32, Answer),
    /// Ended: a further poll is an error.
    Returned,
    /// A panic left it in the middle of a poll: a further poll is an error.
    Panicked,
}
// ANCHOR_END: states

impl<N> Tally<N> {
    /// Makes the machine; nothing of the body runs.
    pub fn new(note: N, first: u32) -> Self {
        Self::Unresumed(note, first)
    }

    /// The name of the state it stands in.
    pub fn state(&self) -> &'static str {
        match self {
            Self::Unresumed(..) => "Unresumed",
            Self::AtFirstStop(..) => "AtFirstStop",
            Self::AtAnswer(..) => "AtAnswer",
            Self::Returned => "Returned",
            Self::Panicked => "Panicked",
        }
    }
}

// ANCHOR: poll
impl<N: FnMut(&'static str) + Unpin> Future for Tally<N> {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let this = self.get_mut();
        loop {
            // The state is moved out and the next one moved in. If `note`
            // panics in between, what stays behind is `Panicked`.
            match std::mem::replace(this, Self::Panicked) {
                Self::Unresumed(mut note, first) => {
                    note("begun");
                    *this = Self::AtFirstStop(note, first, suspend_once());
                }
                Self::AtFirstStop(mut note, first, mut awaited) => {
                    if Pin::new(&mut awaited).poll(cx).is_pending() {
                        *this = Self::AtFirstStop(note, first, awaited);
                        return Poll::Pending;
                    }
                    note("past the first stop");
                    *this = Self::AtAnswer(note, first, Answer::new(2));
                }
                Self::AtAnswer(mut note, first, mut awaited) => {
                    let Poll::Ready(second) = Pin::new(&mut awaited).poll(cx) else {
                        *this = Self::AtAnswer(note, first, awaited);
                        return Poll::Pending;
                    };
                    note("answer in");
                    *this = Self::Returned;
                    return Poll::Ready(first + second);
                }
                Self::Returned => {
                    *this = Self::Returned;
                    panic!("`async fn` resumed after completion")
                }
                Self::Panicked => panic!("`async fn` resumed after panicking"),
            }
        }
    }
}
// ANCHOR_END: poll

/// The coroutine [`answer`] by hand, smaller by a state: it has nothing to do before its stop.
///
/// ```
/// use suspension::{Answer, Step, step};
///
/// let mut machine = Box::pin(Answer::new(2));
/// assert_eq!(step(&mut machine), Step::Yielded);
/// assert_eq!(step(&mut machine), Step::Returned(2));
/// ```
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub struct Answer {
    /// Gone once the value has been returned.
    awaited: Option<SuspendOnce>,
    value: u32,
}

impl Answer {
    /// Makes the machine; nothing of the body runs.
    pub fn new(value: u32) -> Self {
        Self {
            awaited: Some(suspend_once()),
            value,
        }
    }
}

impl Future for Answer {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let Some(awaited) = &mut self.awaited else {
            panic!("`async fn` resumed after completion")
        };
        if Pin::new(awaited).poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.awaited = None;
        Poll::Ready(self.value)
    }
}
