//! A task's `std::task::Waker`: how any future of the ecosystem wakes a task. On the loop's own
//! thread waking is `call_soon(task.wakeup)`; from another thread it goes through the hatch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};

use futures_task::ArcWake;
use six_steps::{Hatch, with_running_loop};

use crate::registry::{Key, Registry};
use crate::step;

/// What a waker points to.
///
/// Most tasks await only futures of this floor, which know the task and need no waker, so a loop
/// lends one to step after step; a task keeps it only if somebody kept a clone. It is lent by
/// reference, which std's `Wake` cannot do and `ArcWake` can: a step counts no references.
pub(crate) struct TaskWaker {
    hatch: Hatch,
    // The key of the task it wakes now; changes only while nobody else holds a clone.
    key: AtomicU64,
    woken: AtomicBool,
}

impl TaskWaker {
    pub(crate) fn new(hatch: Hatch) -> Self {
        Self {
            hatch,
            key: AtomicU64::new(0),
            woken: AtomicBool::new(false),
        }
    }

    /// Starts a step of a task: from here on a wake counts again.
    pub(crate) fn start(self: &Arc<Self>, key: Key) {
        self.key.store(key.to_bits(), Ordering::Relaxed);
        // Whoever finds it up leaves the wake to us, so what they did before comes first now. A
        // waker that nobody has used, or has any more, costs a look.
        if self.woken.load(Ordering::Relaxed) && self.kept() {
            self.woken.swap(false, Ordering::AcqRel);
        }
    }

    pub(crate) fn woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }

    /// Whether somebody kept a clone. If not, it is as good as new.
    pub(crate) fn kept(self: &Arc<Self>) -> bool {
        let kept = Arc::strong_count(self) > 1;
        // A clone that is gone was dropped by another thread, perhaps; what it did comes first.
        fence(Ordering::Acquire);
        if !kept {
            self.woken.store(false, Ordering::Relaxed);
        }
        kept
    }
}

// ANCHOR: wake
impl ArcWake for TaskWaker {
    fn wake_by_ref(waker: &Arc<Self>) {
        // A task that wakes itself in its own step looks at the flag when the step is over.
        if step::polls_with(Arc::as_ptr(waker).cast()) {
            waker.woken.store(true, Ordering::Release);
            return;
        }
        // Until the task's next step, the first wake is enough.
        if !waker.woken.swap(true, Ordering::AcqRel) {
            waker.wake_task();
        }
    }
}

impl TaskWaker {
    fn wake_task(&self) {
        let key = Key::from_bits(self.key.load(Ordering::Relaxed));
        let here = with_running_loop(|event_loop| {
            let here = event_loop.is_reached_by(&self.hatch);
            if here {
                event_loop.attachment::<Registry>().wake(key);
            }
            here
        });
        if here != Some(true) {
            // A closed loop wakes nobody.
            let _ = self.hatch.call_soon_threadsafe(move || {
                with_running_loop(|event_loop| event_loop.attachment::<Registry>().wake(key));
            });
        }
    }
}
// ANCHOR_END: wake
