//! # A state machine
//!
//! [`bill`] is an async function with two awaits. The compiler turns it into a value that knows
//! where it stands. Write that value by hand, as [`Bill`]: the same steps, notes and answers. Once
//! you have done it, you can see in any async function what it keeps while it waits.
//!
//! Give [`Bill`] the states it lacks, each with what is needed from there on, and write `poll` and
//! [`Bill::state`]. The book does this with another function in chapter 4, "What `.await` compiles
//! to".

use std::pin::Pin;
use std::task::{Context, Poll};

/// Is told how far a bill has come.
pub type Note = Box<dyn FnMut(&'static str)>;
/// A price that is not there yet.
pub type Price = Pin<Box<dyn Future<Output = u32>>>;
/// Asks for the price of the cake that goes with a tea of this price.
pub type Cake = Box<dyn FnOnce(u32) -> Price>;

/// Adds up a tea and a cake. A tea that costs nothing is sold out, and nobody asks for a cake.
///
/// It is the model: leave it as it is.
pub async fn bill(mut note: Note, tea: Price, cake: Cake) -> u32 {
    note("asked for tea");
    let tea = tea.await;
    note("tea is known");
    if tea == 0 {
        return 0;
    }
    let cake = cake(tea).await;
    note("cake is known");
    tea + cake
}

/// The same by hand: where the bill stands, and what it needs from there on.
#[must_use = "a future does nothing until it is awaited or polled"]
pub enum Bill {
    /// Called, and not polled yet: the arguments.
    Unresumed(Note, Price, Cake),
    // A state for each await, and one for the end.
}

impl Bill {
    /// Makes the machine; nothing of the body runs.
    pub fn new(note: Note, tea: Price, cake: Cake) -> Self {
        Self::Unresumed(note, tea, cake)
    }

    /// Where it stands: `Unresumed`, `AtTea`, `AtCake` or `Returned`.
    pub fn state(&self) -> &'static str {
        match self {
            Self::Unresumed(..) => "Unresumed",
        }
    }
}

impl Future for Bill {
    type Output = u32;

    /// Runs from where it stands to the next price that is not there, or to the end.
    ///
    /// # Panics
    /// If it has ended before.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        match self.get_mut() {
            Self::Unresumed(note, ..) => {
                note("asked for tea");
                todo!("poll the tea with {cx:?}, and go on from state to state")
            }
        }
    }
}
