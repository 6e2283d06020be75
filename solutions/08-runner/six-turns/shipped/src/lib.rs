//! # Six turns
//!
//! An empty program takes six turns: two for main, two for the generators, two for the executor.
//! Say how many turns the programs of `src/program.rs` take, from the first step to the close of the
//! loop, as you would count those of a program of your own: what runs in turn one, what has it queued
//! for turn two, who stops the loop?
//!
//! Fill in the constants. The book counts the six in chapter 8, "Why six turns", and the turns of main
//! in chapter 5, "Turns follow depth, not number".

pub mod program;

/// `yields_twice`: two bare yields.
pub const YIELDS_TWICE: u64 = 0;

/// `sleeps_twice`: two sleeps of 10 ms.
pub const SLEEPS_TWICE: u64 = 0;

/// `gathers_fifty`: a gather of fifty coroutines with one yield each.
pub const GATHERS_FIFTY: u64 = 0;

/// `leaves_one_asleep`: main makes a task that sleeps for an hour, and returns at once. The end has a
/// phase more here.
pub const LEAVES_ONE_ASLEEP: u64 = 0;

/// `yields_and_stops`: one yield, and `stop` in main's last step.
pub const YIELDS_AND_STOPS: u64 = 0;

/// `three_on_one_runner`: a main that returns, one that yields once, and one that returns, on one
/// runner that is closed after them.
pub const THREE_ON_ONE_RUNNER: u64 = 0;

/// `three_runs`: the same three mains, each with a `run` of its own.
pub const THREE_RUNS: u64 = 0;
