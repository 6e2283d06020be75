//! # Which turn?
//!
//! Predict what runs in which turn of the loop of chapter 3. Each program below is a list of calls
//! before `run_forever`, and what its callbacks do beside noting their name. They run on a virtual
//! clock, which moves in select and where a callback works; `src/programs.rs` has them in Rust.
//!
//! | program | before it runs | what the callbacks do |
//! |---|---|---|
//! | soon | `call_soon(a)`, `call_soon(b)` | a: `call_soon(c)`; b: `call_soon(d)`; c: `call_soon(e)`; e: `stop()` |
//! | zero | `call_soon(a)` | a: `call_later(0, t)`, `call_soon(b)`; b: `call_later(0, u)`, `call_soon(c)`; t: `call_soon(d)`; u: `stop()` |
//! | again | `call_soon(a)`, `call_later(10 ms, t)` | a: works for 5 ms, `call_soon(a)`; t: `stop()` |
//! | cancel | `call_soon(a)`, `call_soon(b)`, `call_later(0, t)`, `call_later(5 ms, u)`, `call_later(9 ms, v)` | a: cancels b and t, `call_soon(c)`; c: cancels u; v: `stop()` |
//! | late | `call_later(20 ms, x)`, `call_later(10 ms, y)`, `call_soon(a)` | a: works for 25 ms, `call_later(0, z)`, `call_soon(b)`; z: `stop()` |
//! | stop | `call_soon(a)`, `call_later(0, t)` | a: `stop()`, `call_soon(c)`; t: `call_soon(d)`; d: `call_soon(e)`. After `run_forever` has returned: `stop()`, and `run_forever()` once more |
//! | days | `call_at(48 h, t)` | t: `stop()` |
//!
//! Write one word a turn, with the callbacks that run in it, in order: `"ab c"`. A turn that runs
//! nothing is a `-`. Whoever can do this can read a trace of a loop, such as those of the judge. The
//! rules are in chapter 3, "What is a turn?" and the sections behind it.

/// The turns of *soon*.
pub const SOON: &str = "";

/// The turns of *zero*.
pub const ZERO: &str = "";

/// The turns of *again*.
pub const AGAIN: &str = "";

/// The turns of *cancel*.
pub const CANCEL: &str = "";

/// The turns of *late*.
pub const LATE: &str = "";

/// The turns of *stop*, those of both runs.
pub const STOP: &str = "";

/// The turns of *days*.
pub const DAYS: &str = "";
