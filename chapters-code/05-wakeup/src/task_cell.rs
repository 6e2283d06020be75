//! A task as it stands in memory, and what it is to those who do not know its result's type. Its
//! steps are in `task_step.rs`.

use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use containers::Slot;
use six_steps::{Callback, EventLoop, Exception, ExceptionContext, Handle, SourceTraceback};

use crate::Outcome;
use crate::cell::FutureCell;
use crate::future::{AnyFuture, Future, FutureObject, FutureState, state_of};
use crate::registry::{Key, Registry};
use crate::repr::{Repr, report_unretrieved};
use crate::step::Parked;
use crate::task::Task;
use crate::task_step::drop_coroutine;
use crate::waker::TaskWaker;

/// What this floor needs of a task whose result's type it does not know.
pub(crate) trait AnyTask: Callback {
    fn number(&self) -> u64;
    fn key(&self) -> Key;
    fn task_name(&self) -> Rc<str>;
    fn as_future(&self) -> Rc<dyn AnyFuture>;
    fn as_debug(&self) -> &dyn fmt::Debug;
    /// Its loop was closed before it was done.
    fn destroyed(&self);
    /// Takes what is to be raised at its await.
    fn take_thrown(&self) -> Option<Exception>;
    /// It waits for something new; returns what it no longer waits for.
    fn park(&self, parked: Parked) -> Option<Rc<dyn AnyFuture>>;
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

/// A task, as it stands in memory. What few tasks have is set apart.
pub(crate) struct TaskCell<T: 'static> {
    pub(crate) cell: FutureCell<T>,
    pub(crate) this: Weak<Slot<Self>>,
    pub(crate) registry: Rc<Registry>,
    pub(crate) coroutine: Cell<Option<Coroutine<T>>>,
    // What it waits for (`Task._fut_waiter`).
    pub(crate) waiter: Cell<Option<Rc<dyn AnyFuture>>>,
    // Its own waker, once a foreign future has kept a clone.
    pub(crate) waker: Cell<Option<Arc<TaskWaker>>>,
    rare: Cell<Option<Box<Rare>>>,
    pub(crate) coroutine_name: fn() -> &'static str,
    number: u64,
    place: Cell<u32>,
    pub(crate) must_cancel: Cell<bool>,
    // Its step ends with a bare yield, or with something it cannot await.
    pub(crate) yields: Cell<bool>,
    pub(crate) running: Cell<bool>,
    // Woken during its own step.
    pub(crate) woken: Cell<bool>,
    pub(crate) started: Cell<bool>,
    pub(crate) scheduled: Cell<bool>,
    pub(crate) next: Cell<Next>,
    report_destroyed: Cell<bool>,
    // While it is shown, or its cancellation is passed on: what it waits for may wait for it.
    pub(crate) showing: Cell<bool>,
    passing_on: Cell<bool>,
}

/// What few tasks have.
#[derive(Default)]
pub(crate) struct Rare {
    name: Option<Rc<str>>,
    // What the next step raises, or this one.
    pub(crate) throw: Option<Exception>,
    cancelling: u32,
    // Known only in debug mode.
    created_at: Option<&'static Location<'static>>,
}

