//! # A selector of your own
//!
//! The trait `containers::Selector` is all that a loop knows of the outer world. Whoever implements
//! it decides what time is. Build a selector that only pretends to sleep, and every loop on it can be
//! tested for an hour in no time, and for every order of events.
//!
//! Write the six methods of the trait for [`Pretend`]. The book describes them in chapter 2, "Who
//! knows the time?" and "How does the virtual clock move?"; the rules in short:
//!
//! * The clock moves in `select` and in [`Pretend::advance`], and never back.
//! * A sleep ends at its timeout, or earlier at the moment at which a registered descriptor becomes
//!   readable. `None` is a sleep without timeout; zero does not sleep at all.
//! * Only descriptors that are registered, and with an interest in reading, end a sleep. `select`
//!   reports each that is readable as the sleep ends, again and again for as long as it is
//!   registered: the one that became readable first goes first, and of equal moments the smaller
//!   number. What stands in `events` already stays.
//! * A bell that was rung ends one sleep before it begins. What is readable by then is reported.
//! * A sleep that nothing can end is an error of kind `io::ErrorKind::Deadlock`; the clock stays.
//! * `register` of a registered descriptor is `AlreadyExists` and changes nothing; `modify` and
//!   `unregister` of one that is not are `NotFound`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use containers::{Event, Fd, Interest, Interrupt, Selector, Source};

/// A selector that pretends to sleep.
#[derive(Debug, Default)]
pub struct Pretend {
    now: Cell<Duration>,
    // When each descriptor becomes readable, registered or not.
    readable: RefCell<BTreeMap<Fd, Duration>>,
    registered: RefCell<BTreeMap<Fd, Interest>>,
    bell: Arc<Bell>,
}

/// What ends the current sleep, or the next one.
#[derive(Debug, Default)]
pub struct Bell {
    rung: AtomicBool,
}

impl Bell {
    /// Whether it was rung since the last call.
    pub fn heard(&self) -> bool {
        self.rung.swap(false, Ordering::SeqCst)
    }
}

impl Interrupt for Bell {
    fn interrupt(&self) {
        self.rung.store(true, Ordering::SeqCst);
    }
}

impl Pretend {
    /// A selector whose clock stands at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the clock, as a callback that blocks does.
    pub fn advance(&self, by: Duration) {
        self.now.set(self.now.get().saturating_add(by));
    }

    /// Says when a descriptor becomes readable; before that nobody knows of it.
    pub fn readable_at(&self, fd: Fd, when: Duration) {
        self.readable.borrow_mut().insert(fd, when);
    }

    /// The moments at which registered descriptors become readable, for those that somebody wants
    /// to read, in order.
    fn moments(&self) -> Vec<(Duration, Fd)> {
        let readable = self.readable.borrow();
        let mut moments: Vec<(Duration, Fd)> = self
            .registered
            .borrow()
            .iter()
            .filter(|(_, interest)| interest.readable)
            .filter_map(|(fd, _)| Some((*readable.get(fd)?, *fd)))
            .collect();
        moments.sort_unstable();
        moments
    }
}

impl Selector for Pretend {
    fn time(&self) -> Duration {
        self.now.get()
    }

    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let moments = self.moments();
        if !self.bell.heard() {
            let planned = timeout.map(|timeout| self.now.get().saturating_add(timeout));
            let first = moments.first().map(|(when, _)| *when);
            let wake = planned
                .into_iter()
                .chain(first)
                .min()
                .ok_or(io::ErrorKind::Deadlock)?;
            self.now.set(self.now.get().max(wake));
        }
        let now = self.now.get();
        let due = moments.iter().take_while(|(when, _)| *when <= now);
        events.extend(due.map(|&(_, fd)| Event {
            fd,
            readable: true,
            writable: false,
        }));
        Ok(())
    }

    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        let mut registered = self.registered.borrow_mut();
        if registered.contains_key(&source.fd()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        registered.insert(source.fd(), interest);
        Ok(())
    }

    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        let mut registered = self.registered.borrow_mut();
        let found = registered.get_mut(&fd).ok_or(io::ErrorKind::NotFound)?;
        *found = interest;
        Ok(())
    }

    fn unregister(&self, fd: Fd) -> io::Result<()> {
        let removed = self.registered.borrow_mut().remove(&fd);
        removed.map(drop).ok_or(io::ErrorKind::NotFound.into())
    }

    fn interrupter(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.bell) as Arc<dyn Interrupt>
    }
}
