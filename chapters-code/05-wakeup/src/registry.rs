//! What a loop keeps of this floor: its tasks, until they are done, and the waker it lends.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use containers::Slot;
use six_steps::{Attachment, EventLoop, Handle};

use crate::task::TaskRef;
use crate::task_cell::AnyTask;
use crate::waker::TaskWaker;

/// The tasks of a loop. They stand here until they are done, so that a task that nobody holds is
/// run to its end; asyncio keeps only weak references, and forgets such a task.
#[derive(Default)]
pub(crate) struct Registry {
    tasks: RefCell<Vec<Place>>,
    free: Cell<Option<u32>>,
    made: Cell<u64>,
    // The one it lends to steps that bring none of their own.
    waker: Cell<Option<Arc<TaskWaker>>>,
    pub(crate) show_origins: Cell<bool>,
}

enum Place {
    Task(Rc<Slot<dyn AnyTask>>),
    Free(Option<u32>),
}

/// Where a task stands, and its number, so that a key of a task that is gone finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) place: u32,
    pub(crate) number: u32,
}

impl Key {
    pub(crate) fn to_bits(self) -> u64 {
        (u64::from(self.place) << 32) | u64::from(self.number)
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        let low = u64::from(u32::MAX);
        Self {
            place: u32::try_from(bits >> 32).unwrap_or_default(),
            number: u32::try_from(bits & low).unwrap_or_default(),
        }
    }
}

impl Registry {
    /// The number of a new task, from 1.
    pub(crate) fn next_number(&self) -> u64 {
        self.made.set(self.made.get() + 1);
        self.made.get()
    }

    /// Keeps a task, and returns its place.
    pub(crate) fn insert(&self, task: Rc<Slot<dyn AnyTask>>) -> u32 {
        let mut tasks = self.tasks.borrow_mut();
        if let Some(place) = self.free.get() {
            let old = std::mem::replace(&mut tasks[place as usize], Place::Task(task));
            if let Place::Free(next) = old {
                self.free.set(next);
            }
            return place;
        }
        tasks.push(Place::Task(task));
        u32::try_from(tasks.len() - 1).expect("fewer than 2^32 tasks at once")
    }

    /// Lets go of a task that is done.
    pub(crate) fn remove(&self, place: u32) {
        let removed = {
            let mut tasks = self.tasks.borrow_mut();
            match tasks.get_mut(place as usize) {
                Some(found) => std::mem::replace(found, Place::Free(self.free.get())),
                None => return,
            }
        };
        self.free.set(Some(place));
        drop(removed);
    }

    /// The task of a key, if it is not done.
    pub(crate) fn get(&self, key: Key) -> Option<Rc<Slot<dyn AnyTask>>> {
        match self.tasks.borrow().get(key.place as usize) {
            Some(Place::Task(task)) if task.key() == key => Some(Rc::clone(task)),
            _ => None,
        }
    }

    /// Wakes the task of a key, if it is not done.
    pub(crate) fn wake(&self, key: Key) {
        if let Some(task) = self.get(key) {
            Handle::from_slot(task).wake();
        }
    }

    /// All tasks that are not done, in the order in which they were made.
    fn all(&self) -> Vec<Rc<Slot<dyn AnyTask>>> {
        let mut all: Vec<_> = self
            .tasks
            .borrow()
            .iter()
            .filter_map(|place| match place {
                Place::Task(task) => Some(Rc::clone(task)),
                Place::Free(_) => None,
            })
            .collect();
        all.sort_by_key(|task| task.number());
        all
    }

    pub(crate) fn spare_waker(&self) -> Option<Arc<TaskWaker>> {
        self.waker.take()
    }

    pub(crate) fn take_back(&self, waker: Arc<TaskWaker>) {
        self.waker.set(Some(waker));
    }
}

impl Attachment for Registry {
    /// Tasks that are still pending will never end.
    fn loop_closed(&self) {
        for task in self.all() {
            task.destroyed();
        }
        drop((self.tasks.take(), self.waker.take()));
        self.free.set(None);
    }
}

/// All tasks of a loop that are not done, in the order in which they were made
/// (`asyncio.all_tasks`, which is a set).
pub fn all_tasks(event_loop: &EventLoop) -> Vec<TaskRef> {
    event_loop
        .attachment::<Registry>()
        .all()
        .into_iter()
        .map(TaskRef)
        .collect()
}

/// Whether reports of this loop's tasks say where each was made (debug mode).
pub fn set_show_origins(event_loop: &EventLoop, show: bool) {
    event_loop.attachment::<Registry>().show_origins.set(show);
}
