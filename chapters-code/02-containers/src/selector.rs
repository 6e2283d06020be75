//! The selector: descriptors, the clock, and the only place where a loop sleeps. The trait is
//! all that a loop knows of the system; the virtual selector of the tests is its third
//! implementation.

mod doorbell;
#[cfg(target_os = "linux")]
mod epoll;
mod poll;

use std::fmt;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

#[cfg(target_os = "linux")]
pub use epoll::EpollSelector;
pub use poll::PollSelector;

/// The best selector this system has (`selectors.DefaultSelector`).
#[cfg(target_os = "linux")]
pub type SystemSelector = EpollSelector;
/// The best selector this system has (`selectors.DefaultSelector`).
#[cfg(not(target_os = "linux"))]
pub type SystemSelector = PollSelector;

/// The number of a descriptor.
pub type Fd = RawFd;

// ANCHOR: selector
/// Watches descriptors, knows the time, and sleeps.
///
/// It owns the clock because time passes in `select`: a selector that only pretends to sleep
/// ([`VirtualSelector`](crate::VirtualSelector)) makes every test of a loop exact.
pub trait Selector {
    /// The time since an origin of the selector's own; never goes back.
    fn time(&self) -> Duration;

    /// How finely the clock counts: a timer closer than this is due.
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    /// Sleeps until a descriptor is ready, `timeout` has passed or an [`Interrupt`] comes, and
    /// adds what is ready to `events`. `None` sleeps without end, zero does not sleep.
    ///
    /// # Errors
    /// The system's error. An interrupted system call is no error: it finds nothing ready.
    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()>;

    /// Starts to watch a descriptor, level-triggered: it is reported for as long as it is ready.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if it is registered, which leaves it as it was; or the
    /// system's error, such as for a descriptor that cannot be watched (a plain file).
    fn register(&self, source: Source, interest: Interest) -> io::Result<()>;

    /// Changes what a registered descriptor is watched for.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if it is not registered, or the system's error.
    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()>;

    /// Stops to watch a descriptor, and gives up the share in it.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if it is not registered.
    fn unregister(&self, fd: Fd) -> io::Result<()>;

    /// What another thread uses to end the current sleep, or the next one.
    fn interrupter(&self) -> Arc<dyn Interrupt>;
}
// ANCHOR_END: selector

/// Ends a selector's sleep from another thread.
pub trait Interrupt: Send + Sync {
    /// The sleep that is going on, or else the next one, ends at once.
    fn interrupt(&self);
}

/// What a descriptor is watched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interest {
    /// There is something to read, or the other side is gone.
    pub readable: bool,
    /// There is room to write, or the other side is gone.
    pub writable: bool,
}

/// A descriptor that is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Its number.
    pub fd: Fd,
    /// There is something to read, or the other side is gone.
    pub readable: bool,
    /// There is room to write, or the other side is gone.
    pub writable: bool,
}

/// A descriptor and a share in its owner. While a selector holds the share, the descriptor cannot
/// be closed, so its number cannot come to mean another one: no `unsafe`, and none of the stale
/// registrations that asyncio warns of.
///
/// ```
/// use containers::Source;
/// use std::rc::Rc;
///
/// let (ours, _theirs) = std::os::unix::net::UnixStream::pair()?;
/// let ours = Rc::new(ours);
/// let source = Source::new(Rc::clone(&ours)); // a share; `ours` still reads and writes
/// # assert!(source.fd() >= 0);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
// ANCHOR: source
pub struct Source {
    fd: Fd,
    owner: Option<Rc<dyn AsFd>>,
}
// ANCHOR_END: source

impl Source {
    /// A descriptor with its owner: a socket, or an `Rc` or `Arc` of one.
    pub fn new(owner: impl AsFd + 'static) -> Self {
        Self {
            fd: owner.as_fd().as_raw_fd(),
            owner: Some(Rc::new(owner)),
        }
    }

    /// A number that only a virtual selector understands.
    pub(crate) fn without_owner(fd: Fd) -> Self {
        Self { fd, owner: None }
    }

    /// The descriptor's number.
    pub fn fd(&self) -> Fd {
        self.fd
    }

    fn descriptor(&self) -> io::Result<BorrowedFd<'_>> {
        self.owner
            .as_ref()
            .map(|owner| owner.as_fd())
            .ok_or_else(|| {
                let text = "a virtual descriptor means nothing to the system's selector";
                io::Error::new(io::ErrorKind::InvalidInput, text)
            })
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.fd)
    }
}

pub(crate) fn not_registered(fd: Fd) -> io::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        format!("descriptor {fd} is not registered"),
    )
}
