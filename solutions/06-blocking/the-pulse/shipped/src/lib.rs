//! # The pulse
//!
//! A pulse sleeps for its period, ticks, and sleeps again. A worker works beside it, on the same
//! thread: they are the `Pulse` and the `work` of chapter 6, started by its `beside`, the pulse
//! first. When the worker is done, main ends the pulse, by its flag or by a cancellation.
//!
//! Say when the pulse ticks: fill in the five lists, in milliseconds from its start, to the last
//! tick. Each list is written `&[10, 20]`. Take paper, and a line for each turn: when does step 5
//! look, what stands in front of the timer, what stands in front of the wakeup?
//!
//! You need it whenever a heartbeat is late and you want to know by how much too long somebody's
//! chunk is. The book counts the turns in chapter 6, "Three turns, one by one", and the last tick in
//! "Four ticks, or three".

pub mod program;

/// A pulse of 20 ms beside a worker that does 9 chunks of 50 ms and yields after each
/// (`Manner::Yielding`). The pulse is ended by its flag.
pub const LONG_CHUNKS: &[u64] = &[];

/// A pulse of 40 ms beside a worker that does 8 chunks of 30 ms and yields after each. The pulse is
/// cancelled. Here the period is longer than a chunk.
pub const SHORT_CHUNKS: &[u64] = &[];

/// A pulse of 20 ms beside a worker that does 3 chunks of 70 ms and never yields (`Manner::Rude`).
/// The pulse is ended by its flag.
pub const RUDE: &[u64] = &[];

/// A pulse of 20 ms beside a worker that sleeps 4 times for 30 ms (`Manner::Cooperative`). The pulse
/// is cancelled.
pub const COOPERATIVE: &[u64] = &[];

/// A pulse of 20 ms beside a worker that sleeps for 50 ms, blocks for 100 ms and sleeps for 50 ms.
/// The pulse is ended by its flag.
pub const BLOCKS_ONCE: &[u64] = &[];
