//! # Who is served?
//!
//! Predict what the toy loop of chapter 1 does. A task is a list of delays in seconds; each is one
//! step that ends with a sleep, and after the last the task is served once more and ends. A delay of
//! zero is back in the stack at once. All tasks of a program are spawned before the first round,
//! in the order of the table.
//!
//! | program | tasks with their delays |
//! |---|---|
//! | classic | `A` 3, `B` 1, `C` 1 1 |
//! | ties | `A` 2 2, `B` 4, `C` 1 3, `D` 0 4 |
//! | busy | `N` 1, `S` 0 0 0 |
//! | market | `A` 1 0 1, `B` 2, `C` 0 2, `D` 1 |
//!
//! Fill in the constants, with a pencil and without running anything; the tests then run the
//! programs on the crate `counter`. Whoever can do this can read a log of a loop and say whether it
//! is as it should be. The book goes through the first program in chapter 1, "Watch it run"; "Where
//! does a task go after its step?" has the rules for the others.

/// How many rounds *classic* takes. A round in which tasks only end is a round too.
pub const CLASSIC_ROUNDS: u64 = 0;

/// The order in which the tasks of *classic* end, with spaces between: `"A B C"`.
pub const CLASSIC_ENDS: &str = "";

/// How many rounds *ties* takes. All its tasks end at 4 seconds.
pub const TIES_ROUNDS: u64 = 0;

/// The order in which the tasks of *ties* end.
pub const TIES_ENDS: &str = "";

/// Who is served in each round of *busy*, in order: one word a round, such as `"NS S N"`.
pub const BUSY: &str = "";

/// Who is served in each round of *market*, in order: one word a round.
pub const MARKET: &str = "";
