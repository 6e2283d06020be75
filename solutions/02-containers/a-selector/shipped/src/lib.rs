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
}

impl Selector for Pretend {
    fn time(&self) -> Duration {
        todo!("what does the clock show? {:?}", self.now)
    }

    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        todo!(
            "sleep for {timeout:?} at most, and add to {events:?}; readable: {:?}, registered: {:?}, bell: {:?}",
            self.readable,
            self.registered,
            self.bell
        )
    }

    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        todo!("watch {source:?} for {interest:?}, unless it is watched already")
    }

    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        todo!("watch {fd} for {interest:?} from now on, if it is watched")
    }

    fn unregister(&self, fd: Fd) -> io::Result<()> {
        todo!("watch {fd} no longer, if it is watched")
    }

    fn interrupter(&self) -> Arc<dyn Interrupt> {
        todo!("another share in the bell")
    }
}
