//! The selector on Linux: epoll, with timeouts in nanoseconds.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;

use super::doorbell::Doorbell;
use super::{Event, Fd, Interest, Interrupt, Selector, Source, not_registered};

/// What epoll reports for the doorbell; no descriptor has this number.
const DOORBELL: u64 = u64::MAX;

/// Watches descriptors with epoll (`selectors.EpollSelector`).
///
/// One `select` is one system call, and none where nothing can be ready: timeout zero, no
/// descriptor registered, no interrupt. The epoll object itself is made at the first need.
pub struct EpollSelector {
    origin: Instant,
    epoll: OnceCell<OwnedFd>,
    registered: RefCell<HashMap<Fd, (Source, Interest)>>,
    found: RefCell<Vec<epoll::Event>>,
    doorbell: Arc<Doorbell>,
}

impl EpollSelector {
    /// A selector whose clock starts now. Asks the system for nothing yet.
    #[expect(
        clippy::new_without_default,
        reason = "its clock starts when it is made"
    )]
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
            epoll: OnceCell::new(),
            registered: RefCell::default(),
            found: RefCell::new(Vec::with_capacity(64)),
            doorbell: Arc::default(),
        }
    }

    fn epoll(&self) -> io::Result<&OwnedFd> {
        if let Some(epoll) = self.epoll.get() {
            return Ok(epoll);
        }
        let created = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let key = epoll::EventData::new_u64(DOORBELL);
        epoll::add(
            &created,
            self.doorbell.descriptor()?,
            key,
            epoll::EventFlags::IN,
        )?;
        Ok(self.epoll.get_or_init(|| created))
    }

    // ANCHOR: wait
    /// The one system call of a `select`. Apart from it, so that a turn that needs none does not
    /// pay for what only this needs.
    #[inline(never)]
    fn wait(&self, mut timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let epoll = self.epoll()?;
        if self.doorbell.rang() {
            self.doorbell.silence()?;
            timeout = Some(Duration::ZERO);
            if self.registered.borrow().is_empty() {
                return Ok(());
            }
        }
        let sleeps = timeout.filter(|timeout| !timeout.is_zero());
        let end = sleeps.map(|timeout| self.time().saturating_add(timeout));
        let mut found = self.found.borrow_mut();
        loop {
            // A timeout beyond the system's range sleeps without end.
            let timespec = timeout.and_then(|t| Timespec::try_from(t).ok());
            match epoll::wait(epoll, spare_capacity(&mut *found), timespec.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let mut only_an_old_ring = found.len() == 1;
            for event in found.drain(..) {
                match Fd::try_from(event.data.u64()) {
                    Ok(fd) => {
                        events.push(translate(fd, event.flags));
                        only_an_old_ring = false;
                    }
                    Err(_) => only_an_old_ring &= !self.doorbell.silence()?,
                }
            }
            if !only_an_old_ring || timeout == Some(Duration::ZERO) {
                return Ok(());
            }
            timeout = end.map(|end| end.saturating_sub(self.time()));
        }
    }
    // ANCHOR_END: wait
}

impl Selector for EpollSelector {
    fn time(&self) -> Duration {
        self.origin.elapsed()
    }

    // ANCHOR: select
    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let nothing_can_be_ready = self.registered.borrow().is_empty() && !self.doorbell.rang();
        if nothing_can_be_ready && timeout == Some(Duration::ZERO) {
            return Ok(());
        }
        self.wait(timeout, events)
    }
    // ANCHOR_END: select

    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        let fd = source.fd();
        let key = epoll::EventData::new_u64(u64::try_from(fd).unwrap_or(DOORBELL));
        epoll::add(self.epoll()?, source.descriptor()?, key, flags(interest))?;
        self.registered.borrow_mut().insert(fd, (source, interest));
        Ok(())
    }

    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        let mut registered = self.registered.borrow_mut();
        let (source, old) = registered.get_mut(&fd).ok_or_else(|| not_registered(fd))?;
        let key = epoll::EventData::new_u64(u64::try_from(fd).unwrap_or(DOORBELL));
        epoll::modify(self.epoll()?, source.descriptor()?, key, flags(interest))?;
        *old = interest;
        Ok(())
    }

    fn unregister(&self, fd: Fd) -> io::Result<()> {
        let removed = self.registered.borrow_mut().remove(&fd);
        let (source, _) = removed.ok_or_else(|| not_registered(fd))?;
        epoll::delete(self.epoll()?, source.descriptor()?)?;
        Ok(())
    }

    fn interrupter(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.doorbell) as Arc<dyn Interrupt>
    }
}

fn flags(interest: Interest) -> epoll::EventFlags {
    let mut flags = epoll::EventFlags::empty();
    flags.set(epoll::EventFlags::IN, interest.readable);
    flags.set(epoll::EventFlags::OUT, interest.writable);
    flags
}

/// As `selectors.EpollSelector.select` reads the flags: whatever is not only writable reads, and
/// the other way round, so that a hang-up wakes both.
fn translate(fd: Fd, flags: epoll::EventFlags) -> Event {
    Event {
        fd,
        readable: flags.intersects(!epoll::EventFlags::OUT),
        writable: flags.intersects(!epoll::EventFlags::IN),
    }
}
