//! The hatch: the one way into the loop from another thread. What comes through it becomes an
//! ordinary handle, in step 4 of the turn that finds it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use containers::{Callback, Handle, Interrupt, IntoOutcome, once};

use crate::error::LoopClosed;
use crate::event_loop::EventLoop;

/// What any thread may hold of a loop. Clones reach the same loop.
///
/// ```
/// use six_steps::EventLoop;
///
/// let event_loop = EventLoop::new();
/// let hatch = event_loop.hatch();
/// let elsewhere = std::thread::spawn(move || {
///     hatch.call_soon_threadsafe(|| six_steps::running_loop().unwrap().stop())
/// });
/// event_loop.run_forever()?;
/// elsewhere.join().unwrap()?;
/// # Ok::<(), six_steps::LoopError>(())
/// ```
#[derive(Clone)]
pub struct Hatch {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) type Posted = Box<dyn Callback + Send>;

pub(crate) struct Shared {
    // A std mutex: it is held for one push or one swap, never across a callback.
    queue: Mutex<Queue>,
    // Whether the queue may hold something: the loop asks this each turn without the lock.
    posted: AtomicBool,
    interrupt: Arc<dyn Interrupt>,
}

#[derive(Default)]
struct Queue {
    posts: Vec<Posted>,
    closed: bool,
}

impl Hatch {
    // ANCHOR: call_soon_threadsafe
    /// Runs `callback` on the loop's thread in its next turn, and ends the loop's sleep if it is
    /// asleep (`loop.call_soon_threadsafe`).
    ///
    /// # Errors
    /// [`LoopClosed`] after the loop was closed; the callback is dropped.
    #[track_caller]
    pub fn call_soon_threadsafe<F, R>(&self, callback: F) -> Result<(), LoopClosed>
    where
        F: FnOnce() -> R + Send + 'static,
        R: IntoOutcome + 'static,
    {
        let post: Posted = Box::new(once(callback));
        {
            let mut queue = self.shared.queue();
            if queue.closed {
                return Err(LoopClosed);
            }
            queue.posts.push(post);
        }
        // The first post of a burst wakes the loop; it takes the others with it.
        if !self.shared.posted.swap(true, Ordering::SeqCst) {
            self.shared.interrupt.interrupt();
        }
        Ok(())
    }
    // ANCHOR_END: call_soon_threadsafe
}

impl fmt::Debug for Hatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<Hatch closed={}>", self.shared.queue().closed)
    }
}

impl Shared {
    pub(crate) fn new(interrupt: Arc<dyn Interrupt>) -> Self {
        Self {
            queue: Mutex::default(),
            posted: AtomicBool::new(false),
            interrupt,
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A panic while it was held left a vector with or without one more post: both are fine.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        let posts = std::mem::take(&mut queue.posts);
        drop(queue);
        drop(posts);
    }
}

impl EventLoop {
    // ANCHOR: take
    /// What came through the hatch becomes ready, in the order it came.
    #[inline]
    pub(crate) fn take_from_hatch(&self) {
        let shared = &self.core.hatch;
        if !shared.posted.load(Ordering::Relaxed) {
            return;
        }
        // Down before the queue is emptied: a post in between is taken now and wakes us once more
        // for nothing, which is harmless; the other order could lose it.
        shared.posted.swap(false, Ordering::SeqCst);
        let mut posts = self.core.posts.borrow_mut();
        std::mem::swap(&mut *posts, &mut shared.queue().posts);
        let mut ready = self.core.ready.borrow_mut();
        for post in posts.drain(..) {
            ready.push(Handle::from_callback(post));
        }
    }
    // ANCHOR_END: take
}
