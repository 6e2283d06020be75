//! The least that does a loop's work, by hand: counted handles that can be cancelled, in a bare
//! `VecDeque`, a bare `BinaryHeap` and a locked `Vec`. Each push gives the handle back, one
//! allocation holds flag and closure, and there is nothing else: no clock, no selector, no errors,
//! no panics caught, no watchers.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;
use std::sync::{Condvar, Mutex};

trait Callback {
    fn run(&self);
    fn clear(&self);
}

impl<F: FnOnce()> Callback for Cell<Option<F>> {
    fn run(&self) {
        if let Some(callback) = self.take() {
            callback();
        }
    }
    fn clear(&self) {
        drop(self.take());
    }
}

pub(crate) struct Slot<C: ?Sized> {
    cancelled: Cell<bool>,
    callback: C,
}

/// A counted handle.
#[derive(Clone)]
pub(crate) struct Handle(Rc<Slot<dyn Callback>>);

impl Handle {
    fn new(callback: impl FnOnce() + 'static) -> Self {
        Self(Rc::new(Slot {
            cancelled: Cell::new(false),
            callback: Cell::new(Some(callback)),
        }))
    }

    pub(crate) fn cancel(&self) {
        if !self.0.cancelled.replace(true) {
            self.0.callback.clear();
        }
    }

    fn run(&self) {
        if !self.0.cancelled.get() {
            self.0.callback.run();
        }
    }
}

/// A queue of handles, and turns that run what was there.
#[derive(Default)]
pub(crate) struct Queue(RefCell<VecDeque<Handle>>);

impl Queue {
    pub(crate) fn push(&self, callback: impl FnOnce() + 'static) -> Handle {
        let handle = Handle::new(callback);
        self.0.borrow_mut().push_back(handle.clone());
        handle
    }

    /// Returns whether anything waits for the next turn.
    pub(crate) fn turn(&self) -> bool {
        let ntodo = self.0.borrow().len();
        for _ in 0..ntodo {
            let Some(handle) = self.0.borrow_mut().pop_front() else {
                break;
            };
            handle.run();
        }
        !self.0.borrow().is_empty()
    }
}

/// The same queue as most would write it: the handle is counted, the closure boxed, which makes two
/// allocations of a push.
#[derive(Default)]
pub(crate) struct BoxedQueue(RefCell<VecDeque<Rc<BoxedHandle>>>);

pub(crate) struct BoxedHandle {
    cancelled: Cell<bool>,
    callback: Cell<Option<Box<dyn FnOnce()>>>,
}

impl BoxedQueue {
    pub(crate) fn push(&self, callback: impl FnOnce() + 'static) -> Rc<BoxedHandle> {
        let handle = Rc::new(BoxedHandle {
            cancelled: Cell::new(false),
            callback: Cell::new(Some(Box::new(callback))),
        });
        self.0.borrow_mut().push_back(Rc::clone(&handle));
        handle
    }

    /// Returns whether anything waits for the next turn.
    pub(crate) fn turn(&self) -> bool {
        let ntodo = self.0.borrow().len();
        for _ in 0..ntodo {
            let Some(handle) = self.0.borrow_mut().pop_front() else {
                break;
            };
            if !handle.cancelled.get()
                && let Some(callback) = handle.callback.take()
            {
                callback();
            }
        }
        !self.0.borrow().is_empty()
    }
}

struct Entry {
    when: u64,
    handle: Handle,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.when.cmp(&self.when)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.when == other.when
    }
}

impl Eq for Entry {}

/// A heap of handles by deadline.
#[derive(Default)]
pub(crate) struct Timers(RefCell<BinaryHeap<Entry>>);

impl Timers {
    pub(crate) fn push(&self, when: u64, callback: impl FnOnce() + 'static) -> Handle {
        let handle = Handle::new(callback);
        self.0.borrow_mut().push(Entry {
            when,
            handle: handle.clone(),
        });
        handle
    }

    pub(crate) fn fire_all(&self) {
        while let Some(entry) = self.0.borrow_mut().pop() {
            entry.handle.run();
        }
    }

    pub(crate) fn sweep(&self) {
        let live = |entry: &Entry| !entry.handle.0.cancelled.get();
        self.0.borrow_mut().retain(live);
    }
}

type Post = Box<dyn FnOnce() + Send>;

/// A locked vector, swapped out whole; a condition variable for the sleep.
#[derive(Default)]
pub(crate) struct Hatch {
    posts: Mutex<Vec<Post>>,
    posted: Condvar,
}

impl Hatch {
    pub(crate) fn post(&self, callback: impl FnOnce() + Send + 'static) {
        let mut posts = self.posts.lock().unwrap();
        posts.push(Box::new(callback));
        if posts.len() == 1 {
            self.posted.notify_one();
        }
    }

    /// Waits for something, runs all that is there and returns how much it was.
    pub(crate) fn run_what_is_there(&self) -> usize {
        let posts = self.posts.lock().unwrap();
        let mut posts = self.posted.wait_while(posts, |p| p.is_empty()).unwrap();
        let posts = std::mem::take(&mut *posts);
        let ran = posts.len();
        for post in posts {
            post();
        }
        ran
    }
}
