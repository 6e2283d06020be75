//! The kitchen: it cooks, and counts how many dishes are on the fire. Not yours to change.

use std::cell::Cell;
use std::time::Duration;

use wakeup::{Outcome, sleep};

/// A kitchen.
#[derive(Debug, Default)]
pub struct Kitchen {
    on_the_fire: Cell<usize>,
    most: Cell<usize>,
}

/// Dish 13 burns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burnt;

impl std::fmt::Display for Burnt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("burnt")
    }
}

impl std::error::Error for Burnt {}

/// A dish on the fire; off it when dropped, however the cooking ends.
struct OnTheFire<'a>(&'a Kitchen);

impl Drop for OnTheFire<'_> {
    fn drop(&mut self) {
        self.0.on_the_fire.set(self.0.on_the_fire.get() - 1);
    }
}

impl Kitchen {
    /// How long a dish takes.
    pub const COOKING: Duration = Duration::from_millis(100);

    /// Cooks a dish.
    ///
    /// # Errors
    /// [`Burnt`] for dish 13; what is thrown into the task meanwhile.
    pub async fn cook(&self, dish: u32) -> Outcome<String> {
        self.on_the_fire.set(self.on_the_fire.get() + 1);
        self.most.set(self.most.get().max(self.on_the_fire.get()));
        let _dish = OnTheFire(self);
        sleep(Self::COOKING).await?;
        if dish == 13 {
            return Err(Burnt.into());
        }
        Ok(format!("dish {dish}"))
    }

    /// The most dishes that were on the fire at once.
    pub fn most_at_once(&self) -> usize {
        self.most.get()
    }
}
