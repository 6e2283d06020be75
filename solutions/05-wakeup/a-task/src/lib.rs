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

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use six_steps::{EventLoop, LoopError};

/// A coroutine that the loop steps.
pub struct Task<T> {
    shared: Rc<Shared<T>>,
}

struct Shared<T> {
    event_loop: EventLoop,
    // Gone while it is being polled, and once it has returned.
    coroutine: RefCell<Option<Pin<Box<dyn Future<Output = T>>>>>,
    result: RefCell<Option<T>>,
    // Whether the next step lies in the ready queue.
    scheduled: Cell<bool>,
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
        let shared = Rc::new(Shared {
            event_loop: event_loop.clone(),
            coroutine: RefCell::new(Some(Box::pin(coroutine))),
            result: RefCell::default(),
            scheduled: Cell::default(),
        });
        shared.schedule()?;
        Ok(Self { shared })
    }

    /// Whether the coroutine has returned.
    pub fn done(&self) -> bool {
        self.shared.result.borrow().is_some()
    }

    /// What the coroutine returned, once it has.
    pub fn result(&self) -> Option<T> {
        self.shared.result.borrow().clone()
    }
}

impl<T: 'static> Shared<T> {
    /// Queues the next step, unless it is queued already.
    fn schedule(self: &Rc<Self>) -> Result<(), LoopError> {
        if !self.scheduled.replace(true) {
            let task = Rc::clone(self);
            self.event_loop.call_soon(move || task.step())?;
        }
        Ok(())
    }

    /// Polls the coroutine to its next suspension or to its end.
    fn step(self: &Rc<Self>) {
        // Lowered before the poll: a wake within it asks for the step after.
        self.scheduled.set(false);
        let Some(mut coroutine) = self.coroutine.take() else {
            return;
        };
        let task = Rc::clone(self);
        let waker = waker(move || {
            // Only a closed loop refuses, and a closed loop runs nothing more.
            let _ = task.schedule();
        });
        match coroutine.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => drop(self.coroutine.replace(Some(coroutine))),
            Poll::Ready(result) => drop(self.result.replace(Some(result))),
        }
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
