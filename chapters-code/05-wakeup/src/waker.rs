//! A task's `std::task::Waker`: how any future of the ecosystem wakes a task. On the loop's own
//! thread waking is `call_soon(task.wakeup)`; from another thread it goes through the hatch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::task::{Wake, Waker};

use six_steps::{Hatch, with_running_loop};

use crate::registry::{Key, Registry};
use crate::step;

/// A waker, and the side of it that the loop keeps.
///
/// Most tasks await only futures of this floor, which know the task and need no waker, so a loop
/// lends one waker to step after step; a task keeps it only if somebody kept a clone.
pub(crate) struct Lent {
    shared: Arc<Shared>,
    pub(crate) waker: Waker,
}

struct Shared {
    hatch: Hatch,
    // The key of the task it wakes now; changes only while nobody else holds a clone.
    key: AtomicU64,
    woken: AtomicBool,
}

impl Lent {
    pub(crate) fn new(hatch: Hatch) -> Self {
        let shared = Arc::new(Shared {
            hatch,
            key: AtomicU64::new(0),
            woken: AtomicBool::new(false),
        });
        Self {
            waker: Waker::from(Arc::clone(&shared)),
            shared,
        }
    }

    /// Starts a step of a task: from here on a wake counts again.
    pub(crate) fn start(&self, key: Key) {
        self.shared.key.store(key.to_bits(), Ordering::Relaxed);
        // Whoever finds it up leaves the wake to us, so what they did before comes first now. A
        // waker that nobody has used, as most, costs a look.
        if self.shared.woken.load(Ordering::Relaxed) {
            self.shared.woken.swap(false, Ordering::AcqRel);
        }
    }

    /// Whether somebody kept a clone, or has used one already.
    pub(crate) fn kept(&self) -> bool {
        let clones = Arc::strong_count(&self.shared) > 2;
        // A clone that is gone was dropped by another thread, perhaps; what it did comes first.
        fence(Ordering::Acquire);
        clones || self.woken()
    }

    pub(crate) fn woken(&self) -> bool {
        self.shared.woken.load(Ordering::Acquire)
    }
}

// ANCHOR: wake
impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Until the task's next step, the first wake is enough.
        if self.woken.swap(true, Ordering::AcqRel) {
            return;
        }
        // A task that wakes itself in its own step looks at the flag when the step is over.
        if step::polls_with(Arc::as_ptr(self).cast()) {
            return;
        }
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
