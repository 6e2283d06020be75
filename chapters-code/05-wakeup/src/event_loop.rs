//! What this floor adds to the loop, from outside.

use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use six_steps::{Callback, EventLoop, Exception, Handle, LoopError, running_loop};

use crate::Outcome;
use crate::error::TaskError;
use crate::future::{AnyFuture, Future};
use crate::task::Task;

/// Futures and tasks on an [`EventLoop`].
pub trait Tasks {
    /// A future that is not done (`loop.create_future`).
    fn create_future<T: 'static>(&self) -> Future<T>;

    /// Makes a task of a coroutine; its first step is ready, and runs in the next turn
    /// (`loop.create_task`).
    ///
    /// # Errors
    /// [`LoopError::Closed`] after a close.
    #[track_caller]
    fn create_task<T, F>(&self, coroutine: F) -> Result<Task<T>, LoopError>
    where
        T: 'static,
        F: std::future::Future<Output = Outcome<T>> + 'static;

    /// Runs the loop until a coroutine, a task or a future is done, and returns its result
    /// (`loop.run_until_complete`).
    ///
    /// # Errors
    /// What the coroutine ended with; [`TaskError::Stopped`] if the loop was stopped before; or
    /// what the loop itself refused, as a [`LoopError`].
    #[track_caller]
    fn run_until_complete<E: EnsureFuture>(&self, awaitable: E) -> Outcome<E::Output>
    where
        E::Output: Clone;
}

/// What can be awaited: a coroutine, of which a task is made, or a future as it is
/// (`asyncio.ensure_future`).
pub trait EnsureFuture {
    /// The result's type.
    type Output: 'static;

    /// The future, and whether a task was made for it.
    ///
    /// # Errors
    /// [`LoopError::Closed`] after a close.
    #[track_caller]
    fn ensure_future(
        self,
        event_loop: &EventLoop,
    ) -> Result<(Future<Self::Output>, bool), LoopError>;
}

impl<T: 'static, F: std::future::Future<Output = Outcome<T>> + 'static> EnsureFuture for F {
    type Output = T;

    fn ensure_future(self, event_loop: &EventLoop) -> Result<(Future<T>, bool), LoopError> {
        let task = event_loop.create_task(self)?;
        task.keep_quiet_if_destroyed();
        Ok((task.into(), true))
    }
}

impl<T: 'static> EnsureFuture for Future<T> {
    type Output = T;

    fn ensure_future(self, _: &EventLoop) -> Result<(Self, bool), LoopError> {
        Ok((self, false))
    }
}

impl<T: 'static> EnsureFuture for Task<T> {
    type Output = T;

    fn ensure_future(self, _: &EventLoop) -> Result<(Future<T>, bool), LoopError> {
        Ok((self.into(), false))
    }
}

impl Tasks for EventLoop {
    fn create_future<T: 'static>(&self) -> Future<T> {
        Future::pending(self.clone())
    }

    fn create_task<T, F>(&self, coroutine: F) -> Result<Task<T>, LoopError>
    where
        T: 'static,
        F: std::future::Future<Output = Outcome<T>> + 'static,
    {
        if self.is_closed() {
            return Err(LoopError::Closed);
        }
        Ok(Task::start(self, coroutine, Location::caller()))
    }

    // ANCHOR: run_until_complete
    fn run_until_complete<E: EnsureFuture>(&self, awaitable: E) -> Outcome<E::Output>
    where
        E::Output: Clone,
    {
        self.check_runnable()?;
        let (future, is_new) = awaitable.ensure_future(self)?;
        if !future.event_loop().is(self) {
            return Err(Exception::error(TaskError::OtherLoop));
        }
        let stop = Handle::from_callback(RunUntilComplete {
            future: future.any(),
        });
        future.add_done_handle(stop.clone());
        let ran = self.run_forever();
        future.remove_done_callback(&stop);
        if let Err(error) = ran {
            if is_new && future.done() && !future.cancelled() {
                // It is this very error: not to be reported again.
                let _ = future.exception();
            }
            return Err(match error {
                LoopError::Exit(exception) => exception,
                other => Exception::error(other),
            });
        }
        if !future.done() {
            return Err(Exception::error(TaskError::Stopped));
        }
        future.result()
    }
    // ANCHOR_END: run_until_complete
}

/// The done callback that stops the loop (`base_events.py`, `_run_until_complete_cb`).
struct RunUntilComplete {
    future: Rc<dyn AnyFuture>,
}

impl Callback for RunUntilComplete {
    fn run(&self, _: &Handle) -> Outcome<()> {
        // An exit has ended the run already; a stop would end the next one too early.
        let left = matches!(self.future.exception(), Ok(Some(exception)) if exception.is_exit());
        if !left {
            six_steps::with_running_loop(EventLoop::stop);
        }
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.future.name() {
            Some(name) => write!(f, "run_done:{name}"),
            None => f.write_str("run_done"),
        }
    }
}

/// Makes a task on the loop that is running (`asyncio.create_task`).
///
/// # Errors
/// [`LoopError::NoRunningLoop`] outside of a turn.
#[track_caller]
pub fn create_task<T, F>(coroutine: F) -> Result<Task<T>, LoopError>
where
    T: 'static,
    F: std::future::Future<Output = Outcome<T>> + 'static,
{
    running_loop()?.create_task(coroutine)
}
