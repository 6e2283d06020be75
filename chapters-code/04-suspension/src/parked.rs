//! A future that waits for somebody else: it stores the waker of whoever polls it, and setting
//! its value calls that waker. The `Future` of the next floor is this with errors, cancellation
//! and any number of waiters.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Debug)]
enum State<T> {
    /// Nobody has set a value; the waker of the latest poll, once there was one.
    Waiting(Option<Waker>),
    Set(T),
    Taken,
}

/// The half that waits: ready with the value once [`Setter::set`] was called.
///
/// It panics when it is polled after it gave its value away, as std's futures do. If the setter
/// is dropped it stays pending for ever, as an asyncio future does that nobody resolves.
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub struct Parked<T> {
    // `Rc` and `RefCell`: both halves live on one thread; what crosses threads is the waker.
    state: Rc<RefCell<State<T>>>,
}

/// The half that sets the value, once: `set` consumes it.
#[derive(Debug)]
pub struct Setter<T> {
    state: Rc<RefCell<State<T>>>,
}

/// Makes a future and the setter that resolves it.
///
/// ```
/// use suspension::{Step, parked, step};
///
/// let (setter, future) = parked();
/// let mut coro = Box::pin(async { format!("{} with milk", future.await) });
/// assert_eq!(step(&mut coro), Step::Yielded);
/// setter.set("tea");
/// assert_eq!(step(&mut coro), Step::Returned("tea with milk".to_owned()));
/// ```
pub fn parked<T>() -> (Setter<T>, Parked<T>) {
    let state = Rc::new(RefCell::new(State::Waiting(None)));
    (
        Setter {
            state: Rc::clone(&state),
        },
        Parked { state },
    )
}

// ANCHOR: parked
impl<T> Future for Parked<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut state = self.state.borrow_mut();
        if let State::Waiting(waker) = &mut *state {
            // Every poll registers anew: the future may have moved to another
            // task since the last one. Only the latest poller is to be woken.
            *waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Taken) {
            State::Set(value) => Poll::Ready(value),
            _ => panic!("`Parked` polled after it returned its value"),
        }
    }
}

impl<T> Setter<T> {
    /// Stores the value and wakes whoever polled the future last.
    ///
    /// It does not resume the coroutine: that takes another poll.
    pub fn set(self, value: T) {
        let before = self.state.replace(State::Set(value));
        // The borrow has ended: a waker that polls at once finds the value.
        if let State::Waiting(Some(waker)) = before {
            waker.wake();
        }
    }
}
// ANCHOR_END: parked
