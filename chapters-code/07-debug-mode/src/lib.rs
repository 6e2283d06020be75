//! Floor 7: debug mode.
//!
//! Two knobs that are set apart: [`set_debug`](DebugMode::set_debug) has every handle timed, and
//! [`set_slow_callback_duration`](DebugMode::set_slow_callback_duration) says from which duration
//! on one is worth a line. Underneath is a watcher of floor 3; a loop that is not in debug mode has
//! none, and pays nothing.
//!
//! ```
//! use debug_mode::DebugMode;
//! use six_steps::EventLoop;
//! use std::time::Duration;
//!
//! let event_loop = EventLoop::new();
//! event_loop.set_debug(true);
//! event_loop.set_slow_callback_duration(Duration::from_millis(50));
//! assert!(event_loop.debug());
//! ```

mod coroutine;
mod debug;
mod slow;
mod warn;

pub use coroutine::{Coroutine, coroutine};
pub use debug::{DebugMode, ENVIRONMENT_VARIABLE, asks_for_debug, debug_from_environment};
pub use slow::{DEFAULT_SLOW_CALLBACK_DURATION, SlowCallback};

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../../book/07-debug-mode/index.md")]
pub struct Chapter;
