//! The step that is going on: how an awaited future talks to the task that polls it. In CPython the
//! coroutine yields the future upward and the task looks at it; a Rust coroutine yields nothing but
//! `Pending`, so the future leaves word with the task itself.

use std::cell::{Cell, RefCell};
use std::ptr;
use std::rc::Rc;
use std::task::{Context, Waker};

use containers::Slot;
use six_steps::{EventLoop, Exception, Handle, with_running_loop};

use crate::error::TaskError;
use crate::future::AnyFuture;
use crate::task::TaskRef;
use crate::task_cell::AnyTask;

thread_local! {
    // The task whose step is going on.
    static TASK: RefCell<Option<Rc<Slot<dyn AnyTask>>>> = const { RefCell::new(None) };
    // What its waker points to, which tells that waker from one of a combinator inside the task.
    static WAKER: Cell<*const ()> = const { Cell::new(ptr::null()) };
    // Whether it has an exception to raise, which no await has taken yet.
    static THROWS: Cell<bool> = const { Cell::new(false) };
}

/// What the coroutine waits for as its step ends (in CPython: what it yielded). A foreign future
/// says nothing: it has the waker.
pub(crate) enum Parked {
    /// A future of ours (`yield self`).
    On(Rc<dyn AnyFuture>),
    /// The next turn (a bare `yield`).
    Yield,
    /// Something it cannot await: the next step raises this there.
    Wrong(Exception),
}

/// Makes a task's step the one that is going on while `poll` runs. Returns also whether what it had
/// to raise was left.
pub(crate) fn during<R>(
    task: Rc<Slot<dyn AnyTask>>,
    waker: &Waker,
    throws: bool,
    poll: impl FnOnce() -> R,
) -> (R, bool) {
    TASK.with(|current| {
        // Steps nest where a task is polled within another's step, as an eager one is.
        let outer = current.replace(Some(task));
        let outer_waker = WAKER.replace(waker.data());
        let outer_throws = THROWS.replace(throws);
        let result = poll();
        let throws = THROWS.replace(outer_throws);
        WAKER.set(outer_waker);
        let task = current.replace(outer);
        drop(task);
        (result, throws)
    })
}

/// The exception thrown into this step, for whoever is awaited first.
pub(crate) fn take_thrown() -> Option<Exception> {
    if !THROWS.replace(false) {
        return None;
    }
    TASK.with_borrow(|task| task.as_ref()?.take_thrown())
}

/// Leaves word what the task now waits for.
pub(crate) fn park(parked: Parked) {
    let dropped = TASK.with_borrow(|task| task.as_ref()?.park(parked));
    // Last: it may hold the last reference to a future that has something to report.
    drop(dropped);
}

/// The task of this step, if it is polling with its own waker: then it is told itself, and needs no
/// waker.
pub(crate) fn task_of(context: &Context<'_>) -> Option<Handle> {
    if !is_own_waker(context) {
        return None;
    }
    TASK.with_borrow(|task| Some(Handle::from_slot(task.clone()?)))
}

/// Whether a poll comes straight from the task whose step is going on.
pub(crate) fn is_own_waker(context: &Context<'_>) -> bool {
    polls_with(context.waker().data())
}

/// Whether a poll comes straight from this very task.
pub(crate) fn is_polled_by(context: &Context<'_>, task: *const ()) -> bool {
    let its_step = |now: &Rc<Slot<dyn AnyTask>>| ptr::addr_eq(Rc::as_ptr(now), task);
    is_own_waker(context) && TASK.with_borrow(|now| now.as_ref().is_some_and(its_step))
}

/// Whether this is the waker that the step that is going on polls with.
pub(crate) fn polls_with(waker: *const ()) -> bool {
    WAKER.get() == waker
}

/// The task whose step is going on (`asyncio.current_task`).
pub fn current_task() -> Option<TaskRef> {
    TASK.with_borrow(|task| task.clone().map(TaskRef))
}

/// Why the task of this step cannot await a future, if it cannot.
pub(crate) fn objection(
    task: &Handle,
    awaited: &dyn AnyFuture,
    event_loop: &EventLoop,
) -> Option<Exception> {
    let shown = || {
        current_task()
            .map(|task| format!("{task:?}"))
            .unwrap_or_default()
    };
    if ptr::addr_eq(task.as_ptr(), awaited) {
        return Some(Exception::error(TaskError::AwaitsItself(shown())));
    }
    if with_running_loop(|running| running.is(event_loop)) != Some(true) {
        return Some(Exception::error(TaskError::DifferentLoop {
            task: shown(),
            future: format!("{:?}", awaited.as_debug()),
        }));
    }
    None
}
