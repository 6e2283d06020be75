//! Where this floor's warnings go: to the program's logger, or to standard error while it has none.

use std::fmt;
use std::io::Write as _;

/// Warns under the target `asyncio`. Without a logger the text goes to standard error, as Python's
/// logging does in its last resort: who switches debug mode on wants to see something.
pub(crate) fn warn(text: &dyn fmt::Display) {
    if log::max_level() == log::LevelFilter::Off {
        // Not `eprintln!`, which panics where standard error is closed: this is called in a drop.
        let _ = writeln!(std::io::stderr(), "{text}");
    } else {
        log::warn!(target: "asyncio", "{text}");
    }
}
