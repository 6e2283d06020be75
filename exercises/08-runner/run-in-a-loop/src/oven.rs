//! The oven. It is heated once, by a task that keeps it hot for as long as it may. Not yours to change.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use wakeup::{Outcome, create_task, sleep};

/// How long the oven takes to be hot.
pub const HEATING: Duration = Duration::from_mins(10);
/// How long a loaf takes in a hot oven.
pub const BAKING: Duration = Duration::from_mins(30);

/// An oven.
#[derive(Debug, Clone, Default)]
pub struct Oven {
    state: Rc<State>,
}

#[derive(Debug, Default)]
struct State {
    hot: Cell<bool>,
    heated: Cell<u32>,
    minutes: Cell<u64>,
}

/// A loaf of no flour at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoFlour;

impl std::fmt::Display for NoFlour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no flour")
    }
}

impl std::error::Error for NoFlour {}

/// The fire is out when this is dropped.
struct Fire(Rc<State>);

impl Drop for Fire {
    fn drop(&mut self) {
        self.0.hot.set(false);
    }
}

/// Burns until it is cancelled.
async fn keep_hot(_fire: Fire) -> Outcome<()> {
    loop {
        sleep(Duration::from_hours(1)).await?;
    }
}

impl Oven {
    /// Bakes a loaf of so many grams. The first one heats the oven, and leaves a task that keeps it
    /// hot.
    ///
    /// # Errors
    /// [`NoFlour`] for a loaf of nothing; what is thrown into the task meanwhile.
    pub async fn bake(&self, grams: u32) -> Outcome<String> {
        if grams == 0 {
            return Err(NoFlour.into());
        }
        if !self.state.hot.get() {
            self.pass(HEATING).await?;
            self.state.hot.set(true);
            self.state.heated.set(self.state.heated.get() + 1);
            let fire = Fire(Rc::clone(&self.state));
            create_task(keep_hot(fire))?;
        }
        self.pass(BAKING).await?;
        Ok(format!("loaf of {grams} g"))
    }

    async fn pass(&self, time: Duration) -> Outcome<()> {
        sleep(time).await?;
        let minutes = self.state.minutes.get() + time.as_secs() / 60;
        self.state.minutes.set(minutes);
        Ok(())
    }

    /// How often it was heated.
    pub fn heated(&self) -> u32 {
        self.state.heated.get()
    }

    /// Whether it is hot.
    pub fn is_hot(&self) -> bool {
        self.state.hot.get()
    }

    /// The minutes of heating and baking so far.
    pub fn minutes(&self) -> u64 {
        self.state.minutes.get()
    }
}
