//! Many futures as one (`asyncio/tasks.py`, `gather`, line 784 at v3.13.0).

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::Rc;

use six_steps::{Callback, EventLoop, Exception, Handle, running_loop};

use crate::Outcome;
use crate::cell::FutureCell;
use crate::event_loop::{EnsureFuture, Tasks};
use crate::future::{AnyFuture, Future, FutureObject, FutureState, state_of};
use crate::repr::{report_unretrieved, write_future};

/// A future of the results of all `items`, in their order. Coroutines become tasks. The first
/// exception ends it; the others go on.
///
/// # Errors
/// [`LoopError::NoRunningLoop`](six_steps::LoopError::NoRunningLoop) outside of a turn;
/// [`TaskError::BelongsToDifferentLoop`](crate::TaskError::BelongsToDifferentLoop).
///
/// ```
/// use six_steps::EventLoop;
/// use wakeup::{Tasks, gather};
///
/// let event_loop = EventLoop::new();
/// let doubled = event_loop.run_until_complete(async {
///     gather((1..=3).map(|n| async move { Ok(2 * n) }))?.await
/// });
/// assert_eq!(doubled.unwrap(), [2, 4, 6]);
/// ```
#[track_caller]
pub fn gather<E: EnsureFuture>(
    items: impl IntoIterator<Item = E>,
) -> Outcome<Future<Vec<E::Output>>>
where
    E::Output: Clone,
{
    let event_loop = running_loop()?;
    let children = ensure_all(&event_loop, items)?;
    let results = move |children: &[Future<E::Output>]| {
        children
            .iter()
            .map(Future::result)
            .collect::<Outcome<Vec<_>>>()
    };
    Ok(start(&event_loop, children, false, results))
}

/// A future of what became of all `items`: a result or an exception each
/// (`gather(…, return_exceptions=True)`).
///
/// # Errors
/// As [`gather`].
#[track_caller]
pub fn gather_return_exceptions<E: EnsureFuture>(
    items: impl IntoIterator<Item = E>,
) -> Outcome<Future<Vec<Outcome<E::Output>>>>
where
    E::Output: Clone,
{
    let event_loop = running_loop()?;
    let children = ensure_all(&event_loop, items)?;
    let results =
        |children: &[Future<E::Output>]| Ok(children.iter().map(Future::result).collect());
    Ok(start(&event_loop, children, true, results))
}

/// Waits for futures whose results do not matter, of whatever type they are, as
/// [`gather_return_exceptions`] does.
pub fn gather_any(event_loop: &EventLoop, children: Vec<Rc<dyn AnyFuture>>) -> Future<()> {
    let retrieve = |children: &[Rc<dyn AnyFuture>]| {
        for child in children {
            let _ = child.exception();
        }
        Ok(())
    };
    start(event_loop, children, true, retrieve)
}

/// A gathering whose result is made of its children by `collect`, once all are done.
pub fn gather_with<T: 'static, O: 'static>(
    event_loop: &EventLoop,
    children: Vec<Future<T>>,
    return_exceptions: bool,
    collect: impl Fn(&[Future<T>]) -> Outcome<O> + 'static,
) -> Future<O> {
    start(event_loop, children, return_exceptions, collect)
}

#[track_caller]
fn ensure_all<E: EnsureFuture>(
    event_loop: &EventLoop,
    items: impl IntoIterator<Item = E>,
) -> Outcome<Vec<Future<E::Output>>> {
    let mut children = Vec::new();
    for item in items {
        // No closure: the tasks made here are to say where `gather` was called.
        children.push(item.ensure_future(event_loop)?.0);
    }
    Ok(children)
}

/// A child of a gathering: a future with or without the type of its result.
pub(crate) trait Child: Clone {
    fn any(&self) -> Rc<dyn AnyFuture>;
}

impl<T: 'static> Child for Future<T> {
    fn any(&self) -> Rc<dyn AnyFuture> {
        Future::any(self)
    }
}

impl Child for Rc<dyn AnyFuture> {
    fn any(&self) -> Self {
        Rc::clone(self)
    }
}

/// Makes the gathering's result of its children, which are done.
type Collect<C, O> = Box<dyn Fn(&[C]) -> Outcome<O>>;

/// The future that a gathering is (`_GatheringFuture`).
struct Gathering<C, O: 'static> {
    cell: FutureCell<O>,
    children: Vec<C>,
    collect: Collect<C, O>,
    return_exceptions: bool,
    // How many different children there are, and how many of them are done.
    distinct: usize,
    finished: Cell<usize>,
    cancel_requested: Cell<bool>,
    name: OnceCell<Rc<str>>,
}

