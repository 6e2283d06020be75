//! A task: a future that drives a coroutine. Its steps are callbacks like any other; how one runs
//! is in `task_step.rs`.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::rc::{Rc, Weak};

use containers::Slot;
use six_steps::{Callback, EventLoop, Exception, ExceptionContext, Handle};

use crate::Outcome;
use crate::cell::FutureCell;
use crate::future::{
    AnyFuture, Future, FutureObject, FutureState, report_unretrieved, state_of, write_exception,
};
use crate::registry::{Key, Registry};
use crate::task_step::drop_coroutine;
use crate::waker::Lent;

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

/// What this floor needs of a task whose result's type it does not know.
pub(crate) trait AnyTask: Callback {
    fn number(&self) -> u64;
    fn place(&self) -> u32;
    fn task_name(&self) -> Rc<str>;
    fn event_loop(&self) -> &EventLoop;
    fn as_future(&self) -> Rc<dyn AnyFuture>;
    fn as_debug(&self) -> &dyn fmt::Debug;
    /// Puts its wakeup into the ready queue, unless it stands there already.
    fn wake(&self);
    /// Its loop was closed before it was done.
    fn destroyed(&self);
}

impl dyn AnyTask {
    pub(crate) fn key(&self) -> Key {
        Key {
            place: self.place(),
            number: truncate(self.number()),
        }
    }
}

/// The part of a task's number that its key keeps: 2³² tasks later the place is another's.
#[expect(clippy::cast_possible_truncation, reason = "that is the purpose")]
fn truncate(number: u64) -> u32 {
    number as u32
}

/// A coroutine: a std future that ends with a value or an exception.
pub(crate) type Coroutine<T> = Pin<Box<dyn std::future::Future<Output = Outcome<T>>>>;

/// What a task's step is called in the ready queue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// `Task.__step`: the first one, one after a bare yield or a wrong await.
    Step,
    /// `Task.__wakeup`: what it waited for is done.
    Wakeup,
}

pub(crate) struct TaskCell<T: 'static> {
    pub(crate) cell: FutureCell<T>,
    pub(crate) this: Weak<Slot<Self>>,
    pub(crate) registry: Rc<Registry>,
    pub(crate) coroutine: Cell<Option<Coroutine<T>>>,
    // What it waits for (`Task._fut_waiter`).
    pub(crate) waiter: RefCell<Option<Rc<dyn AnyFuture>>>,
    // Its own waker, once a foreign future has kept a clone.
    pub(crate) waker: Cell<Option<Box<Lent>>>,
    // What the next step raises, if not a cancellation.
    pub(crate) throw: Cell<Option<Box<Exception>>>,
    name: RefCell<Option<Rc<str>>>,
    number: u64,
    place: Cell<u32>,
    cancelling: Cell<u32>,
    pub(crate) must_cancel: Cell<bool>,
    pub(crate) running: Cell<bool>,
    // Woken during its own step.
    pub(crate) woken: Cell<bool>,
    pub(crate) started: Cell<bool>,
    pub(crate) scheduled: Cell<bool>,
    pub(crate) next: Cell<Next>,
    report_destroyed: Cell<bool>,
    // A report of it is being written.
    shown: Cell<bool>,
    // Its cancellation is on its way to what it awaits.
    passing_on: Cell<bool>,
    coroutine_name: fn() -> &'static str,
    created_at: &'static Location<'static>,
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
        let registry = event_loop.attachment::<Registry>();
        let number = registry.next_number();
        let slot = Rc::new_cyclic(|this| {
            Slot::new(TaskCell {
                cell: FutureCell::new(event_loop.clone()),
                this: Weak::clone(this),
                coroutine: Cell::new(Some(Box::pin(coroutine))),
                waiter: RefCell::default(),
                waker: Cell::default(),
                throw: Cell::default(),
                name: RefCell::default(),
                number,
                place: Cell::new(0),
                cancelling: Cell::new(0),
                must_cancel: Cell::new(false),
                running: Cell::new(false),
                woken: Cell::new(false),
                started: Cell::new(false),
                scheduled: Cell::new(false),
                next: Cell::new(Next::Step),
                report_destroyed: Cell::new(true),
                shown: Cell::new(false),
                passing_on: Cell::new(false),
                coroutine_name: std::any::type_name::<F>,
                created_at,
                registry,
            })
        });
        slot.place.set(
            slot.registry
                .insert(Rc::clone(&slot) as Rc<Slot<dyn AnyTask>>),
        );
        slot.schedule(Next::Step);
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
        self.slot.name.replace(Some(name.into()));
    }

    /// Keeps quiet if its loop is closed before it is done (`Task._log_destroy_pending`).
    pub fn keep_quiet_if_destroyed(&self) {
        self.slot.report_destroyed.set(false);
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

impl<T: 'static> AnyFuture for Slot<TaskCell<T>> {
    fn state(&self) -> FutureState {
        state_of(&self.cell)
    }

    // ANCHOR: cancel
    fn cancel(self: Rc<Self>) -> bool {
        self.cell.retrieve();
        if self.cell.done() {
            return false;
        }
        // Tasks that await each other: it has come round, and has to be raised somewhere.
        if self.passing_on.get() {
            self.must_cancel.set(true);
            self.wake();
            return true;
        }
        self.cancelling.set(self.cancelling.get() + 1);
        // Whatever it awaits is cancelled, and the task's wakeup follows from that.
        let waiter = self.waiter.borrow().clone();
        let waits = waiter.is_some();
        self.passing_on.set(true);
        let passed_on = waiter.is_some_and(AnyFuture::cancel);
        self.passing_on.set(false);
        if passed_on {
            return true;
        }
        self.must_cancel.set(true);
        // Only a task that awaits a foreign future has nobody else to wake it.
        if !waits && !self.running.get() {
            self.wake();
        }
        true
    }
    // ANCHOR_END: cancel

    fn exception(&self) -> Outcome<Option<Exception>> {
        self.cell.exception()
    }

    fn add_done_handle(self: Rc<Self>, handle: Handle) {
        Future::from(Task { slot: self }).add_done_handle(handle);
    }

    fn name(&self) -> Option<Rc<str>> {
        Some(self.task_name())
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        &**self
    }
}

