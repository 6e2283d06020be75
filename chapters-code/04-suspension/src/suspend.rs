//! The smallest future that suspends: once, and then it is done.
//! It is Rust's bare `yield`, the one inside `asyncio.sleep(0)` (`tasks.py`, `__sleep0`).

use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is pending at its first poll and ready at its second.
///
/// ```
/// use suspension::{Step, step, suspend_once};
///
/// let mut once = Box::pin(suspend_once());
/// assert_eq!(step(&mut once), Step::Yielded);
/// assert_eq!(step(&mut once), Step::Returned(()));
/// ```
// ANCHOR: suspend
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub struct SuspendOnce {
    suspended: bool,
}

/// Suspends the awaiting coroutine once.
pub fn suspend_once() -> SuspendOnce {
    SuspendOnce { suspended: false }
}

impl Future for SuspendOnce {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.suspended {
            return Poll::Ready(());
        }
        self.suspended = true;
        // Nothing to wait for, so it asks to be polled again before it lets go.
        // On a bare yield the task does that: `tasks.py`, line 357, `call_soon`.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
// ANCHOR_END: suspend
