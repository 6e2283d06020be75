//! A loop on the virtual clock whose callbacks write a line each; the turn counter says when.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, TurnCounter, VirtualSelector};

pub(crate) fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A loop, a counter of its turns, and a log of lines with the turn each was written in.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) event_loop: EventLoop,
    pub(crate) selector: VirtualSelector,
    pub(crate) turns: Rc<TurnCounter>,
    pub(crate) log: Rc<RefCell<Vec<(u64, &'static str)>>>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let selector = VirtualSelector::new();
        let event_loop = EventLoop::with_selector(selector.clone());
        let turns = Rc::new(TurnCounter::default());
        event_loop.watch(turns.clone());
        Self {
            event_loop,
            selector,
            turns,
            log: Rc::default(),
        }
    }

    pub(crate) fn note(&self, line: &'static str) {
        self.log.borrow_mut().push((self.turns.count(), line));
    }

    pub(crate) fn noting(&self, line: &'static str) -> impl FnMut() + 'static {
        let scene = self.clone();
        move || scene.note(line)
    }

    pub(crate) fn soon(&self, line: &'static str) {
        self.event_loop.call_soon(self.noting(line)).unwrap();
    }

    pub(crate) fn later(&self, delay: Duration, line: &'static str) {
        self.event_loop
            .call_later(delay, self.noting(line))
            .unwrap();
    }

    pub(crate) fn stop_after(&self, delay: Duration) {
        let event_loop = self.event_loop.clone();
        self.event_loop
            .call_later(delay, move || event_loop.stop())
            .unwrap();
    }

    pub(crate) fn run(&self) -> Vec<(u64, &'static str)> {
        self.event_loop.run_forever().unwrap();
        self.log.take()
    }
}
