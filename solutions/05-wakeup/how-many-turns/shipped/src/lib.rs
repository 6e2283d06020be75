//! # How many turns?
//!
//! `src/programs.rs` holds eight small programs. Before you run any of them, say how many turns
//! `run_until_complete` takes for each, and write the number here. You count from the first step of
//! `main` to the turn of `run_done`, which stops the loop; that last turn counts. The closing turns of
//! a whole `asyncio.run` do not: `run_until_complete` has none.
//!
//! Whoever can do this can read off a program what it waits for. The table to learn from is in chapter
//! 5, "Turns follow depth, not number". If a number is wrong, the test says which turn you missed, or
//! that you counted one that does not exist.

pub mod programs;

/// `main` awaits three coroutines, one inside the other, and none of them suspends.
pub const NESTED: u64 = 0;
/// `main` yields three times.
pub const YIELDS: u64 = 0;
/// `main` sleeps 5 ms, and then 5 ms again.
pub const SLEEPS: u64 = 0;
/// `main` makes a task and awaits it; then it makes a second one, and awaits that.
pub const ONE_BY_ONE: u64 = 0;
/// `main` makes three tasks that return at once, and then awaits each.
pub const MADE_BEFORE: u64 = 0;
/// `main` awaits a task that awaits a task that awaits a task; the innermost returns at once.
pub const CHAIN: u64 = 0;
/// `main` gathers 100 coroutines; each of them yields twice.
pub const GATHER: u64 = 0;
/// `main` makes a task that yields five times, and returns without awaiting it.
pub const LEFT_ALONE: u64 = 0;
