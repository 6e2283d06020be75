//! Floor 4: a coroutine driven by hand.
//!
//! There is no event loop on this floor. A coroutine is a value with one method, `poll`, and
//! you call it yourself: [`step`] is what `coro.send(None)` is in Python. The rest of the floor
//! is what such a step can meet.
//!
//! * [`step`], [`step_with`], [`finish`]: the driver ([`Step::Yielded`], [`Step::Returned`]).
//! * [`suspend_once`]: the smallest future that suspends.
//! * [`tally`] and [`Tally`]: one coroutine twice, as the compiler writes it and by hand.
//! * [`parked`]: a future that stores its waker, and [`step_if_woken`], a driver that polls
//!   only what was woken.
//! * [`forgetful`]: the same future without the stored waker, wrong on purpose.
//! * [`outer`]: three nested awaits, with every `poll` counted.
//!
//! It is not a runtime: nothing here queues, sleeps or schedules. Nothing stands below it in
//! the tower; the loop of floor 3 and the coroutine of this floor meet on floor 5.
//!
//! ```
//! use suspension::{Step, step, suspend_once};
//!
//! let mut coro = Box::pin(async {
//!     suspend_once().await;
//!     "the value from return"
//! });
//! assert_eq!(step(&mut coro), Step::Yielded);
//! assert_eq!(step(&mut coro), Step::Returned("the value from return"));
//! ```

mod drive;
mod forgetful;
mod machine;
mod nested;
mod parked;
mod suspend;
mod woken;

pub use drive::{Finished, Step, StillPending, finish, step, step_with};
pub use forgetful::{Forgetful, forgetful};
pub use machine::{Answer, Tally, answer, tally};
pub use nested::{Polls, outer};
pub use parked::{Parked, Setter, parked};
pub use suspend::{SuspendOnce, suspend_once};
pub use woken::{Woken, step_if_woken};

#[cfg(doctest)]
// The page's notes are fences too (`admonish note title="…"`), and no Rust.
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../../book/04-suspension/index.md")]
struct Chapter;
