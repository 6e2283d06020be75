//! The step that is going on: how an awaited future talks to the task that polls it. In CPython the
//! coroutine yields the future upward and the task looks at it; a Rust coroutine yields nothing but
//! `Pending`, so the future leaves word here.

use std::cell::{Cell, RefCell};
use std::ptr;
use std::rc::Rc;
use std::task::{Context, Waker};

use six_steps::{EventLoop, Exception, Handle, with_running_loop};

use crate::error::TaskError;
use crate::future::{AnyFuture, Future};
use crate::registry::{Key, Registry};
use crate::task::TaskRef;

thread_local! {
    static STEP: Step = const {
        Step {
            task: RefCell::new(None),
            waker: Cell::new(ptr::null()),
            throw: Cell::new(None),
            parked: Cell::new(Parked::Foreign),
        }
    };
}

/// One step of one task. Cells and not one value, so that a step sets what it needs and no more.
struct Step {
    // The task, as the handle of its steps, and where it stands in its loop's registry.
    task: RefCell<Option<(Handle, Key)>>,
    // Tells the task's own waker from that of a combinator inside it.
    waker: Cell<*const ()>,
    // An exception to be raised at the await point; whoever is awaited takes it.
    throw: Cell<Option<Exception>>,
    parked: Cell<Parked>,
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

/// How a step was left: what the coroutine waits for, or what was thrown in vain.
pub(crate) type Left = Result<Parked, Exception>;

/// Makes a step the one that is going on while `poll` runs, and tells how the poll left it.
pub(crate) fn during<R>(
    task: (Handle, Key),
    waker: &Waker,
    throw: Option<Exception>,
    poll: impl FnOnce() -> R,
) -> (R, Left) {
    STEP.with(|step| {
        // Steps nest where a task is polled within another's step, as an eager one is.
        let outer = step.task.replace(Some(task));
        let outer_waker = step.waker.replace(waker.data());
        let outer_throw = step.throw.replace(throw);
        let outer_parked = step.parked.replace(Parked::Foreign);
        let result = poll();
        let task = step.task.replace(outer);
        step.waker.set(outer_waker);
        let thrown = step.throw.replace(outer_throw);
        let parked = step.parked.replace(outer_parked);
        drop(task);
        (result, thrown.map_or(Ok(parked), Err))
    })
}

/// The exception thrown into this step, for whoever is awaited first.
pub(crate) fn take_thrown() -> Option<Exception> {
    STEP.with(|step| step.throw.take())
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
        STEP.with(|step| match &*step.task.borrow() {
            Some((task, _)) if step.waker.get() == context.waker().data() => {
                Self::Task(task.clone())
            }
            _ => Self::Waker(context.waker().clone()),
        })
    }

    pub(crate) fn is_of(&self, context: &Context<'_>) -> bool {
        match self {
            Self::Waker(waker) => waker.will_wake(context.waker()),
            Self::Task(listening) => STEP.with(|step| match &*step.task.borrow() {
                Some((task, _)) => step.waker.get() == context.waker().data() && task.is(listening),
                None => false,
            }),
        }
    }
}

/// Whether a poll comes straight from the task whose step is going on.
pub(crate) fn is_own_waker(context: &Context<'_>) -> bool {
    polls_with(context.waker().data())
}

/// Whether this is the waker that the step that is going on polls with.
pub(crate) fn polls_with(waker: *const ()) -> bool {
    STEP.with(|step| step.waker.get() == waker)
}

/// Leaves word what the task now waits for. Where `join!` polls several awaits in one step, a wish
/// for the next turn outlives whatever the others wait for.
pub(crate) fn park(parked: Parked) {
    STEP.with(|step| {
        let before = step.parked.replace(Parked::Foreign);
        let (kept, dropped) = if parked.rank() >= before.rank() {
            (parked, before)
        } else {
            (before, parked)
        };
        step.parked.set(kept);
        // Last: it may hold the last reference to a future that has something to report.
        drop(dropped);
    });
}

/// The task whose step is going on (`asyncio.current_task`).
pub fn current_task() -> Option<TaskRef> {
    let key = STEP.with(|step| step.task.borrow().as_ref().map(|(_, key)| *key))?;
    let registry = with_running_loop(EventLoop::attachment::<Registry>)?;
    registry.get(key).map(TaskRef)
}

/// Why the task of this step cannot await a future, if it cannot.
pub(crate) fn objection<T: 'static>(awaited: &Future<T>) -> Option<Exception> {
    let itself = STEP.with(|step| match &*step.task.borrow() {
        Some((task, _)) => ptr::addr_eq(task.as_ptr(), Rc::as_ptr(&awaited.object)),
        None => false,
    });
    let shown = || {
        current_task()
            .map(|task| format!("{task:?}"))
            .unwrap_or_default()
    };
    if itself {
        return Some(Exception::error(TaskError::AwaitsItself(shown())));
    }
    if with_running_loop(|running| running.is(awaited.event_loop())) != Some(true) {
        return Some(Exception::error(TaskError::DifferentLoop {
            task: shown(),
            future: format!("{awaited:?}"),
        }));
    }
    None
}
