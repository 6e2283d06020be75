//! How another thread ends a selector's sleep. One flag says whether it rang; the system is asked
//! for a descriptor only once somebody has to be woken out of a real sleep.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

use super::Interrupt;

/// The shared side of a sleep that can be interrupted. A burst of rings costs one system call,
/// since only the first finds the flag down.
#[derive(Default)]
pub(crate) struct Doorbell {
    rang: AtomicBool,
    bell: OnceLock<Bell>,
}

impl Doorbell {
    /// Whether it rang since the last [`silence`](Self::silence).
    #[inline]
    pub(crate) fn rang(&self) -> bool {
        self.rang.load(Ordering::SeqCst)
    }

    /// The descriptor that becomes readable when it rings, made at the first call. Whoever is
    /// about to sleep on it must ask [`rang`](Self::rang) after this: a ring that came before the
    /// descriptor stood left only the flag.
    pub(crate) fn descriptor(&self) -> io::Result<impl AsFd + '_> {
        if self.bell.get().is_none() {
            // Only the selector's own thread gets here, so nobody else can have set it.
            let _ = self.bell.set(Bell::new()?);
            // Read and written back, so that it stands in one order with the swap of a ring:
            // either that ring sees the bell, or whoever asks `rang` next sees that ring.
            self.rang.fetch_or(false, Ordering::SeqCst);
        }
        Ok(&self.bell.get().expect("the bell was hung a line ago").ear)
    }

    /// Takes note of a ring: the next one will interrupt again. Returns whether there was one. A
    /// ring that was seen by its flag writes a moment later, and that write is none.
    pub(crate) fn silence(&self) -> io::Result<bool> {
        // The descriptor first: a ring after that leaves it readable or the flag up, and never
        // neither.
        if let Some(bell) = self.bell.get() {
            let mut bytes = [0_u8; 8];
            match rustix::io::read(&bell.ear, &mut bytes) {
                Ok(_) | Err(Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.rang.swap(false, Ordering::SeqCst))
    }
}

// ANCHOR: interrupt
impl Interrupt for Doorbell {
    fn interrupt(&self) {
        if !self.rang.swap(true, Ordering::SeqCst)
            && let Some(bell) = self.bell.get()
        {
            // It can fail only when the descriptor is full, and then it is readable already.
            let _ = rustix::io::write(bell.button(), &1_u64.to_ne_bytes());
        }
    }
}
// ANCHOR_END: interrupt

/// An `eventfd` on Linux, a socket pair elsewhere (asyncio's self-pipe, `selector_events.py`,
/// `_make_self_pipe`).
struct Bell {
    ear: OwnedFd,
    #[cfg(not(target_os = "linux"))]
    button: OwnedFd,
}

impl Bell {
    #[cfg(target_os = "linux")]
    fn new() -> io::Result<Self> {
        use rustix::event::{EventfdFlags, eventfd};
        Ok(Self {
            ear: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
        })
    }

    #[cfg(target_os = "linux")]
    fn button(&self) -> &OwnedFd {
        &self.ear
    }

    #[cfg(not(target_os = "linux"))]
    fn new() -> io::Result<Self> {
        let (ear, button) = std::os::unix::net::UnixStream::pair()?;
        ear.set_nonblocking(true)?;
        button.set_nonblocking(true)?;
        Ok(Self {
            ear: ear.into(),
            button: button.into(),
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn button(&self) -> &OwnedFd {
        &self.button
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_that_was_heard_by_its_flag_is_not_heard_again_by_its_write() {
        let doorbell = Doorbell::default();
        doorbell.descriptor().unwrap();
        // `interrupt` in its two halves, and the loop's thread in between.
        assert!(!doorbell.rang.swap(true, Ordering::SeqCst));
        assert!(doorbell.silence().unwrap());
        rustix::io::write(doorbell.bell.get().unwrap().button(), &1_u64.to_ne_bytes()).unwrap();
        assert!(!doorbell.silence().unwrap());
        // The next one counts.
        doorbell.interrupt();
        assert!(doorbell.silence().unwrap());
    }
}
