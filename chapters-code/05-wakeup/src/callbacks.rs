//! Who is told when a future is done. Most futures have one listener, a task that awaits them, so
//! the first one costs no allocation.

use std::rc::Rc;
use std::task::Waker;

use containers::Slot;
use six_steps::{Callback, EventLoop, Handle};

use crate::future::Future;

/// One listener. Two words: most are handles, a task that awaits the future among them.
pub(crate) enum DoneCallback<T> {
    /// A handle that needs to be told nothing but that it is time.
    Handle(Handle),
    /// The rest.
    Other(Box<Other<T>>),
}

pub(crate) enum Other<T> {
    /// A waker that is not a task's own, such as a combinator's.
    Waker(Waker),
    /// A closure that is given the future.
    Closure(Rc<Slot<dyn TakesFuture<T>>>),
}

/// A callback that is handed the future before it becomes ready.
pub(crate) trait TakesFuture<T>: Callback {
    fn give(&self, future: Future<T>);
}

impl<T: 'static> DoneCallback<T> {
    pub(crate) fn waker(waker: Waker) -> Self {
        Self::Other(Box::new(Other::Waker(waker)))
    }

    pub(crate) fn closure(slot: Rc<Slot<dyn TakesFuture<T>>>) -> Self {
        Self::Other(Box::new(Other::Closure(slot)))
    }

    /// Puts it into the ready queue. Nothing resumes here. `future` is for those who take it.
    pub(crate) fn schedule(self, event_loop: &EventLoop, future: impl Fn() -> Future<T>) {
        let handle = match self {
            Self::Handle(handle) => handle,
            Self::Other(other) => match *other {
                Other::Waker(waker) => return waker.wake(),
                Other::Closure(slot) => {
                    slot.give(future());
                    Handle::from_slot(slot)
                }
            },
        };
        if !handle.wake() {
            // Only a closed loop refuses, and a closed loop runs nothing more.
            let _ = event_loop.call_soon_handle(handle);
        }
    }

    fn is(&self, handle: &Handle) -> bool {
        match self {
            Self::Handle(found) => found.is(handle),
            Self::Other(other) => match &**other {
                Other::Waker(_) => false,
                Other::Closure(slot) => {
                    let slot: Rc<Slot<dyn TakesFuture<T>>> = Rc::clone(slot);
                    Handle::from_slot(slot).is(handle)
                }
            },
        }
    }

    fn wakes(&self, waker: &Waker) -> bool {
        match self {
            Self::Handle(_) => false,
            Self::Other(other) => match &**other {
                Other::Waker(found) => found.will_wake(waker),
                Other::Closure(_) => false,
            },
        }
    }
}

/// The listeners, in the order in which they came.
pub(crate) enum Callbacks<T> {
    None,
    One(DoneCallback<T>),
    // Boxed, so that every future has room for one listener and not for a vector.
    #[expect(clippy::box_collection, reason = "see above")]
    Many(Box<Vec<DoneCallback<T>>>),
}

impl<T: 'static> Callbacks<T> {
    pub(crate) fn push(&mut self, callback: DoneCallback<T>) {
        *self = match std::mem::replace(self, Self::None) {
            Self::None => Self::One(callback),
            Self::One(first) => Self::Many(Box::new(vec![first, callback])),
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
        std::mem::replace(self, Self::None).for_each(|callback| {
            if unwanted(&callback) {
                removed.push(callback);
            } else {
                kept.push(callback);
            }
        });
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

    /// Removes what an await has put there for its task.
    pub(crate) fn remove_wakeup(&mut self, task: *const ()) -> Vec<DoneCallback<T>> {
        self.take_one(|callback| match callback {
            DoneCallback::Handle(found) => found.as_ptr() == task,
            DoneCallback::Other(_) => false,
        })
    }

    pub(crate) fn remove_waker(&mut self, waker: &Waker) -> Vec<DoneCallback<T>> {
        self.take_one(|callback| callback.wakes(waker))
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

    /// Gives each of them away, in their order.
    pub(crate) fn for_each(self, mut take: impl FnMut(DoneCallback<T>)) {
        match self {
            Self::None => {}
            Self::One(callback) => take(callback),
            Self::Many(all) => all.into_iter().for_each(take),
        }
    }
}
