//! A loop of the reader's own under the same judgement: the same programs, the same traces, the
//! same comparison. A [`Candidate`] is the loop, [`Outside`] is all that it has of the world, and
//! [`attempt`] runs a program of level 1 or 2 on it. The exercise `your-loop` stands on this.

mod attempt;
mod coroutine;
mod gather;
mod judged;
mod outside;
mod runner;
mod tracked;

use std::rc::Rc;
use std::time::Duration;

pub use attempt::{Attempt, End, attempt};
pub use containers::Fd;
pub use coroutine::{Coroutine, Resumed};
pub use outside::{Callback, Outside};
pub use serde_json::Value;
pub use six_steps::Exception;

/// What a coroutine or a future ends with: its value, or its exception. A cancellation is the
/// exception [`Exception::Cancelled`].
pub type Outcome = Result<Value, Exception>;

/// What [`Future::cancel`] does in place of cancelling; it returns whether it could.
pub type OnCancel = Rc<dyn Fn() -> bool>;

/// A loop under judgement. Callbacks call it while it turns, so it takes `&self`: its containers
/// stand in cells, and none of them is borrowed while a callback runs.
pub trait Candidate: Sized + 'static {
    /// What `call_soon` and `call_at` give back: one callback, and the right to cancel it.
    type Handle: Clone + 'static;
    /// A future of this loop. A task is one too.
    type Future: Future;

    /// A loop with nothing to do. It keeps `outside`, its only clock and its only selector.
    fn new(outside: Outside) -> Rc<Self>;

    /// Queues a callback for the next turn. It never runs it.
    fn call_soon(self: &Rc<Self>, callback: Callback) -> Self::Handle;

    /// Puts a callback on the heap, due at a moment of [`Outside::time`], which may have passed.
    fn call_at(self: &Rc<Self>, when: Duration, callback: Callback) -> Self::Handle;

    /// Cancels a handle. A timer that still stands on the heap is counted, once.
    fn cancel(&self, handle: &Self::Handle);

    /// Whether a handle was cancelled.
    fn cancelled(&self, handle: &Self::Handle) -> bool;

    /// Queues `callback` in each turn that finds the descriptor readable, and watches it.
    fn add_reader(self: &Rc<Self>, fd: Fd, callback: Callback);

    /// Forgets the descriptor's callback, and stops to watch it. CPython (`selector_events.py`,
    /// `_remove_reader`, line 289) and the loop of this book cancel its handle as well, so that one
    /// which is queued already is skipped. No program of levels 1 and 2 can tell.
    fn remove_reader(&self, fd: Fd);

    /// Turns until [`stop`](Self::stop) was called. The turn in which it was called runs to its
    /// end; the next run knows nothing of it.
    ///
    /// # Errors
    /// What left the loop: an exception of [`Outside::select`], or one of a callback for which
    /// [`Exception::is_exit`] holds. What is still queued stays queued.
    fn run_forever(self: &Rc<Self>) -> Result<(), Exception>;

    /// Ends `run_forever` after the current turn, or after the first one of the next run.
    fn stop(&self);

    /// A future that is not done. With `on_cancel`, [`Future::cancel`] calls that in place of
    /// cancelling: a `gather` cancels its children.
    fn create_future(self: &Rc<Self>, on_cancel: Option<OnCancel>) -> Self::Future;

    /// A task: queues the coroutine's first step. The callbacks of its steps are called `step:NAME`,
    /// or `wakeup:NAME` where a future that it awaited queues them.
    ///
    /// [`Future::cancel`] of a task cancels what it waits for. If there is nothing, or it cannot be
    /// cancelled, the next step raises the cancellation; one that is asked for during a step goes
    /// to the future that the step then awaits, and a step that returns instead ends the task as
    /// cancelled. An exit that ends a coroutine also leaves the loop.
    fn create_task(self: &Rc<Self>, name: &str, coroutine: Coroutine<Self::Future>)
    -> Self::Future;
}

/// A future of a [`Candidate`]. Clones are the same future.
pub trait Future: Clone + 'static {
    /// What it ended with; `None` while it is not done.
    fn outcome(&self) -> Option<Outcome>;

    /// Ends it and queues its done callbacks, one `call_soon` each, in the order of adding. Returns
    /// false, and changes nothing, if it is done.
    fn finish(&self, outcome: Outcome) -> bool;

    /// Asks it to end with [`Exception::Cancelled`]. Returns false, and changes nothing, if it is
    /// done.
    fn cancel(&self) -> bool;

    /// Queues `callback` once it is done; with `call_soon`, at once, if it is done already.
    fn add_done_callback(&self, callback: Callback);

    /// Removes a callback that has not been queued yet. Returns how often it was there.
    fn remove_done_callback(&self, callback: &Callback) -> usize;
}
