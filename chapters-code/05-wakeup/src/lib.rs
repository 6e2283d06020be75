//! Floor 5: futures and tasks, and how one wakes the other.
//!
//! A [`Future`] is a result that is not there yet. A [`Task`] is a future that drives a coroutine:
//! when the coroutine awaits something unfinished, the task parks, and when that something is done
//! the task's wakeup goes into the ready queue, as every other callback does. The loop of floor 3
//! knows nothing of this: [`Tasks`] adds `create_task`, `create_future` and `run_until_complete`
//! to it from outside.
//!
//! ```
//! use six_steps::{EventLoop, Exception};
//! use std::time::Duration;
//! use wakeup::{Tasks, create_task, sleep};
//!
//! let event_loop = EventLoop::new();
//! let answer = event_loop.run_until_complete(async {
//!     let task = create_task(async {
//!         sleep(Duration::from_millis(1)).await?;
//!         Ok(42)
//!     })?;
//!     task.await
//! })?;
//! assert_eq!(answer, 42);
//! event_loop.close()?;
//! # Ok::<(), Exception>(())
//! ```

mod awaiting;
mod callbacks;
mod cell;
mod closure;
mod error;
mod event_loop;
mod future;
mod gather;
mod plain;
mod registry;
mod repr;
mod sleep;
mod step;
mod task;
mod task_cell;
mod task_step;
mod waker;

pub use awaiting::Awaiting;
pub use error::{FutureError, TaskError};
pub use event_loop::{EnsureFuture, Tasks, create_task};
pub use future::{AnyFuture, Future, FutureState};
pub use gather::{gather, gather_any, gather_return_exceptions, gather_with};
pub use registry::{all_tasks, set_show_origins};
pub use sleep::{YieldNow, sleep, yield_now};
pub use step::current_task;
pub use task::{Task, TaskRef};

/// What a coroutine ends with: a value, or an exception (a cancellation included).
pub type Outcome<T> = Result<T, six_steps::Exception>;

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../book/05-wakeup/index.md")]
pub struct Chapter;
