//! Floor 1: a toy event loop, small enough to hold in your head.
//!
//! A [`Task`] is an iterator that yields delays. A [`ToyLoop`] runs tasks in rounds: what is ready
//! when the round begins runs in it, and what becomes ready meanwhile waits for the next. Where it
//! waits is a [`Clock`]: a [`FakeClock`] that jumps to the next deadline, or a [`RealClock`] that
//! sleeps until the deadline or until another thread posts a task through its [`Hatch`].
//!
//! No other floor stands on this one. The floors above build the same loop again with `CPython`'s
//! own parts, and this crate is what you compare them with.
//!
//! ```
//! use counter::ToyLoop;
//! use std::time::Duration;
//!
//! let second = Duration::from_secs(1);
//! let mut toy = ToyLoop::new();
//! toy.spawn("A", [second * 3]);
//! toy.spawn("B", [second]);
//! toy.spawn("C", [second, second]);
//!
//! let ended: Vec<_> = toy.run().into_iter().map(|end| (end.at.as_secs(), end.name)).collect();
//! assert_eq!(ended, [(1, "B".into()), (2, "C".into()), (3, "A".into())]);
//! ```

mod clock;
mod hatch;
mod task;
mod timers;
mod toy;

pub use clock::{Clock, FakeClock};
pub use hatch::{Closed, Hatch, RealClock};
pub use task::Task;
pub use toy::{Finished, ToyLoop};

/// The chapter's own code blocks run as doctests, so that the page cannot fall behind the crate.
#[cfg(doctest)]
#[doc = include_str!("../../../book/01-counter/index.md")]
struct Chapter;
