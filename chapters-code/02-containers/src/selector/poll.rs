//! The selector of every other Unix: poll, which keeps no state in the system.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::doorbell::Doorbell;
use super::{Event, Fd, Interest, Interrupt, Selector, Source, not_registered};

/// Watches descriptors with poll (`selectors.PollSelector`): one system call a `select`, and none
/// where nothing can be ready. Each call names all descriptors again, which suits dozens of them.
pub struct PollSelector {
    origin: Instant,
    registered: RefCell<BTreeMap<Fd, (Source, Interest)>>,
    doorbell: Arc<Doorbell>,
}

impl PollSelector {
    /// A selector whose clock starts now.
    #[expect(
        clippy::new_without_default,
        reason = "its clock starts when it is made"
    )]
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
            registered: RefCell::default(),
            doorbell: Arc::default(),
        }
    }
}

impl Selector for PollSelector {
    fn time(&self) -> Duration {
        self.origin.elapsed()
    }

    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let registered = self.registered.borrow();
        let mut timeout = timeout;
        if timeout == Some(Duration::ZERO) && registered.is_empty() && !self.doorbell.rang() {
            return Ok(());
        }
        let ear = self.doorbell.descriptor()?;
        if self.doorbell.rang() {
            self.doorbell.silence()?;
            timeout = Some(Duration::ZERO);
        }
        let mut fds = vec![PollFd::from_borrowed_fd(ear.as_fd(), PollFlags::IN)];
        for (source, interest) in registered.values() {
            fds.push(PollFd::from_borrowed_fd(
                source.descriptor()?,
                flags(*interest),
            ));
        }
        let end = timeout.map(|timeout| self.time().saturating_add(timeout));
        loop {
            // A timeout beyond the system's range sleeps without end.
            let timespec = timeout.and_then(|t| Timespec::try_from(t).ok());
            let found = match poll(&mut fds, timespec.as_ref()) {
                Ok(found) => found,
                Err(Errno::INTR) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            let bell = !fds[0].revents().is_empty();
            let only_an_old_ring = bell && !self.doorbell.silence()? && found == 1;
            if !only_an_old_ring || timeout == Some(Duration::ZERO) {
                break;
            }
            timeout = end.map(|end| end.saturating_sub(self.time()));
        }
        for (&fd, polled) in registered.keys().zip(&fds[1..]) {
            let found = polled.revents();
            if !found.is_empty() {
                events.push(Event {
                    fd,
                    readable: found.intersects(!PollFlags::OUT),
                    writable: found.intersects(!PollFlags::IN),
                });
            }
        }
        Ok(())
    }

    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        source.descriptor()?;
        let mut registered = self.registered.borrow_mut();
        if registered.contains_key(&source.fd()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        registered.insert(source.fd(), (source, interest));
        Ok(())
    }

    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        let mut registered = self.registered.borrow_mut();
        registered.get_mut(&fd).ok_or_else(|| not_registered(fd))?.1 = interest;
        Ok(())
    }

    fn unregister(&self, fd: Fd) -> io::Result<()> {
        let removed = self.registered.borrow_mut().remove(&fd);
        removed.map(drop).ok_or_else(|| not_registered(fd))
    }

    fn interrupter(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.doorbell) as Arc<dyn Interrupt>
    }
}

fn flags(interest: Interest) -> PollFlags {
    let mut flags = PollFlags::empty();
    flags.set(PollFlags::IN, interest.readable);
    flags.set(PollFlags::OUT, interest.writable);
    flags
}
