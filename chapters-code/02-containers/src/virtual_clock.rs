//! A selector that only pretends to sleep. Its clock moves in `select` and when told to, and never
//! by itself, so that a test of a loop can name every moment exactly.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::selector::{Event, Fd, Interest, Interrupt, Selector, Source, not_registered};

/// A clock that stands still until it is moved. Clones show the same time.
///
/// ```
/// use containers::VirtualClock;
/// use std::time::Duration;
///
/// let clock = VirtualClock::default();
/// clock.advance(Duration::from_millis(100)); // a callback that blocks for 100 ms
/// assert_eq!(clock.time(), Duration::from_millis(100));
/// ```
#[derive(Debug, Clone, Default)]
pub struct VirtualClock {
    now: Rc<Cell<Duration>>,
}

impl VirtualClock {
    /// A clock that shows `start`.
    pub fn starting_at(start: Duration) -> Self {
        Self {
            now: Rc::new(Cell::new(start)),
        }
    }

    /// The time it shows.
    pub fn time(&self) -> Duration {
        self.now.get()
    }

    /// Moves it forward, as a callback that blocks does. Stops at the end of its range.
    pub fn advance(&self, by: Duration) {
        self.now.set(self.now.get().saturating_add(by));
    }

    fn advance_to(&self, when: Duration) {
        self.now.set(self.now.get().max(when));
    }
}

/// The selector of the tests: a virtual clock, and descriptors that become readable at moments
/// known beforehand.
///
/// A sleep without end in which nothing can ever happen is an error of kind
/// [`io::ErrorKind::Deadlock`], where a real selector would hang.
///
/// ```
/// use containers::{Selector, VirtualSelector};
/// use std::time::Duration;
///
/// let selector = VirtualSelector::new();
/// selector.select(Some(Duration::from_secs(3600)), &mut Vec::new())?; // takes no time at all
/// assert_eq!(selector.time(), Duration::from_secs(3600));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Default, Clone)]
pub struct VirtualSelector {
    clock: VirtualClock,
    resolution: Option<Duration>,
    inner: Rc<RefCell<Descriptors>>,
    interrupted: Arc<Interrupted>,
}

#[derive(Default)]
struct Descriptors {
    // When each becomes readable; its place in this list is its number.
    readable_at: Vec<Duration>,
    registered: BTreeMap<Fd, Interest>,
}

impl VirtualSelector {
    /// A selector whose clock shows zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// A selector on a clock that others hold too.
    pub fn on(clock: VirtualClock) -> Self {
        Self {
            clock,
            ..Self::default()
        }
    }

    /// The same selector with a clock of a coarser resolution.
    #[must_use]
    pub fn with_resolution(self, resolution: Duration) -> Self {
        Self {
            resolution: Some(resolution),
            ..self
        }
    }

    /// The clock.
    pub fn clock(&self) -> VirtualClock {
        self.clock.clone()
    }

    /// A descriptor that becomes readable at `when` and stays so until it is unregistered.
    pub fn readable_at(&self, when: Duration) -> Source {
        let readable_at = &mut self.inner.borrow_mut().readable_at;
        readable_at.push(when);
        Source::without_owner(Fd::try_from(readable_at.len() - 1).unwrap_or(Fd::MAX))
    }
}

impl Descriptors {
    /// The registered descriptors with the moment each becomes readable, by that moment and then
    /// by their order of creation.
    fn in_order(&self) -> Vec<(Duration, Fd)> {
        let mut order: Vec<(Duration, Fd)> = self
            .registered
            .iter()
            .filter(|(_, interest)| interest.readable)
            .filter_map(|(&fd, _)| {
                let when = self.readable_at.get(usize::try_from(fd).ok()?)?;
                Some((*when, fd))
            })
            .collect();
        order.sort_unstable();
        order
    }
}

impl Selector for VirtualSelector {
    fn time(&self) -> Duration {
        self.clock.time()
    }

    fn resolution(&self) -> Duration {
        self.resolution.unwrap_or(Duration::from_nanos(1))
    }

    // ANCHOR: select
    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let order = self.inner.borrow().in_order();
        let interrupted = self.interrupted.0.swap(false, Ordering::SeqCst);
        let wake = match (timeout, order.first()) {
            _ if interrupted => Duration::ZERO,
            (None, None) => {
                let text = "nothing will ever happen: no timer, no descriptor, nothing ready";
                return Err(io::Error::new(io::ErrorKind::Deadlock, text));
            }
            (None, Some(&(readable, _))) => readable,
            (Some(timeout), None) => self.clock.time().saturating_add(timeout),
            (Some(timeout), Some(&(readable, _))) => {
                self.clock.time().saturating_add(timeout).min(readable)
            }
        };
        self.clock.advance_to(wake);
        let now = self.clock.time();
        events.extend(
            order
                .iter()
                .take_while(|(when, _)| *when <= now)
                .map(|&(_, fd)| Event {
                    fd,
                    readable: true,
                    writable: false,
                }),
        );
        Ok(())
    }
    // ANCHOR_END: select

    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        match self.inner.borrow_mut().registered.entry(source.fd()) {
            Entry::Vacant(place) => {
                place.insert(interest);
                Ok(())
            }
            Entry::Occupied(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        let registered = &mut self.inner.borrow_mut().registered;
        *registered.get_mut(&fd).ok_or_else(|| not_registered(fd))? = interest;
        Ok(())
    }

    fn unregister(&self, fd: Fd) -> io::Result<()> {
        let removed = self.inner.borrow_mut().registered.remove(&fd);
        removed.map(drop).ok_or_else(|| not_registered(fd))
    }

    fn interrupter(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.interrupted) as Arc<dyn Interrupt>
    }
}

#[derive(Default)]
struct Interrupted(AtomicBool);

impl Interrupt for Interrupted {
    fn interrupt(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
