//! The step that is going on: how an awaited future talks to the task that polls it. In CPython the
//! coroutine yields the future upward and the task looks at it; a Rust coroutine yields nothing but
//! `Pending`, so the future leaves word here.

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Context, Waker};

use containers::Slot;
use six_steps::{Callback, Exception, Handle};

use crate::error::TaskError;

use crate::future::{AnyFuture, Future};
use crate::task::TaskRef;
use crate::task_cell::AnyTask;

thread_local! {
    static STEP: RefCell<Option<Step>> = const { RefCell::new(None) };
}

/// One step of one task.
pub(crate) struct Step {
    pub(crate) task: Rc<Slot<dyn AnyTask>>,
    // Tells the task's own waker from that of a combinator inside it.
    pub(crate) waker: *const (),
    /// An exception to be raised at the await point; whoever is awaited takes it.
    pub(crate) throw: Option<Exception>,
    pub(crate) parked: Parked,
}

impl Step {
    fn handle(&self) -> Handle {
        Handle::from_slot(Rc::clone(&self.task) as Rc<Slot<dyn Callback>>)
    }
}

/// What the coroutine waits for as its step ends (in CPython: what it yielded).
pub(crate) enum Parked {
    /// Nothing of ours: a foreign future, which has the waker.
    Foreign,
    /// A future of ours (`yield self`).
    On(Rc<dyn AnyFuture>),
    /// The next turn (a bare `yield`).
    Yield,
    /// Something it cannot await: the next step raises this there.
    Wrong(Exception),
}

impl Parked {
    fn rank(&self) -> u8 {
        match self {
            Self::Foreign => 0,
            Self::On(_) => 1,
            Self::Yield => 2,
            Self::Wrong(_) => 3,
        }
    }
}

/// Makes `step` the one that is going on while `poll` runs; gives it back as the poll left it.
pub(crate) fn during<R>(step: Step, poll: impl FnOnce() -> R) -> (R, Step) {
    let outer = STEP.replace(Some(step));
    let result = poll();
    let step = STEP.replace(outer).expect("the step was put there above");
    (result, step)
}

/// The exception thrown into this step, for whoever is awaited first.
pub(crate) fn take_thrown() -> Option<Exception> {
    STEP.with_borrow_mut(|step| step.as_mut()?.throw.take())
}

/// Who is to be told when something is done: the task of this step, if it is the task's own waker
/// that the future was polled with, or else the waker.
pub(crate) enum Listener {
    /// The task, as the handle of its steps.
    Task(Handle),
    Waker(Waker),
}

impl Listener {
    pub(crate) fn of(context: &Context<'_>) -> Self {
        STEP.with_borrow(|step| match step {
            Some(step) if step.waker == context.waker().data() => Self::Task(step.handle()),
            _ => Self::Waker(context.waker().clone()),
        })
    }

    /// Whether a poll comes straight from the task whose step is going on.
    pub(crate) fn is_own_waker(context: &Context<'_>) -> bool {
        STEP.with_borrow(|step| {
            step.as_ref()
                .is_some_and(|step| step.waker == context.waker().data())
        })
    }

    pub(crate) fn is_of(&self, context: &Context<'_>) -> bool {
        match self {
            Self::Waker(waker) => waker.will_wake(context.waker()),
            Self::Task(task) => STEP.with_borrow(|step| match step {
                Some(step) => step.waker == context.waker().data() && step.handle().is(task),
                None => false,
            }),
        }
    }
}

/// Leaves word what the task now waits for. Where `join!` polls several awaits in one step, a wish
/// for the next turn outlives whatever the others wait for.
pub(crate) fn park(parked: Parked) {
    let before = STEP.with_borrow_mut(|step| match step {
        Some(step) if parked.rank() >= step.parked.rank() => {
            std::mem::replace(&mut step.parked, parked)
        }
        _ => parked,
    });
    // After the borrow: it may hold the last reference to a future that has something to report.
    drop(before);
}

/// The task whose step is going on (`asyncio.current_task`).
pub fn current_task() -> Option<TaskRef> {
    STEP.with_borrow(|step| Some(TaskRef(Rc::clone(&step.as_ref()?.task))))
}

/// Why the task of this step cannot await a future, if it cannot.
pub(crate) fn objection<T: 'static>(awaited: &Future<T>) -> Option<Exception> {
    STEP.with_borrow(|step| {
        let task = &step.as_ref()?.task;
        let shown = || format!("{:?}", task.as_debug());
        if std::ptr::addr_eq(Rc::as_ptr(task), Rc::as_ptr(&awaited.object)) {
            return Some(Exception::error(TaskError::AwaitsItself(shown())));
        }
        if !task.event_loop().is(awaited.event_loop()) {
            return Some(Exception::error(TaskError::DifferentLoop {
                task: shown(),
                future: format!("{awaited:?}"),
            }));
        }
        None
    })
}
