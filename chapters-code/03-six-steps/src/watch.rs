//! Watching a loop turn: the one trait through which higher floors, the tests and the book see
//! what a turn does. A loop that nobody watches pays one branch a handle.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use containers::Handle;

use crate::event_loop::EventLoop;

/// A step of a turn, as it is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Step 1: sweep cancelled timers.
    Sweep,
    /// Step 2: how long may we sleep?
    Timeout,
    /// Step 3: select, with the timeout that step 2 found.
    Select(Option<Duration>),
    /// Step 4: the hatch and ready descriptors.
    Events,
    /// Step 5: timers that are due.
    Timers,
    /// Step 6: run this many handles.
    Run(usize),
}

// ANCHOR: watch
/// Sees a loop turn. Every method does nothing unless it is written.
pub trait Watch {
    /// A turn starts.
    fn turn_started(&self, _event_loop: &EventLoop) {}
    /// A step is entered.
    fn step_entered(&self, _event_loop: &EventLoop, _step: Step) {}
    /// Step 6 is about to run a handle.
    fn handle_about_to_run(&self, _event_loop: &EventLoop, _handle: &Handle) {}
    /// Step 6 ran a handle it had announced. One that left the loop does not get here.
    fn handle_done(&self, _event_loop: &EventLoop, _handle: &Handle) {}
    /// Step 6 skips a handle, because it was cancelled.
    fn handle_skipped(&self, _event_loop: &EventLoop, _handle: &Handle) {}
    /// The turn ran to its end; one that an error ended does not get here.
    fn turn_ended(&self, _event_loop: &EventLoop) {}
}
// ANCHOR_END: watch

impl EventLoop {
    /// Adds a watcher; it sees everything from the next moment on.
    pub fn watch(&self, watcher: Rc<dyn Watch>) {
        let watchers = &self.core.watchers;
        let mut all = watchers.all.take().to_vec();
        all.push(watcher);
        watchers.replace(all);
    }

    /// Removes a watcher. Returns whether it was there.
    pub fn unwatch(&self, watcher: &Rc<dyn Watch>) -> bool {
        let watchers = &self.core.watchers;
        let mut all = watchers.all.take().to_vec();
        let before = all.len();
        all.retain(|found| !Rc::ptr_eq(found, watcher));
        let removed = all.len() < before;
        watchers.replace(all);
        removed
    }
}

/// Those who were told that a handle is about to run.
pub(crate) struct Told(Rc<[Rc<dyn Watch>]>);

impl Told {
    #[cold]
    pub(crate) fn handle_done(&self, event_loop: &EventLoop, handle: &Handle) {
        for watcher in self.0.iter() {
            watcher.handle_done(event_loop, handle);
        }
    }
}

#[derive(Default)]
pub(crate) struct Watchers {
    // Replaced whole and shared while it is told something, so that a callback or a watcher may
    // add and remove watchers at any moment.
    all: RefCell<Rc<[Rc<dyn Watch>]>>,
    any: Cell<bool>,
}

impl Watchers {
    fn replace(&self, all: Vec<Rc<dyn Watch>>) {
        self.any.set(!all.is_empty());
        self.all.replace(all.into());
    }

    #[cold]
    fn tell(&self, what: impl Fn(&dyn Watch)) {
        let all = Rc::clone(&self.all.borrow());
        all.iter().for_each(|watcher| what(watcher.as_ref()));
    }

    #[inline]
    pub(crate) fn turn_started(&self, event_loop: &EventLoop) {
        if self.any.get() {
            self.tell(|watcher| watcher.turn_started(event_loop));
        }
    }

    #[inline]
    pub(crate) fn step(&self, event_loop: &EventLoop, step: Step) {
        if self.any.get() {
            self.step_entered(event_loop, step);
        }
    }

    // Out of line, so that a turn that nobody watches does not even put the step together.
    #[cold]
    #[inline(never)]
    fn step_entered(&self, event_loop: &EventLoop, step: Step) {
        self.tell(|watcher| watcher.step_entered(event_loop, step));
    }

    /// Returns who was told, if anybody: the same are told when the handle is done, even if the
    /// handle adds or removes watchers.
    #[inline]
    pub(crate) fn handle_about_to_run(
        &self,
        event_loop: &EventLoop,
        handle: &Handle,
    ) -> Option<Told> {
        if !self.any.get() {
            return None;
        }
        self.tell(|watcher| watcher.handle_about_to_run(event_loop, handle));
        Some(Told(Rc::clone(&self.all.borrow())))
    }

    #[inline]
    pub(crate) fn handle_skipped(&self, event_loop: &EventLoop, handle: &Handle) {
        if self.any.get() {
            self.tell(|watcher| watcher.handle_skipped(event_loop, handle));
        }
    }

    #[inline]
    pub(crate) fn turn_ended(&self, event_loop: &EventLoop) {
        if self.any.get() {
            self.tell(|watcher| watcher.turn_ended(event_loop));
        }
    }
}
