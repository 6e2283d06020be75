//! A waker whose whole effect is a flag, and a driver that polls only when the flag is up.
//! On the next floor the flag becomes `call_soon(task.wakeup)`, and the driver the event loop.

use std::ops::DerefMut;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};

use crate::{Step, step_with};

/// A flag that a waker raises: "poll this coroutine again".
///
/// It is up from the start, since a new coroutine is due its first step, as a new task is.
///
/// ```
/// use std::sync::Arc;
/// use std::task::Waker;
/// use suspension::Woken;
///
/// let woken = Arc::new(Woken::new());
/// assert!(woken.take());
/// assert!(!woken.take(), "taking the flag lowers it");
/// Waker::from(Arc::clone(&woken)).wake();
/// assert!(woken.take());
/// ```
// ANCHOR: flag
#[derive(Debug)]
pub struct Woken {
    // Atomic, because a waker may be called from any thread.
    due: AtomicBool,
}

impl Woken {
    /// A flag that is up.
    pub fn new() -> Self {
        Self {
            due: AtomicBool::new(true),
        }
    }

    /// Lowers the flag and says whether it was up.
    pub fn take(&self) -> bool {
        self.due.swap(false, Ordering::Acquire)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.due.store(true, Ordering::Release);
    }
}
// ANCHOR_END: flag

/// Runs one step if the flag is up, and does nothing at all if it is down (`None`).
///
/// ```
/// use std::sync::Arc;
/// use suspension::{Step, Woken, parked, step_if_woken};
///
/// let woken = Arc::new(Woken::new());
/// let (setter, future) = parked();
/// let mut coro = Box::pin(future);
/// assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
/// assert_eq!(step_if_woken(&mut coro, &woken), None);
/// setter.set("tea");
/// assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Returned("tea")));
/// ```
// ANCHOR: driver
pub fn step_if_woken<P>(
    coro: &mut Pin<P>,
    woken: &Arc<Woken>,
) -> Option<Step<<P::Target as Future>::Output>>
where
    P: DerefMut<Target: Future>,
{
    // Lowered before the step: a wake during the step must not be lost.
    woken
        .take()
        .then(|| step_with(coro, &Waker::from(Arc::clone(woken))))
}
// ANCHOR_END: driver

impl Default for Woken {
    fn default() -> Self {
        Self::new()
    }
}
