//! What the interpreter asks of the loop under judgement, op by op. The loop of this book is the
//! usual subject (`tower.rs`); a reader's own loop is the other (`candidate/`).

use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use six_steps::{Exception, LoopError, TurnRecord};

use crate::exec::{Outcome, Who};
use crate::op::{Body, Name, Op};
use crate::script_callback::ScriptCallback;
use crate::world::World;

/// The value that a coroutine or a future ends with, or its exception.
pub(crate) type Ended = Result<Value, Exception>;

/// A loop that can run programs.
pub(crate) trait Subject: Sized + 'static {
    /// What `call_soon` and `call_at` give back.
    type Handle: Clone;
    /// A future; a task is one too.
    type Future: Clone + 'static;
    /// A done callback, to be removed again.
    type Listener: Clone;
    /// An asynchronous generator (level 3).
    type Generator: Clone;
    /// What runs coroutines to their end.
    type Runner;

    fn call_soon(&self, callback: ScriptCallback<Self>) -> Result<Self::Handle, Exception>;
    fn call_at(
        &self,
        when: Duration,
        callback: ScriptCallback<Self>,
    ) -> Result<Self::Handle, Exception>;
    fn cancel_handle(&self, handle: &Self::Handle);
    fn handle_cancelled(&self, handle: &Self::Handle) -> bool;
    /// A reader for a fresh descriptor that becomes readable at `when`; it removes itself as it
    /// runs.
    fn add_reader(&self, when: Duration, callback: ScriptCallback<Self>) -> Result<(), Exception>;
    fn stop(&self);
    fn run_forever(&self) -> Result<(), Exception>;
    fn close(&self) -> Result<(), LoopError>;
    /// An exception has left the turn that was going on, if one was.
    fn turn_was_left(&self, _text: &str) {}
    /// What each turn did.
    fn turns(&self) -> Vec<TurnRecord>;

    /// The name of the task whose step is going on.
    fn current_task(&self) -> Option<Name>;
    /// Whether this is the task whose step is going on.
    fn is_current(&self, future: &Self::Future) -> bool;
    /// A future, which keeps the name.
    fn create_future(&self, name: &Name) -> Self::Future;
    fn create_task(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Self::Future, Exception>;
    /// A coroutine that `gather` makes a task of: nobody is told if it is left pending.
    fn create_child(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Self::Future, Exception>;
    /// A future of its children's values, which `collect` reads once all are done.
    fn gather(
        &self,
        name: &Name,
        children: Vec<Self::Future>,
        return_exceptions: bool,
        collect: impl Fn(&[Self::Future]) -> Ended + 'static,
    ) -> Self::Future;
    fn set_result(future: &Self::Future, value: Value) -> Result<(), Exception>;
    fn set_exception(future: &Self::Future, exception: Exception) -> Result<(), Exception>;
    fn add_done_callback(
        &self,
        future: &Self::Future,
        callback: ScriptCallback<Self>,
    ) -> Self::Listener;
    fn remove_done_callback(future: &Self::Future, listener: &Self::Listener) -> usize;
    /// `pending`, `finished` or `cancelled`.
    fn state(future: &Self::Future) -> String;
    fn result(future: &Self::Future) -> Ended;
    fn exception(future: &Self::Future) -> Result<Option<Exception>, Exception>;
    fn cancel(future: &Self::Future) -> bool;
    /// The exception that nobody has asked for.
    fn unretrieved(future: &Self::Future) -> Option<Exception>;

    fn wait(&self, future: &Self::Future) -> impl Future<Output = Ended>;
    fn sleep(&self, delay: Duration) -> impl Future<Output = Result<(), Exception>>;

    fn runner(&self) -> Self::Runner;
    fn run_main(
        world: &Rc<World<Self>>,
        runner: &mut Self::Runner,
        name: &Name,
        body: &Body,
    ) -> Ended;
    fn close_runner(world: &Rc<World<Self>>, runner: Self::Runner) -> Result<(), Exception>;

    /// The ops that only the book's loop has (level 3), and those on a task that the program has
    /// not made.
    fn run_other_op(world: &Rc<World<Self>>, who: Who, op: &Op) -> impl Future<Output = Outcome>;
    /// Lets go of what would keep it alive.
    fn clear(&self);
}
