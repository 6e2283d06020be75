//! Floor 8: running a program from its first step to an orderly end.
//!
//! [`run`] makes a loop, runs one coroutine, and closes the loop: three times
//! `run_until_complete`, two turns each. A [`Runner`] keeps its loop for many coroutines.
//!
//! ```
//! let answer = runner::run(async { Ok(42) }).unwrap();
//! assert_eq!(answer, 42);
//!
//! let mut runner = runner::Runner::new();
//! let sum: i32 = (1..=3).map(|n| runner.run(async move { Ok(n) }).unwrap()).sum();
//! assert_eq!(sum, 6);
//! runner.close().unwrap();
//! ```

mod asyncgens;
mod error;
mod interrupt;
mod runner;

pub use asyncgens::{AsyncGenerator, shutdown_asyncgens};
pub use error::{Interrupted, RunnerError};
pub use runner::{Phase, Runner, run};

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../../book/08-runner/index.md")]
pub struct Chapter;