impl<T: 'static> TaskCell<T> {
    pub(crate) fn new<F>(
        event_loop: &EventLoop,
        this: &Weak<Slot<Self>>,
        coroutine: F,
        created_at: &'static Location<'static>,
    ) -> Self
    where
        F: std::future::Future<Output = Outcome<T>> + 'static,
    {
        let registry = event_loop.attachment::<Registry>();
        let created_at = registry.show_origins.get().then_some(created_at);
        let rare = created_at.map(|at| {
            Box::new(Rare {
                created_at: Some(at),
                ..Rare::default()
            })
        });
        Self {
            cell: FutureCell::new(event_loop.clone()),
            this: Weak::clone(this),
            coroutine: Cell::new(Some(Box::pin(coroutine))),
            waiter: Cell::default(),
            waker: Cell::default(),
            rare: Cell::new(rare),
            coroutine_name: std::any::type_name::<F>,
            number: registry.next_number(),
            place: Cell::new(0),
            must_cancel: Cell::new(false),
            yields: Cell::new(false),
            running: Cell::new(false),
            woken: Cell::new(false),
            started: Cell::new(false),
            scheduled: Cell::new(false),
            next: Cell::new(Next::Step),
            report_destroyed: Cell::new(true),
            showing: Cell::new(false),
            passing_on: Cell::new(false),
            registry,
        }
    }

    /// Has the loop keep it, with its first step ready.
    pub(crate) fn start(&self) {
        let this = self.this();
        let task = Rc::clone(&this) as Rc<Slot<dyn AnyTask>>;
        self.place.set(self.registry.insert(task));
        self.schedule(&Handle::from_slot(this), Next::Step);
    }

    /// Looks at what few tasks have, if this one has any of it.
    pub(crate) fn rare<R>(&self, look: impl FnOnce(&mut Rare) -> Option<R>) -> Option<R> {
        let mut rare = self.rare.take()?;
        let found = look(&mut rare);
        self.rare.set(Some(rare));
        found
    }

    /// Changes what few tasks have.
    pub(crate) fn with_rare<R>(&self, change: impl FnOnce(&mut Rare) -> R) -> R {
        let mut rare = self.rare.take().unwrap_or_default();
        let changed = change(&mut rare);
        self.rare.set(Some(rare));
        changed
    }

    pub(crate) fn set_name(&self, name: &str) {
        self.with_rare(|rare| rare.name = Some(name.into()));
    }

    pub(crate) fn keep_quiet_if_destroyed(&self) {
        self.report_destroyed.set(false);
    }

    /// What it waits for; while its own step runs, nothing yet.
    pub(crate) fn waits_for(&self) -> Option<Rc<dyn AnyFuture>> {
        if self.running.get() {
            return None;
        }
        let waiter = self.waiter.take();
        self.waiter.set(waiter.clone());
        waiter
    }

    pub(crate) fn cancelling(&self) -> u32 {
        self.rare(|rare| Some(rare.cancelling)).unwrap_or_default()
    }

    /// Where it was made, if it was made in debug mode.
    pub(crate) fn created_at(&self) -> Option<&'static Location<'static>> {
        self.rare(|rare| rare.created_at)
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
            Handle::from_slot(self).wake();
            return true;
        }
        self.with_rare(|rare| rare.cancelling += 1);
        // Whatever it awaits is cancelled, and the task's wakeup follows from that.
        let waiter = self.waits_for();
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
            Handle::from_slot(self).wake();
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
        TaskCell::set_name(self, name);
    }

    fn is_task(&self) -> bool {
        true
    }
}

impl<T: 'static> AnyTask for TaskCell<T> {
    fn number(&self) -> u64 {
        self.number
    }

    fn key(&self) -> Key {
        Key {
            place: self.place.get(),
            number: truncate(self.number),
        }
    }

    fn task_name(&self) -> Rc<str> {
        let name = self.rare(|rare| rare.name.clone());
        name.unwrap_or_else(|| format!("Task-{}", self.number).into())
    }

    fn as_future(&self) -> Rc<dyn AnyFuture> {
        self.this() as Rc<dyn AnyFuture>
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }

    fn destroyed(&self) {
        if self.report_destroyed.get() && !self.cell.done() {
            let mut context = ExceptionContext::new("Task was destroyed but it is pending!")
                .with_detail("task", Repr(format!("{self:?}")));
            if let Some(at) = self.created_at() {
                context = context.with_detail("source_traceback", SourceTraceback(at));
            }
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

    fn take_thrown(&self) -> Option<Exception> {
        self.rare(|rare| rare.throw.take())
    }

    /// Where `join!` polls several awaits in one step, a wish for the next turn outlives whatever
    /// the others wait for.
    fn park(&self, parked: Parked) -> Option<Rc<dyn AnyFuture>> {
        match parked {
            Parked::On(future) if self.yields.get() => return Some(future),
            Parked::On(future) => return self.waiter.replace(Some(future)),
            Parked::Yield => {}
            Parked::Wrong(exception) => self.with_rare(|rare| rare.throw = Some(exception)),
        }
        self.yields.set(true);
        self.waiter.take()
    }
}

impl<T: 'static> Drop for TaskCell<T> {
    fn drop(&mut self) {
        let at = self.created_at();
        report_unretrieved("Task", &self.cell, at, || format!("{self:?}"));
    }
}
