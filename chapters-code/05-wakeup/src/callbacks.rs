//! Who is told when a future is done. Most futures have one listener, a task that awaits them, so
//! the first one costs no allocation.

use std::rc::Rc;
use std::task::Waker;

use six_steps::{Callback, Handle};

use containers::Slot;

use crate::future::Future;
use crate::task::AnyTask;

/// One listener.
pub(crate) enum DoneCallback<T> {
    /// A task that awaits the future: its wakeup becomes ready.
    Wakeup(Rc<Slot<dyn AnyTask>>),
    /// A waker that is not a task's own, such as a combinator's.
    Waker(Waker),
    /// A handle that needs to be told nothing.
    Handle(Handle),
    /// A closure that is given the future.
    Closure(Rc<Slot<dyn TakesFuture<T>>>),
}

/// A callback that is handed the future before it becomes ready.
pub(crate) trait TakesFuture<T>: Callback {
    fn give(&self, future: Future<T>);
}

impl<T: 'static> DoneCallback<T> {
    /// Puts it into the ready queue. Nothing resumes here.
    pub(crate) fn schedule(self, future: &Future<T>) {
        let event_loop = future.event_loop();
        let handle = match self {
            Self::Wakeup(task) => return task.wake(),
            Self::Waker(waker) => return waker.wake(),
            Self::Handle(handle) => handle,
            Self::Closure(slot) => {
                slot.give(future.clone());
                Handle::from_slot(slot)
            }
        };
        // Only a closed loop refuses, and a closed loop runs nothing more.
        let _ = event_loop.call_soon_handle(handle);
    }

    fn is(&self, handle: &Handle) -> bool {
        match self {
            Self::Handle(found) => found.is(handle),
            Self::Closure(slot) => {
                let slot: Rc<Slot<dyn TakesFuture<T>>> = Rc::clone(slot);
                Handle::from_slot(slot).is(handle)
            }
            Self::Wakeup(_) | Self::Waker(_) => false,
        }
    }
}

/// The listeners, in the order in which they came.
pub(crate) enum Callbacks<T> {
    None,
    One(DoneCallback<T>),
    Many(Vec<DoneCallback<T>>),
}

impl<T: 'static> Callbacks<T> {
    pub(crate) fn push(&mut self, callback: DoneCallback<T>) {
        *self = match std::mem::replace(self, Self::None) {
            Self::None => Self::One(callback),
            Self::One(first) => Self::Many(vec![first, callback]),
            Self::Many(mut all) => {
                all.push(callback);
                Self::Many(all)
            }
        };
    }

    /// Removes those that `unwanted` picks, and returns them.
    fn take_if(&mut self, unwanted: impl Fn(&DoneCallback<T>) -> bool) -> Vec<DoneCallback<T>> {
        let mut removed = Vec::new();
        let mut kept = Self::None;
        for callback in std::mem::replace(self, Self::None) {
            if unwanted(&callback) {
                removed.push(callback);
            } else {
                kept.push(callback);
            }
        }
        *self = kept;
        removed
    }

    /// Removes the latest that `unwanted` picks: an await has put one there, and takes one back.
    fn take_one(&mut self, unwanted: impl Fn(&DoneCallback<T>) -> bool) -> Vec<DoneCallback<T>> {
        match self {
            Self::Many(all) => {
                let found = all.iter().rposition(unwanted);
                found.map(|place| all.remove(place)).into_iter().collect()
            }
            Self::None | Self::One(_) => self.take_if(unwanted),
        }
    }

    pub(crate) fn remove_handle(&mut self, handle: &Handle) -> Vec<DoneCallback<T>> {
        self.take_if(|callback| callback.is(handle))
    }

    pub(crate) fn remove_wakeup(&mut self, task: &Rc<Slot<dyn AnyTask>>) -> Vec<DoneCallback<T>> {
        self.take_one(|callback| match callback {
            DoneCallback::Wakeup(found) => Rc::ptr_eq(found, task),
            _ => false,
        })
    }

    pub(crate) fn remove_waker(&mut self, waker: &Waker) -> Vec<DoneCallback<T>> {
        self.take_one(|callback| match callback {
            DoneCallback::Waker(found) => found.will_wake(waker),
            _ => false,
        })
    }
}

impl<T> Callbacks<T> {
    pub(crate) fn as_slice(&self) -> &[DoneCallback<T>] {
        match self {
            Self::None => &[],
            Self::One(callback) => std::slice::from_ref(callback),
            Self::Many(all) => all,
        }
    }
}

impl<T> IntoIterator for Callbacks<T> {
    type Item = DoneCallback<T>;
    type IntoIter = std::iter::Chain<
        std::option::IntoIter<DoneCallback<T>>,
        std::vec::IntoIter<DoneCallback<T>>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self {
            Self::None => (None, Vec::new()),
            Self::One(callback) => (Some(callback), Vec::new()),
            Self::Many(all) => (None, all),
        };
        one.into_iter().chain(many)
    }
}
