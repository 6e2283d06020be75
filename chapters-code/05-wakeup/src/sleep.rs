//! Waiting for time, and for the next turn.

use std::fmt;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use containers::Slot;
use six_steps::{Callback, Exception, Handle, running_loop};

use crate::Outcome;
use crate::awaiting::listener;
use crate::callbacks::Callbacks;
use crate::cell::FutureCell;
use crate::error::TaskError;
use crate::future::{AnyFuture, Future, FutureObject, FutureState, state_of};
use crate::repr::write_future;
use crate::step::{self, Parked};

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
    Sleeping::start(delay)?.await
}

/// A future that is the callback of its own timer, so that one allocation serves both.
struct Sleeper {
    cell: FutureCell<()>,
    when: Duration,
}

/// The await of a sleeper, whom nobody else awaits.
struct Sleeping(Rc<Slot<Sleeper>>);

impl Sleeping {
    fn start(delay: Duration) -> Outcome<Self> {
        let event_loop = running_loop()?;
        let when = event_loop.time().saturating_add(delay);
        let sleeper = Rc::new(Slot::new(Sleeper {
            cell: FutureCell::new(event_loop.clone()),
            when,
        }));
        event_loop.call_at_handle(Handle::from_slot(sleeper.clone()))?;
        Ok(Self(sleeper))
    }
}

impl Drop for Sleeping {
    fn drop(&mut self) {
        drop(self.0.cell.forget_callbacks());
        let handle = Handle::from_slot(self.0.clone());
        self.0.cell.event_loop.timer_handle(handle).cancel();
    }
}
// ANCHOR_END: sleep

impl std::future::Future for Sleeping {
    type Output = Outcome<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome<()>> {
        let cell = &self.0.cell;
        if let Some(exception) = step::take_thrown() {
            return Poll::Ready(Err(exception));
        }
        if let Some(outcome) = cell.outcome() {
            return Poll::Ready(outcome);
        }
        if cell.spoilt().get() {
            return Poll::Ready(Err(TaskError::NotUsedWithFuture.into()));
        }
        // It has one listener: whoever polled it last.
        drop(cell.forget_callbacks());
        if let Some(callback) = listener(self.0.clone(), cell, context) {
            let refused = cell.listen(callback).map(Callbacks::One);
            self.0.tell(refused.unwrap_or(Callbacks::None));
        }
        Poll::Pending
    }
}

impl Sleeper {
    fn tell(&self, callbacks: Callbacks<()>) {
        callbacks.for_each(|callback| {
            callback.schedule(&self.cell.event_loop, || {
                unreachable!("nobody outside has the future, to add a callback that takes it")
            });
        });
    }
}

impl Callback for Sleeper {
    /// The timer fires (`futures.py`, `_set_result_unless_cancelled`).
    fn run(&self, _: &Handle) -> Outcome<()> {
        if let Ok(callbacks) = self.cell.finish(Ok(())) {
            self.tell(callbacks);
        }
        Ok(())
    }

    fn when(&self) -> Option<Duration> {
        Some(self.when)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sleep")
    }
}

impl AnyFuture for Slot<Sleeper> {
    fn state(&self) -> FutureState {
        state_of(&self.cell)
    }

    fn cancel(self: Rc<Self>) -> bool {
        let Some(callbacks) = self.cell.cancel() else {
            return false;
        };
        self.tell(callbacks);
        true
    }

    fn exception(&self) -> Outcome<Option<Exception>> {
        self.cell.exception()
    }

    fn add_done_handle(self: Rc<Self>, handle: Handle) {
        Future { object: self }.add_done_handle(handle);
    }

    fn name(&self) -> Option<Rc<str>> {
        None
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        &**self
    }
}

impl FutureObject<()> for Slot<Sleeper> {
    fn cell(&self) -> &FutureCell<()> {
        &self.cell
    }

    fn set_name(&self, _: &str) {}
}

impl fmt::Debug for Sleeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_future(f, "Future", &self.cell)
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
        if step::is_own_waker(context) {
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