impl<T: 'static> FutureObject<T> for Slot<TaskCell<T>> {
    fn cell(&self) -> &FutureCell<T> {
        &self.cell
    }

    fn set_name(&self, name: &str) {
        self.name.replace(Some(name.into()));
    }

    fn is_task(&self) -> bool {
        true
    }
}

impl<T: 'static> AnyTask for TaskCell<T> {
    fn number(&self) -> u64 {
        self.number
    }

    fn place(&self) -> u32 {
        self.place.get()
    }

    fn task_name(&self) -> Rc<str> {
        match &*self.name.borrow() {
            Some(name) => Rc::clone(name),
            None => format!("Task-{}", self.number).into(),
        }
    }

    fn event_loop(&self) -> &EventLoop {
        &self.cell.event_loop
    }

    fn as_future(&self) -> Rc<dyn AnyFuture> {
        self.this() as Rc<dyn AnyFuture>
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }

    fn wake(&self) {
        // A wake during its own step counts once the step is over.
        if self.running.get() {
            self.woken.set(true);
        } else if !self.cell.done() {
            self.schedule(Next::Wakeup);
        }
    }

    fn destroyed(&self) {
        if self.report_destroyed.get() && !self.cell.done() {
            let context = ExceptionContext::new("Task was destroyed but it is pending!")
                .with_detail("task", Repr(format!("{self:?}")));
            self.cell.event_loop.call_exception_handler(&context);
        }
        // The coroutine, and whatever else may hold the task alive from inside.
        if let Some(Err(exception)) = self.coroutine.take().map(drop_coroutine) {
            let context = ExceptionContext::new("Exception in a coroutine as it was destroyed")
                .with_exception(exception)
                .with_detail("task", Repr(format!("{self:?}")));
            self.cell.event_loop.call_exception_handler(&context);
        }
        drop((self.waiter.take(), self.cell.forget_callbacks()));
    }
}

impl<T: 'static> Drop for TaskCell<T> {
    fn drop(&mut self) {
        report_unretrieved("Task", &self.cell, || format!("{self:?}"));
    }
}

/// `<Task pending name='worker' coro=<shop::worker() running>>` (`base_tasks.py`, `_task_repr`).
/// A Rust coroutine does not tell where it stands, so only its name is shown.
impl<T: 'static> fmt::Debug for TaskCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tasks that await each other show each other.
        if self.shown.replace(true) {
            return f.write_str("...");
        }
        let shown = self.show(f);
        self.shown.set(false);
        shown
    }
}

impl<T: 'static> TaskCell<T> {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = self.cell.done();
        let state = state_of(&self.cell);
        let cancelling = !done && self.cancelling.get() > 0;
        let state = if cancelling {
            "cancelling".to_owned()
        } else {
            state.to_string()
        };
        let coroutine = coroutine_name((self.coroutine_name)());
        let at = if done { "done" } else { "running" };
        write!(
            f,
            "<Task {state} name='{}' coro=<{coroutine}() {at}>",
            self.task_name()
        )?;
        if let Some(waiter) = &*self.waiter.borrow() {
            write!(f, " wait_for={:?}", waiter.as_debug())?;
        }
        write_exception(f, &self.cell)?;
        if self.registry.show_origins.get() {
            write!(
                f,
                " created at {}:{}",
                self.created_at.file(),
                self.created_at.line()
            )?;
        }
        f.write_str(">")
    }
}

/// A text that stands for what a report would show.
pub(crate) struct Repr(pub(crate) String);

impl fmt::Debug for Repr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of the function a coroutine was written in: its type's, without the parts that the
/// compiler adds for the block inside.
fn coroutine_name(type_name: &str) -> &str {
    type_name.trim_end_matches("::{{closure}}")
}