fn start<C: Child + 'static, O: 'static>(
    event_loop: &EventLoop,
    children: Vec<C>,
    return_exceptions: bool,
    collect: impl Fn(&[C]) -> Outcome<O> + 'static,
) -> Future<O> {
    let mut distinct: Vec<Rc<dyn AnyFuture>> = Vec::with_capacity(children.len());
    let mut seen = std::collections::HashSet::with_capacity(children.len());
    for child in &children {
        let child = child.any();
        if seen.insert(Rc::as_ptr(&child).cast::<()>()) {
            distinct.push(child);
        }
    }
    if distinct.is_empty() {
        let outer = event_loop.create_future();
        let empty = collect(&children).and_then(|empty| Ok(outer.set_result(empty)?));
        debug_assert!(empty.is_ok(), "a future made above is not done");
        return outer;
    }
    let gathering = Rc::new(Gathering {
        cell: FutureCell::new(event_loop.clone()),
        children,
        collect: Box::new(collect),
        return_exceptions,
        distinct: distinct.len(),
        finished: Cell::new(0),
        cancel_requested: Cell::new(false),
        name: OnceCell::new(),
    });
    // Children that are done already are counted only once the gathering stands, and at once.
    let (done, pending): (Vec<_>, Vec<_>) = distinct
        .into_iter()
        .partition(|child| child.state() != FutureState::Pending);
    for child in pending {
        let of_child = ChildDone {
            gathering: Rc::clone(&gathering),
            child: Rc::clone(&child),
        };
        child.add_done_handle(Handle::from_callback(of_child));
    }
    for child in done {
        gathering.child_done(&*child);
    }
    Future { object: gathering }
}

impl<C: Child + 'static, O: 'static> Gathering<C, O> {
    fn future(self: &Rc<Self>) -> Future<O> {
        Future {
            object: Rc::clone(self) as Rc<dyn FutureObject<O>>,
        }
    }

    // ANCHOR: child_done
    /// `gather.<locals>._done_callback`: counts a child, and ends the gathering with the last one
    /// or with the first exception.
    fn child_done(self: &Rc<Self>, child: &dyn AnyFuture) {
        self.finished.set(self.finished.get() + 1);
        if self.cell.done() {
            if child.state() != FutureState::Cancelled {
                let _ = child.exception();
            }
            return;
        }
        if !self.return_exceptions {
            let failed = match child.exception() {
                Ok(exception) => exception,
                Err(cancelled) => Some(cancelled),
            };
            if let Some(exception) = failed {
                return self.end(Err(exception));
            }
        }
        if self.finished.get() == self.distinct {
            let results = (self.collect)(&self.children);
            let cancelled = self.cancel_requested.get();
            self.end(if cancelled {
                Err(Exception::Cancelled)
            } else {
                results
            });
        }
    }
    // ANCHOR_END: child_done

    fn end(self: &Rc<Self>, outcome: Outcome<O>) {
        if let Ok(callbacks) = self.cell.finish(outcome) {
            self.future().schedule_callbacks(callbacks);
        }
    }
}

/// The done callback of one child.
struct ChildDone<C, O: 'static> {
    gathering: Rc<Gathering<C, O>>,
    child: Rc<dyn AnyFuture>,
}

impl<C: Child + 'static, O: 'static> Callback for ChildDone<C, O> {
    fn run(&self, _: &Handle) -> Outcome<()> {
        self.gathering.child_done(&*self.child);
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.child.name() {
            Some(name) => write!(f, "gather_cb:{name}"),
            None => f.write_str("gather_cb"),
        }
    }
}

impl<C: Child + 'static, O: 'static> AnyFuture for Gathering<C, O> {
    fn state(&self) -> FutureState {
        state_of(&self.cell)
    }

    /// Cancels the children; the gathering itself ends when they have ended.
    fn cancel(self: Rc<Self>) -> bool {
        if self.cell.done() {
            return false;
        }
        let mut any = false;
        for child in &self.children {
            any |= child.any().cancel();
        }
        if any {
            self.cancel_requested.set(true);
        }
        any
    }

    fn exception(&self) -> Outcome<Option<Exception>> {
        self.cell.exception()
    }

    fn add_done_handle(self: Rc<Self>, handle: Handle) {
        self.future().add_done_handle(handle);
    }

    fn name(&self) -> Option<Rc<str>> {
        self.name.get().cloned()
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }
}

impl<C: Child + 'static, O: 'static> FutureObject<O> for Gathering<C, O> {
    fn cell(&self) -> &FutureCell<O> {
        &self.cell
    }

    fn set_name(&self, name: &str) {
        let _ = self.name.set(name.into());
    }
}

impl<C, O: 'static> fmt::Debug for Gathering<C, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_future(f, "_GatheringFuture", &self.cell)
    }
}

impl<C, O: 'static> Drop for Gathering<C, O> {
    fn drop(&mut self) {
        report_unretrieved("_GatheringFuture", &self.cell, None, || format!("{self:?}"));
    }
}
