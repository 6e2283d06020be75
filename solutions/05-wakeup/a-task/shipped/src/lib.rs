//! # A task
//!
//! A task brings a coroutine onto the loop. It polls the coroutine once a step, and between two
//! steps it lies in no queue: what the coroutine waits for wakes it, and waking is `call_soon` of
//! the next step. Nothing more is needed to run a thousand coroutines on the loop of chapter 3.
//!
//! Give [`Task`] what it has to remember, and write [`Task::start`], [`Task::done`] and
//! [`Task::result`]. A second wake before the step has begun changes nothing; one that comes while the
//! coroutine is being polled asks for the step after. [`waker`](fn@waker) makes the `Waker` that you pass down. The book explains a
//! step in chapter 5, "What is one step of a task?", and waking in "Any future of the ecosystem".

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Wake, Waker};

use six_steps::{EventLoop, LoopError};

/// A coroutine that the loop steps.
pub struct Task<T> {
    // What does it have to remember from one step to the next?
    _result: PhantomData<T>,
}

impl<T: Clone + 'static> Task<T> {
    /// A task of this loop. Its first step is queued, and runs in the next turn.
    ///
    /// # Errors
    /// [`LoopError::Closed`] after a close.
    pub fn start(
        event_loop: &EventLoop,
        coroutine: impl Future<Output = T> + 'static,
    ) -> Result<Self, LoopError> {
        let _ = (event_loop, coroutine);
        todo!("queue the first step; it polls the coroutine, and its waker queues the next one")
    }

    /// Whether the coroutine has returned.
    pub fn done(&self) -> bool {
        todo!("is there a result?")
    }

    /// What the coroutine returned, once it has.
    pub fn result(&self) -> Option<T> {
        todo!("a clone of the result")
    }
}

thread_local! {
    // A waker may cross threads and an `Rc` may not, so a waker holds a number, and this the rest.
    static WAKES: RefCell<HashMap<u64, Rc<dyn Fn()>>> = RefCell::default();
}

struct Key(u64);

/// A waker that calls `wake`, on this thread and on no other. Leave it as it is.
pub fn waker(wake: impl Fn() + 'static) -> Waker {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let key = NEXT.fetch_add(1, Ordering::Relaxed);
    WAKES.with_borrow_mut(|wakes| wakes.insert(key, Rc::new(wake)));
    Waker::from(Arc::new(Key(key)))
}

impl Wake for Key {
    fn wake(self: Arc<Self>) {
        // The borrow ends before the call: what it wakes may make wakers.
        let wake = WAKES.with_borrow(|wakes| wakes.get(&self.0).cloned());
        if let Some(wake) = wake {
            wake();
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // Dropped after the borrow. A thread that ends has no map any more.
        let _ = WAKES.try_with(|wakes| wakes.borrow_mut().remove(&self.0));
    }
}
