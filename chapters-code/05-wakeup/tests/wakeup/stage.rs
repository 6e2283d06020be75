//! A loop on the virtual clock that is watched from its first turn on, with a notebook in which
//! every note carries the number of the turn it was made in.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Recorder, TurnCounter, VirtualSelector};
use wakeup::{Outcome, Task, Tasks};

pub(crate) const MS: Duration = Duration::from_millis(1);

pub(crate) struct Stage {
    pub(crate) event_loop: EventLoop,
    recorder: Rc<Recorder>,
    notes: Notes,
    reports: Rc<RefCell<Vec<String>>>,
}

/// Notes as `turn: text`.
#[derive(Clone)]
pub(crate) struct Notes {
    turns: Rc<TurnCounter>,
    notes: Rc<RefCell<Vec<String>>>,
}

impl Notes {
    pub(crate) fn add(&self, text: impl AsRef<str>) {
        let note = format!("{}: {}", self.turns.count(), text.as_ref());
        self.notes.borrow_mut().push(note);
    }
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::of(EventLoop::with_selector(VirtualSelector::new()))
    }

    /// On the system's selector: for what comes from other threads.
    pub(crate) fn real() -> Self {
        Self::of(EventLoop::new())
    }

    fn of(event_loop: EventLoop) -> Self {
        let (recorder, turns) = (
            Rc::new(Recorder::default()),
            Rc::new(TurnCounter::default()),
        );
        event_loop.watch(recorder.clone());
        event_loop.watch(turns.clone());
        let reports = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&reports);
        event_loop.set_exception_handler(Some(move |_: &EventLoop, context: &_| {
            kept.borrow_mut().push(format!("{context}"));
        }));
        let notes = Notes {
            turns,
            notes: Rc::default(),
        };
        Self {
            event_loop,
            recorder,
            notes,
            reports,
        }
    }

    /// Runs a coroutine to its end, as a task named `main`.
    pub(crate) fn run<T: Clone + 'static>(
        &self,
        main: impl Future<Output = Outcome<T>> + 'static,
    ) -> Outcome<T> {
        self.event_loop.run_until_complete(self.task("main", main))
    }

    pub(crate) fn task<T: 'static>(
        &self,
        name: &str,
        coroutine: impl Future<Output = Outcome<T>> + 'static,
    ) -> Task<T> {
        let task = self.event_loop.create_task(coroutine).unwrap();
        task.set_name(name);
        task
    }

    pub(crate) fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// The notes so far.
    pub(crate) fn noted(&self) -> Vec<String> {
        self.notes.notes.borrow().clone()
    }

    /// What each turn ran, its handles separated by a space.
    pub(crate) fn trace(&self) -> Vec<String> {
        let turns = self.recorder.turns();
        turns.iter().map(|turn| turn.ran.join(" ")).collect()
    }

    /// What went to the exception handler.
    pub(crate) fn reports(&self) -> Vec<String> {
        self.reports.borrow().clone()
    }

    /// Runs `turns` turns.
    pub(crate) fn turn(&self, turns: usize) {
        for _ in 0..turns {
            // Nothing here is ready by itself: the sleep would have no end.
            self.event_loop.call_soon(|| ()).unwrap();
            self.event_loop.run_once().unwrap();
        }
    }
}
