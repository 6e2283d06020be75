//! The computation: what a dish is worth. It computes, and waits for nothing. Not yours to change.

use std::cell::Cell;
use std::time::Duration;

/// How long the score of one dish takes.
pub const SCORING: Duration = Duration::from_millis(1);

thread_local! {
    static SCORED: Cell<usize> = const { Cell::new(0) };
}

/// The score of one dish. It takes [`SCORING`] of computation.
pub fn score(dish: u32) -> u64 {
    lesson::hold(SCORING);
    SCORED.set(SCORED.get() + 1);
    u64::from(dish) * u64::from(dish) + 1
}

/// How many dishes were scored since the last call of this.
pub fn scored() -> usize {
    SCORED.take()
}
