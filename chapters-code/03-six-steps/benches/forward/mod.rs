//! The system's clock, which can be put forward: timers fire without a wait, and asking the time
//! costs what it costs.

use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use containers::{Interest, Interrupt};
use six_steps::{Event, EventLoop, Fd, Selector, Source, SystemSelector};

struct Forward {
    system: SystemSelector,
    by: Rc<Cell<Duration>>,
}

impl Selector for Forward {
    fn time(&self) -> Duration {
        self.system.time() + self.by.get()
    }
    fn select(&self, timeout: Option<Duration>, _: &mut Vec<Event>) -> io::Result<()> {
        self.by.set(self.by.get() + timeout.unwrap_or_default());
        Ok(())
    }
    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        self.system.register(source, interest)
    }
    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        self.system.modify(fd, interest)
    }
    fn unregister(&self, fd: Fd) -> io::Result<()> {
        self.system.unregister(fd)
    }
    fn interrupter(&self) -> Arc<dyn Interrupt> {
        self.system.interrupter()
    }
}

/// A loop on that clock, and how far the clock has been put forward.
pub(crate) fn forward_loop() -> (EventLoop, Rc<Cell<Duration>>) {
    let by = Rc::new(Cell::new(Duration::ZERO));
    let system = SystemSelector::new();
    let selector = Forward {
        system,
        by: Rc::clone(&by),
    };
    (EventLoop::with_selector(selector), by)
}
