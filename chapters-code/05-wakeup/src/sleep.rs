//! Waiting for time, and for the next turn.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use six_steps::{Callback, Handle, TimerHandle, running_loop};

use crate::Outcome;
use crate::event_loop::Tasks;
use crate::future::Future;
use crate::step::{self, Listener, Parked};

// ANCHOR: sleep
/// Waits for `delay` (`tasks.py`, `sleep`, line 703 at v3.13.0): a future, a timer and an await.
/// No delay is a bare yield. The timer is cancelled on the way out, whichever way that is.
///
/// # Errors
/// What is thrown into the task meanwhile, a cancellation for example; no running loop; a delay
/// beyond the clock's range.
pub async fn sleep(delay: Duration) -> Outcome<()> {
    if delay.is_zero() {
        return yield_now().await;
    }
    let event_loop = running_loop()?;
    let future = event_loop.create_future();
    let when = event_loop.time().saturating_add(delay);
    let timer = event_loop.call_at_callback(when, WakeSleeper(future.clone()))?;
    let _cancelled_on_the_way_out = CancelOnDrop(timer);
    future.await
}
// ANCHOR_END: sleep

struct CancelOnDrop(TimerHandle);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The timer's callback (`futures.py`, `_set_result_unless_cancelled`).
struct WakeSleeper(Future<()>);

impl Callback for WakeSleeper {
    fn run(&self, _: &Handle) -> Outcome<()> {
        if !self.0.cancelled() {
            self.0.set_result(())?;
        }
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sleep")
    }
}

// ANCHOR: yield_now
/// Gives the others of this turn their turn, and goes on in the next (`asyncio.sleep(0)`).
pub fn yield_now() -> YieldNow {
    YieldNow { yielded: false }
}

impl std::future::Future for YieldNow {
    type Output = Outcome<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome<()>> {
        if let Some(exception) = step::take_thrown() {
            return Poll::Ready(Err(exception));
        }
        if self.yielded {
            return Poll::Ready(Ok(()));
        }
        self.yielded = true;
        if Listener::is_own_waker(context) {
            step::park(Parked::Yield);
        } else {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}
// ANCHOR_END: yield_now

/// What [`yield_now`] returns.
#[derive(Debug)]
#[must_use = "it does nothing unless it is awaited"]
pub struct YieldNow {
    yielded: bool,
}
