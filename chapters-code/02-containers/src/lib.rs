//! Floor 2: what an event loop is made of.
//!
//! An event loop is an object with three containers, and every program is work moving between
//! them (`asyncio/base_events.py`, `BaseEventLoop.__init__`, lines 420 to 446 at v3.13.0):
//!
//! | here | in CPython | holds |
//! |---|---|---|
//! | [`Ready`] | `_ready`, a `deque` | [`Handle`]s that are due now |
//! | [`Scheduled`] | `_scheduled`, a heap by deadline | [`TimerHandle`]s that are due later |
//! | a [`Selector`] | `_selector`, around epoll or kqueue | descriptors, the clock, and the only place that sleeps |
//!
//! Nothing on this floor runs a turn. The next floor, `six-steps`, moves the handles around.
//!
//! ```
//! use containers::{Handle, Ready, Scheduled, once};
//! use std::time::Duration;
//!
//! let mut ready = Ready::new();
//! ready.push(Handle::new(|| println!("due now")));
//!
//! let mut scheduled = Scheduled::new();
//! let tea = scheduled.push(Duration::from_secs(180), once(|| println!("due later")))?;
//! tea.cancel();
//! assert_eq!((ready.len(), scheduled.len(), scheduled.cancelled_count()), (1, 1, 1));
//! # Ok::<(), containers::DeadlineOverflow>(())
//! ```

mod closure;
mod exception;
mod handle;
mod ready;
mod scheduled;
mod selector;
mod timer;
mod virtual_clock;

pub use closure::once;
pub use exception::{Exception, IntoOutcome, Panicked};
pub use handle::{Callback, Handle, Slot};
pub use ready::Ready;
pub use scheduled::{
    DeadlineOverflow, MIN_CANCELLED_TIMER_HANDLES_FRACTION, MIN_SCHEDULED_TIMER_HANDLES, Scheduled,
};
#[cfg(target_os = "linux")]
pub use selector::EpollSelector;
pub use selector::{
    Event, Fd, Interest, Interrupt, PollSelector, Selector, Source, SystemSelector,
};
pub use timer::{Cancellations, TimerHandle};
pub use virtual_clock::{VirtualClock, VirtualSelector};

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../book/02-containers/index.md")]
pub struct Chapter;
