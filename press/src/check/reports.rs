//! What mdBook itself finds wrong while it builds, such as an HTML tag that is never closed. It
//! only logs these; here each becomes a fault.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::Level;
use tracing::subscriber::with_default;

use crate::fault::Fault;

/// Runs `build` and returns its outcome with the warnings and errors that mdBook logged.
pub(crate) fn during<T>(build: impl FnOnce() -> T) -> (T, Vec<Fault>) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::WARN)
        .with_ansi(false)
        .with_target(false)
        .with_level(false)
        .without_time()
        .with_writer(move || writer.clone())
        .finish();
    let outcome = with_default(subscriber, build);
    let bytes = log.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&bytes);
    let faults = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Fault::new("mdBook", None, line.trim(), "mend the page that this names"))
        .collect();
    (outcome, faults)
}

/// The log's text, shared with the writer inside the subscriber.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
