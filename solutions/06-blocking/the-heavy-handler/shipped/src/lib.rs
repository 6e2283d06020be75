//! # The heavy handler
//!
//! A request asks for the total score of a menu. The score of one dish takes a millisecond of
//! computation, and the menu of a wedding has three hundred. Everybody else on the loop has been
//! promised that no gap of a 10 ms heartbeat is longer than [`BUDGET`], with up to two such requests
//! at once. A colleague has measured 300 ms, and has put in a yield after each twenty dishes.
//!
//! Mend [`total`]: the heartbeat keeps within the budget. There are two ways. Hand the computation to
//! another thread, or cut it into chunks that are short enough. If you cut, work out first how
//! long a chunk may be, by the turns that a tick takes. Whichever way: each dish is scored once, and
//! the answer takes no more than twice the computation.
//!
//! The book has both ways in chapter 6, "Yielding between chunks" and "The handler that computes",
//! and the sum in "Three turns, one by one".

pub mod dish;

use std::time::Duration;

use dish::score;
use wakeup::{Outcome, yield_now};

/// The longest gap that a heartbeat of 10 ms may have.
pub const BUDGET: Duration = Duration::from_millis(25);

/// How many dishes are scored in one go.
const CHUNK: usize = 20;

/// The total score of a menu.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn total(menu: Vec<u32>) -> Outcome<u64> {
    let mut sum = 0;
    for dishes in menu.chunks(CHUNK) {
        sum += dishes.iter().map(|&dish| score(dish)).sum::<u64>();
        yield_now().await?;
    }
    Ok(sum)
}
