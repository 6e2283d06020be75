//! Reads an output stream to its end and keeps no more than its share.
//!
//! Reading never stops before the end, else the program would block on a full pipe; what is
//! beyond the cap is thrown away as it comes, so memory stays bounded however much is printed.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::outer::Event;
use crate::{Captured, Limits};

/// Bytes that are no flood, however little is kept.
const LEAST_FLOOD: u64 = 1 << 20;

/// A stream being read. The reader may still be at work when the rest is taken.
pub(crate) struct Stream(Arc<Mutex<Captured>>);

impl Stream {
    /// Starts reading; tells of a flood once and of the end of the stream.
    pub(crate) fn follow(
        mut pipe: impl Read + Send + 'static,
        cap: usize,
        events: Sender<Event>,
    ) -> Self {
        let kept = Arc::new(Mutex::new(Captured::default()));
        let ours = Arc::clone(&kept);
        thread::spawn(move || {
            let flood = Limits::FLOOD.saturating_mul(cap as u64).max(LEAST_FLOOD);
            let mut chunk = vec![0; 64 << 10];
            let mut total = 0_u64;
            let mut told = false;
            loop {
                let read = match pipe.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => break,
                };
                total += read as u64;
                let mut kept = ours.lock().unwrap_or_else(PoisonError::into_inner);
                let room = cap - kept.bytes.len();
                kept.bytes.extend_from_slice(&chunk[..read.min(room)]);
                kept.truncated |= read > room;
                if total >= flood && kept.truncated && !told {
                    told = true;
                    // Nobody listens any more once the job is over.
                    let _ = events.send(Event::Flood);
                }
            }
            let _ = events.send(Event::Closed);
        });
        Self(kept)
    }

    /// What was kept so far.
    pub(crate) fn take(self) -> Captured {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
