//! Floor 6: blocking work.
//!
//! A callback that blocks holds the only thread. [`to_thread`] and [`run_in_executor`] hand the
//! work to a neighbour's thread; its result comes back through the hatch, as an ordinary handle.
//! [`Pulse`] shows what a worker does to its neighbours on the loop, by the way it works.
//!
//! ```
//! use blocking::{shutdown_default_executor, to_thread};
//! use six_steps::{EventLoop, Exception};
//! use wakeup::Tasks;
//!
//! let event_loop = EventLoop::new();
//! let sum = event_loop.run_until_complete(async {
//!     let sum = to_thread(|| (1..=1_000_u64).sum::<u64>()).await?;
//!     shutdown_default_executor().await?;
//!     Ok(sum)
//! })?;
//! assert_eq!(sum, 500_500);
//! event_loop.close()?;
//! # Ok::<(), Exception>(())
//! ```

mod block;
mod executor;
mod offload;
mod pulse;
mod thread_pool;
mod virtual_executor;
mod way_back;
mod worker;

pub use block::Block;
pub use executor::{Executor, ExecutorError, Job, set_default_executor, shutdown_default_executor};
pub use offload::{run_in, run_in_executor, to_thread};
pub use pulse::{Ending, Pulse, beside};
pub use thread_pool::{ThreadPool, default_threads};
pub use virtual_executor::VirtualExecutor;
pub use worker::{Manner, work};

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../../book/06-blocking/index.md")]
pub struct Chapter;
