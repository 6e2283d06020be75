//! # Two knobs
//!
//! Debug mode has two knobs: the mode itself (`set_debug`) and the threshold
//! (`set_slow_callback_duration`). Whoever turns only one of them wonders about an empty log, or about
//! a full one.
//!
//! Say how many lines each program of `src/program.rs` leaves in the log. The first two questions
//! have four numbers each, one for each threshold: none set, 20 ms, 100 ms and a nanosecond, and
//! 500 ms. The callbacks of that program block for 20, 99, 100 and 101 ms, in one turn.
//!
//! The book has the rules in chapter 7, "Two knobs" and "When does a switch count?".

pub mod program;

/// A number that has not been filled in.
pub const OPEN: u32 = u32::MAX;

/// Four blocks with debug mode off.
pub const MODE_OFF: [u32; 4] = [OPEN; 4];

/// Four blocks with debug mode on.
pub const MODE_ON: [u32; 4] = [OPEN; 4];

/// A task that blocks for 60 ms before a sleep and for 60 ms after it, in debug mode, at a threshold
/// of 100 ms.
pub const IN_TWO_STEPS: u32 = OPEN;

/// Three callbacks of 200 ms in one turn; the second switches debug mode **on** and blocks then.
pub const SWITCHED_ON: u32 = OPEN;

/// Three callbacks of 200 ms in one turn; the second switches debug mode **off** and blocks then.
pub const SWITCHED_OFF: u32 = OPEN;

/// Three callbacks of 200 ms in one turn, in debug mode; the second blocks and then sets the
/// threshold to 300 ms.
pub const THRESHOLD_RAISED: u32 = OPEN;
