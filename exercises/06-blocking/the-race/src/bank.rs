//! The bank, asked over the network: an await in the middle of everything. Not yours to change.

use std::cell::Cell;
use std::time::Duration;

use wakeup::{Outcome, sleep};

/// Says whether a withdrawal may be, after a while. It may, unless its amount is 666.
#[derive(Debug, Default)]
pub struct Bank {
    asked: Cell<u32>,
}

impl Bank {
    /// How long the bank takes for its answer.
    pub const ANSWER: Duration = Duration::from_millis(30);

    /// Whether the bank agrees.
    ///
    /// # Errors
    /// What is thrown into the task meanwhile.
    pub async fn agrees(&self, amount: u32) -> Outcome<bool> {
        self.asked.set(self.asked.get() + 1);
        sleep(Self::ANSWER).await?;
        Ok(amount != 666)
    }

    /// How often it was asked.
    pub fn asked(&self) -> u32 {
        self.asked.get()
    }
}
