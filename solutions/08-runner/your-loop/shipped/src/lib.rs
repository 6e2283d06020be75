//! # Your loop
//!
//! Write an event loop: containers, turns, futures and tasks, all in this file. CPython has recorded
//! 293 programs, turn by turn, and the judge that judged the loop of this book judges yours. It is
//! the best way to find out which parts of the book you know and which you have only read.
//!
//! The judge sees your loop through two traits, [`Candidate`] and [`Future`]; each method's page
//! says what it has to do. What stands behind them is yours: add fields, types and functions.
//! Callbacks call the loop while it turns, so every method takes `&self`, and what changes stands in
//! a `Cell` or a `RefCell`. A borrow in the head of an `if let`, a `while let` or a `match` lasts to
//! the end of its block: take the handle out in a statement of its own, and then run it.
//!
//! ## A turn
//!
//! The loop has no clock and no selector of its own; it has [`Outside`]. A turn is these calls, in
//! this order, with your six steps between them:
//!
//! | | you do | and call |
//! |---|---|---|
//! | | | `outside.turn_starts(timers on the heap, count of cancelled ones)` |
//! | 1 | sweep | `outside.swept(timers on the heap, count of cancelled ones)` |
//! | 2 | the timeout | `outside.time()` |
//! | 3 | sleep | `outside.select(timeout)?` |
//! | 4 | queue the readers of what it returned | |
//! | 5 | queue the timers that are due | `outside.time()`, `outside.resolution()` |
//! | 6 | take the handles that are ready | `outside.run(&callback)`, or `outside.skip()` for a cancelled one |
//!
//! A callback may fail. `outside.unhandled(&callback, &exception)` reports it; an exception for which
//! `is_exit()` holds leaves the loop instead.
//!
//! ## Stages
//!
//! The tests go from the plain to the whole. You need not write everything before the first passes.
//!
//! | stage | programs | needs |
//! |---|---:|---|
//! | 1 `call_soon` | 4 | `new`, `call_soon`, `run_forever`, `stop`, steps 3 and 6 |
//! | 2 timers | 16 | `call_at`, steps 2 and 5, a heap that orders ties as `heapq` does |
//! | 3 readers | 5 | `add_reader`, `remove_reader`, step 4 |
//! | 4 cancelled handles | 30 | `cancel`, `cancelled` |
//! | 5 counting and sweeping | 44 | the count of cancelled timers, step 1 |
//! | 6 exceptions | 40 | `unhandled`, exits, a deadlock |
//! | 7 tasks | 20 | `create_task`, `create_future`, `outcome`, `finish`, `add_done_callback`, `remove_done_callback` |
//! | 8 futures | 41 | the order of done callbacks, and of those added to a future that is done |
//! | 9 gather | 58 | nothing new, if 7 and 8 are right |
//! | 10 the end | 19 | the future's `cancel`: of a plain future, of one with `on_cancel`, of a task |
//! | 11 cancellations and exits | 16 | what `cancel` and `remove_done_callback` return; a task that cancels itself; an exit out of a task |
//!
//! `cargo test -p your-loop stage_01` judges the first stage. `cargo run -q -p your-loop -- 1-soon-fifo`
//! shows the turns of one program.
//!
//! Sleep, gather and the runner come from the judge, on top of your futures and timers. So do the
//! coroutines: [`Coroutine::resume`] runs one to its next await, and your task decides what follows.
//! Chapter 2 has the heap, chapter 3 the turn, chapter 5 the task.

#![allow(
    unused_variables,
    reason = "the stubs use nothing yet: take this out when they do"
)]

use std::rc::Rc;
use std::time::Duration;

use scenario::candidate::{
    Callback, Candidate, Coroutine, Exception, Fd, Future, OnCancel, Outcome, Outside,
};

/// Your loop.
pub struct Loop {}

/// One callback, and the right to cancel it. Clones are the same handle.
#[derive(Clone)]
pub struct Handle {}

/// A future of your loop; a task is one too. Clones are the same future.
#[derive(Clone)]
pub struct LoopFuture {}

impl Candidate for Loop {
    type Handle = Handle;
    type Future = LoopFuture;

    fn new(outside: Outside) -> Rc<Self> {
        todo!("a loop with nothing to do, which keeps outside")
    }

    fn call_soon(self: &Rc<Self>, callback: Callback) -> Handle {
        todo!("a handle, behind all others that are ready")
    }

    fn call_at(self: &Rc<Self>, when: Duration, callback: Callback) -> Handle {
        todo!("a handle on the heap, due at when")
    }

    fn cancel(&self, handle: &Handle) {
        todo!("mark it, and count it if it is a timer that stands on the heap")
    }

    fn cancelled(&self, handle: &Handle) -> bool {
        todo!("whether it is marked")
    }

    fn add_reader(self: &Rc<Self>, fd: Fd, callback: Callback) {
        todo!("keep a handle for the descriptor, and have outside watch it")
    }

    fn remove_reader(&self, fd: Fd) {
        todo!("forget the handle, and have outside watch no longer")
    }

    fn run_forever(self: &Rc<Self>) -> Result<(), Exception> {
        todo!("turn after turn, until one has failed or stop was called")
    }

    fn stop(&self) {
        todo!("remember it for the end of the turn")
    }

    fn create_future(self: &Rc<Self>, on_cancel: Option<OnCancel>) -> LoopFuture {
        todo!("a future that is not done")
    }

    fn create_task(self: &Rc<Self>, name: &str, coroutine: Coroutine<LoopFuture>) -> LoopFuture {
        todo!("a future with a coroutine, whose first step is queued")
    }
}

impl Future for LoopFuture {
    fn outcome(&self) -> Option<Outcome> {
        todo!("what it ended with")
    }

    fn finish(&self, outcome: Outcome) -> bool {
        todo!("end it once, and queue its callbacks")
    }

    fn cancel(&self) -> bool {
        todo!("on_cancel, or what a task waits for, or the future itself")
    }

    fn add_done_callback(&self, callback: Callback) {
        todo!("keep it, or queue it if the future is done")
    }

    fn remove_done_callback(&self, callback: &Callback) -> usize {
        todo!("drop it wherever it stands, and say how often it stood there")
    }
}
