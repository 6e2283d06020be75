//! # The race
//!
//! An account on one thread, with no mutex and no need of one: so a colleague thought. Since the
//! bank is asked before each withdrawal, money appears from nowhere on busy evenings. Each method
//! for itself has been tested, and is right.
//!
//! Mend [`Account`]. However many withdrawals and payments are under way, no update is lost and the
//! balance never falls below zero. The bank is still asked about each withdrawal, and each payment is
//! still written to the journal before it counts.
//!
//! There is no lock on these floors, and you need none. Ask of each line: what could others have done
//! since the value that it uses was read? The book shows the same race in chapter 6, "Between two
//! awaits".

pub mod bank;

use std::cell::Cell;

use bank::Bank;
use wakeup::{Outcome, yield_now};

/// An account, in whole coins.
#[derive(Debug, Default)]
pub struct Account {
    balance: Cell<u32>,
    bank: Bank,
}

impl Account {
    /// An account that holds so much.
    pub fn with(balance: u32) -> Self {
        Self {
            balance: Cell::new(balance),
            bank: Bank::default(),
        }
    }

    /// What it holds now.
    pub fn balance(&self) -> u32 {
        self.balance.get()
    }

    /// The bank that it asks.
    pub fn bank(&self) -> &Bank {
        &self.bank
    }

    /// Takes an amount out, if the bank agrees and the account holds that much. Returns whether it
    /// was taken out; if not, nothing has changed.
    ///
    /// # Errors
    /// What is thrown into the task meanwhile; nothing was taken out then.
    pub async fn withdraw(&self, amount: u32) -> Outcome<bool> {
        let balance = self.balance.get();
        if balance < amount {
            return Ok(false);
        }
        if !self.bank.agrees(amount).await? {
            return Ok(false);
        }
        self.balance.set(balance - amount);
        Ok(true)
    }

    /// Pays an amount in. Returns the new balance.
    ///
    /// # Errors
    /// What is thrown into the task meanwhile; nothing was paid in then.
    pub async fn pay_in(&self, amount: u32) -> Outcome<u32> {
        let balance = self.balance.get() + amount;
        self.write_to_the_journal().await?;
        self.balance.set(balance);
        Ok(balance)
    }

    /// The journal is written by another task: one turn.
    async fn write_to_the_journal(&self) -> Outcome<()> {
        yield_now().await
    }
}
