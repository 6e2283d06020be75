//! Descriptors and their callbacks: what the loop does when one becomes readable or writable.

use std::collections::HashMap;
use std::os::fd::{AsFd, AsRawFd};

use containers::{Event, Fd, Handle, Interest, IntoOutcome, Source};

use crate::error::LoopError;
use crate::event_loop::EventLoop;

/// The reader and the writer of every registered descriptor.
#[derive(Default)]
pub(crate) struct Descriptors {
    callbacks: HashMap<Fd, Callbacks>,
}

#[derive(Default)]
struct Callbacks {
    reader: Option<Handle>,
    writer: Option<Handle>,
}

impl Callbacks {
    fn interest(&self) -> Interest {
        Interest {
            readable: self.reader.is_some(),
            writable: self.writer.is_some(),
        }
    }

    fn side(&mut self, side: Side) -> &mut Option<Handle> {
        match side {
            Side::Reader => &mut self.reader,
            Side::Writer => &mut self.writer,
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Reader,
    Writer,
}

impl EventLoop {
    /// Runs `callback` in each turn that finds `source` readable (`loop.add_reader`). A second
    /// call for the same descriptor replaces the callback; the old handle is cancelled.
    ///
    /// The loop keeps a share in the source, so that it cannot be closed while it is registered.
    ///
    /// ```
    /// use six_steps::{EventLoop, Source};
    /// use std::{io::{Read, Write}, os::unix::net::UnixStream, rc::Rc};
    ///
    /// let event_loop = EventLoop::new();
    /// let (ours, mut theirs) = UnixStream::pair()?;
    /// let ours = Rc::new(ours);
    /// let (stop, socket) = (event_loop.clone(), Rc::clone(&ours));
    /// event_loop.add_reader(Source::new(ours), move || {
    ///     let mut byte = [0];
    ///     (&*socket).read_exact(&mut byte)?;
    ///     stop.remove_reader(socket.as_ref());
    ///     stop.stop();
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// theirs.write_all(b"x")?;
    /// event_loop.run_forever()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoopError::Selector`] if the descriptor cannot be watched, [`LoopError::Closed`] after a
    /// close.
    #[track_caller]
    pub fn add_reader<F, R>(&self, source: Source, callback: F) -> Result<Handle, LoopError>
    where
        F: FnMut() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        self.add_reader_handle(source, Handle::repeating(callback))
    }

    /// [`add_reader`](Self::add_reader) of a handle that exists already.
    ///
    /// # Errors
    /// As [`add_reader`](Self::add_reader).
    pub fn add_reader_handle(&self, source: Source, handle: Handle) -> Result<Handle, LoopError> {
        self.add(source, Side::Reader, handle)
    }

    /// Runs `callback` in each turn that finds `source` writable (`loop.add_writer`).
    ///
    /// # Errors
    /// As [`add_reader`](Self::add_reader).
    #[track_caller]
    pub fn add_writer<F, R>(&self, source: Source, callback: F) -> Result<Handle, LoopError>
    where
        F: FnMut() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        self.add(source, Side::Writer, Handle::repeating(callback))
    }

    /// Stops to watch for reading, and gives up the share. Returns whether there was a reader
    /// (`loop.remove_reader`).
    pub fn remove_reader(&self, source: &impl AsFd) -> bool {
        self.remove(source.as_fd().as_raw_fd(), Side::Reader)
    }

    /// Stops to watch for writing. Returns whether there was a writer (`loop.remove_writer`).
    pub fn remove_writer(&self, source: &impl AsFd) -> bool {
        self.remove(source.as_fd().as_raw_fd(), Side::Writer)
    }

    /// [`remove_reader`](Self::remove_reader) by number, for a virtual descriptor.
    pub fn remove_reader_fd(&self, fd: Fd) -> bool {
        self.remove(fd, Side::Reader)
    }

    /// Shows every reader and writer, by descriptor, to those who only look.
    pub fn look_at_descriptors(&self, mut look: impl FnMut(Fd, Interest, &Handle)) {
        for (fd, callbacks) in &self.core.descriptors.borrow().callbacks {
            let Callbacks { reader, writer } = callbacks;
            for (readable, handle) in [(true, reader), (false, writer)] {
                let interest = Interest {
                    readable,
                    writable: !readable,
                };
                if let Some(handle) = handle {
                    look(*fd, interest, handle);
                }
            }
        }
    }

    fn add(&self, source: Source, side: Side, handle: Handle) -> Result<Handle, LoopError> {
        self.check_open()?;
        let fd = source.fd();
        let mut descriptors = self.core.descriptors.borrow_mut();
        let known = descriptors.callbacks.contains_key(&fd);
        let callbacks = descriptors.callbacks.entry(fd).or_default();
        let old = callbacks.side(side).replace(handle.clone());
        let interest = callbacks.interest();
        let outcome = if known {
            self.core.selector.modify(fd, interest)
        } else {
            // A share of its own: if this fails, the last one is not dropped under the borrow.
            self.core.selector.register(source.clone(), interest)
        };
        if let Err(error) = outcome {
            // As if it had never been asked: the old callback, if any, stays.
            *callbacks.side(side) = old;
            if callbacks.interest() == Interest::default() {
                descriptors.callbacks.remove(&fd);
            }
            return Err(error.into());
        }
        drop(descriptors);
        if let Some(old) = old {
            old.cancel();
        }
        Ok(handle)
    }

    fn remove(&self, fd: Fd, side: Side) -> bool {
        let mut descriptors = self.core.descriptors.borrow_mut();
        let Some(callbacks) = descriptors.callbacks.get_mut(&fd) else {
            return false;
        };
        let Some(old) = callbacks.side(side).take() else {
            return false;
        };
        let interest = callbacks.interest();
        let is_last = interest == Interest::default();
        if is_last {
            descriptors.callbacks.remove(&fd);
        }
        // The share in the descriptor and the callback are dropped below, and what they drop may
        // call the loop.
        drop(descriptors);
        // The loop no longer asks either way; there is nothing the caller could do about an
        // error, and CPython ignores it too (`selectors.py`, `unregister`).
        let _ = if is_last {
            self.core.selector.unregister(fd)
        } else {
            self.core.selector.modify(fd, interest)
        };
        old.cancel();
        true
    }

    pub(crate) fn remove_all_descriptors(&self) {
        let all = std::mem::take(&mut self.core.descriptors.borrow_mut().callbacks);
        for fd in all.keys() {
            let _ = self.core.selector.unregister(*fd);
        }
    }

    // ANCHOR: process_event
    /// Step 4: the callbacks of a ready descriptor become ready (`selector_events.py`,
    /// `_process_events`, line 740 at v3.13.0). Nothing runs here.
    pub(crate) fn process_event(&self, event: Event) {
        for (is_ready, side) in [
            (event.readable, Side::Reader),
            (event.writable, Side::Writer),
        ] {
            if !is_ready {
                continue;
            }
            let handle = {
                let mut descriptors = self.core.descriptors.borrow_mut();
                let callbacks = descriptors.callbacks.get_mut(&event.fd);
                callbacks.and_then(|callbacks| callbacks.side(side).clone())
            };
            match handle {
                Some(handle) if handle.cancelled() => {
                    self.remove(event.fd, side);
                }
                Some(handle) => self.core.ready.borrow_mut().push(handle),
                None => {}
            }
        }
    }
    // ANCHOR_END: process_event
}
