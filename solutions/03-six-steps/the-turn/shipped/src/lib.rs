//! # The turn
//!
//! Build the turn of a small loop on the containers of floor 2. All around it stands already: the
//! queue, the heap, the selector, and the calls that fill them. What is missing is the motion,
//! [`SmallLoop::run_once`], and once it stands you have an event loop of your own.
//!
//! The book has the six steps in chapter 3, "What is a turn?", and one section for each. Two rules
//! are easy to miss. A callback may call any method of the loop, so no container may be borrowed
//! while one runs. And the clock has moved when `select` returns, not always as planned.
//!
//! A borrow in the head of an `if let`, a `while let` or a `match` lasts to the end of its block. The
//! panic then names the line that borrows a second time, not the one that still holds the first.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::time::Duration;

use containers::{
    DeadlineOverflow, Fd, Handle, Interest, IntoOutcome, Ready, Scheduled, Selector, Source,
    TimerHandle, once,
};

/// No sleep is longer than this.
pub const MAXIMUM_SELECT_TIMEOUT: Duration = Duration::from_hours(24);

/// A small loop: callbacks, timers and readers. It has no hatch and no exception handler.
pub struct SmallLoop {
    ready: RefCell<Ready>,
    scheduled: RefCell<Scheduled>,
    selector: Box<dyn Selector>,
    readers: RefCell<HashMap<Fd, Handle>>,
    stopping: Cell<bool>,
    failed: Cell<usize>,
}

impl SmallLoop {
    /// A loop that sleeps on this selector.
    pub fn new(selector: impl Selector + 'static) -> Self {
        Self {
            ready: RefCell::default(),
            scheduled: RefCell::default(),
            selector: Box::new(selector),
            readers: RefCell::default(),
            stopping: Cell::new(false),
            failed: Cell::new(0),
        }
    }

    /// Runs a callback in the next turn.
    pub fn call_soon<R: IntoOutcome + 'static>(
        &self,
        callback: impl FnOnce() -> R + 'static,
    ) -> Handle {
        let handle = Handle::new(callback);
        self.call_soon_handle(handle.clone());
        handle
    }

    /// Runs a handle that exists already in the next turn.
    pub fn call_soon_handle(&self, handle: Handle) {
        self.ready.borrow_mut().push(handle);
    }

    /// Runs a callback at a moment of the loop's clock.
    ///
    /// # Errors
    /// [`DeadlineOverflow`] if the moment is not representable.
    pub fn call_at<R: IntoOutcome + 'static>(
        &self,
        when: Duration,
        callback: impl FnOnce() -> R + 'static,
    ) -> Result<TimerHandle, DeadlineOverflow> {
        self.scheduled.borrow_mut().push(when, once(callback))
    }

    /// Runs a callback in each turn that finds the descriptor readable.
    ///
    /// # Errors
    /// The selector's error.
    pub fn add_reader<R: IntoOutcome + 'static>(
        &self,
        source: Source,
        callback: impl FnMut() -> R + 'static,
    ) -> io::Result<()> {
        let fd = source.fd();
        let interest = Interest {
            readable: true,
            writable: false,
        };
        self.selector.register(source, interest)?;
        let handle = Handle::repeating(callback);
        self.readers.borrow_mut().insert(fd, handle);
        Ok(())
    }

    /// Runs the callback of this descriptor no more.
    ///
    /// # Errors
    /// The selector's error.
    pub fn remove_reader(&self, fd: Fd) -> io::Result<()> {
        self.readers.borrow_mut().remove(&fd);
        self.selector.unregister(fd)
    }

    /// Ends [`run_forever`](Self::run_forever) after the current turn, or after the next one.
    pub fn stop(&self) {
        self.stopping.set(true);
    }

    /// The loop's clock.
    pub fn time(&self) -> Duration {
        self.selector.time()
    }

    /// How many handles are due now.
    pub fn ready_len(&self) -> usize {
        self.ready.borrow().len()
    }

    /// How many timers stand on the heap.
    pub fn scheduled_len(&self) -> usize {
        self.scheduled.borrow().len()
    }

    /// How many callbacks ended with an error so far.
    pub fn failed(&self) -> usize {
        self.failed.get()
    }

    /// One turn, in six steps:
    ///
    /// 1. Sweep cancelled timers ([`Scheduled::sweep`]).
    /// 2. Find the timeout: zero if anything is ready or the loop is stopping, else the time until
    ///    the nearest deadline and no more than [`MAXIMUM_SELECT_TIMEOUT`], else `None`.
    /// 3. Select ([`Selector::select`]).
    /// 4. Put the readers of the descriptors that were reported in the queue.
    /// 5. Put the timers in the queue that are due before now plus the clock's resolution
    ///    ([`Scheduled::pop_due`], [`Selector::resolution`]).
    /// 6. Run the handles that are in the queue by now, and skip those that were cancelled. One
    ///    that ends with an error is counted in [`failed`](Self::failed), and the turn goes on.
    ///
    /// # Errors
    /// The selector's error; nothing runs then.
    pub fn run_once(&self) -> io::Result<()> {
        todo!("sweep, find the timeout, select, collect readers, collect timers, run")
    }

    /// Runs turns until [`stop`](Self::stop) is called.
    ///
    /// # Errors
    /// The selector's error.
    pub fn run_forever(&self) -> io::Result<()> {
        loop {
            self.run_once()?;
            if self.stopping.take() {
                return Ok(());
            }
        }
    }
}
