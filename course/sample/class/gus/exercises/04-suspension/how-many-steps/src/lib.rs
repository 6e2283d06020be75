//! # How many steps?
//!
//! `src/programs.rs` holds seven small coroutines, and in each of them one is watched. Before you run
//! any, say how often the watched one is polled until the whole program has ended, and write the number
//! here. Whoever can do this knows where a coroutine gives its thread back, and where it does not.
//!
//! The book counts such polls in chapter 4, "Nested awaits". If a number is too small, the test says
//! where the coroutine stands after that many polls; if it is too great, that it has ended by then.
//! The 99 means that you have not said yet.

pub mod programs;

/// The outermost of five coroutines, each of which awaits the next. None suspends.
pub const DEEP: usize = 99;
/// The outermost of three; the innermost suspends twice.
pub const FROM_BELOW: usize = 99;
/// The outer one, which awaits two coroutines in a row: the first suspends once, the second twice.
pub const IN_A_ROW: usize = 99;
/// The second of those two.
pub const SECOND: usize = 99;
/// One that means to suspend six times, and returns behind its fourth suspension.
pub const EARLY: usize = 99;
/// One that suspends once; who awaits it suspends three times more behind it.
pub const CHILD: usize = 99;
/// One that is made, kept in a variable, and never awaited.
pub const KEPT: usize = 99;
