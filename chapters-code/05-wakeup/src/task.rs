//! A task: a future that drives a coroutine. How it stands in memory is in `task_cell.rs`, its
//! steps are in `task_step.rs`: callbacks like any other.

use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use containers::Slot;
use six_steps::{EventLoop, Exception};

use crate::Outcome;
use crate::future::{AnyFuture, Future, FutureObject, FutureState};
use crate::task_cell::{AnyTask, TaskCell};

/// A coroutine that the loop drives (`asyncio/tasks.py`, `Task`). Clones are the same task.
///
/// Dropping it does not end it. Await it for its result; it is a [`Future`] too.
pub struct Task<T: 'static> {
    pub(crate) slot: Rc<Slot<TaskCell<T>>>,
}

/// A task, whatever its result.
#[derive(Clone)]
pub struct TaskRef(pub(crate) Rc<Slot<dyn AnyTask>>);

impl TaskRef {
    /// Its name.
    pub fn name(&self) -> Rc<str> {
        self.0.task_name()
    }

    /// How far it is.
    pub fn state(&self) -> FutureState {
        self.future().state()
    }

    /// Asks for its cancellation: see [`Task::cancel`].
    pub fn cancel(&self) -> bool {
        self.future().cancel()
    }

    /// The task as a future.
    pub fn future(&self) -> Rc<dyn AnyFuture> {
        self.0.as_future()
    }
}

impl fmt::Debug for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_debug(), f)
    }
}

impl<T: 'static> Task<T> {
    /// A task whose first step is ready.
    pub(crate) fn start<F>(
        event_loop: &EventLoop,
        coroutine: F,
        created_at: &'static Location<'static>,
    ) -> Self
    where
        F: std::future::Future<Output = Outcome<T>> + 'static,
    {
        let slot = Rc::new_cyclic(|this| {
            Slot::new(TaskCell::new(event_loop, this, coroutine, created_at))
        });
        slot.start();
        Self { slot }
    }

    /// The task as a future.
    pub fn future(&self) -> Future<T> {
        Future {
            object: Rc::clone(&self.slot) as Rc<dyn FutureObject<T>>,
        }
    }

    /// The task without the type of its result.
    pub fn any(&self) -> TaskRef {
        TaskRef(Rc::clone(&self.slot) as Rc<Slot<dyn AnyTask>>)
    }

    /// Asks for its cancellation (`Task.cancel`): whatever it awaits raises
    /// [`Exception::Cancelled`], in one of the next turns. The coroutine may clean up, and may go
    /// on. Returns false if the task is done.
    pub fn cancel(&self) -> bool {
        Rc::clone(&self.slot).cancel()
    }

    /// Whether it has a result, an exception or was cancelled.
    pub fn done(&self) -> bool {
        self.slot.cell.done()
    }

    /// Whether it ended with a cancellation.
    pub fn cancelled(&self) -> bool {
        self.slot.cell.cancelled()
    }

    /// The coroutine's result.
    ///
    /// # Errors
    /// The exception it ended with, or that it is not done: see [`Future::result`].
    pub fn result(&self) -> Outcome<T>
    where
        T: Clone,
    {
        self.future().result()
    }

    /// The exception it ended with, if any; asking retrieves it.
    ///
    /// # Errors
    /// See [`Future::exception`].
    pub fn exception(&self) -> Outcome<Option<Exception>> {
        self.slot.cell.exception()
    }

    /// Its name (`Task.get_name`).
    pub fn name(&self) -> Rc<str> {
        self.slot.task_name()
    }

    /// Gives it another name (`Task.set_name`).
    pub fn set_name(&self, name: &str) {
        TaskCell::set_name(&self.slot, name);
    }

    /// Keeps quiet if its loop is closed before it is done (`Task._log_destroy_pending`).
    pub fn keep_quiet_if_destroyed(&self) {
        self.slot.keep_quiet_if_destroyed();
    }
}

impl<T: 'static> Clone for Task<T> {
    fn clone(&self) -> Self {
        Self {
            slot: Rc::clone(&self.slot),
        }
    }
}

impl<T: 'static> From<Task<T>> for Future<T> {
    fn from(task: Task<T>) -> Self {
        Self { object: task.slot }
    }
}

impl<T: 'static> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self.slot, f)
    }
}
