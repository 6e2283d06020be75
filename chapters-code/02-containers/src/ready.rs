//! The queue of what is due now: the single entrance to execution.

use std::collections::VecDeque;

use crate::handle::Handle;

/// The handles that are due, first in, first out (`BaseEventLoop._ready`, a `deque`).
///
/// A timer that fired, a descriptor that became readable and a `call_soon` all come in here, and
/// only from here is anything run. It is a type of its own, and no bare `VecDeque`, so that a
/// loop can do nothing else with it.
///
/// ```
/// use containers::{Handle, Ready};
///
/// let mut ready = Ready::new();
/// ready.push(Handle::new(|| ()));
/// let ntodo = ready.len();
/// assert_eq!(ntodo, 1);
/// assert!(ready.pop().is_some() && ready.pop().is_none());
/// ```
#[derive(Debug, Default)]
pub struct Ready {
    handles: VecDeque<Handle>,
}

impl Ready {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    // ANCHOR: queue
    /// Puts a handle behind all others.
    #[inline]
    pub fn push(&mut self, handle: Handle) {
        self.handles.push_back(handle);
    }

    /// Takes the handle that waits longest.
    #[inline]
    pub fn pop(&mut self) -> Option<Handle> {
        self.handles.pop_front()
    }
    // ANCHOR_END: queue

    /// How many handles wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Whether no handle waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// The handles that wait, in order, for those who only look.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Handle> {
        self.handles.iter()
    }

    /// Takes all handles out at once, to be dropped.
    pub fn drain(&mut self) -> impl Iterator<Item = Handle> + use<> {
        std::mem::take(&mut self.handles).into_iter()
    }
}
