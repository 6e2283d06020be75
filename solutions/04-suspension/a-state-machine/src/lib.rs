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
    /// At the first await: the arguments, of which the price is being awaited.
    AtTea(Note, Price, Cake),
    /// At the second await: the price of the tea, and the price that is being awaited.
    AtCake(Note, u32, Price),
    /// Ended, or in the middle of a step.
    Returned,
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
            Self::AtTea(..) => "AtTea",
            Self::AtCake(..) => "AtCake",
            Self::Returned => "Returned",
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
        let this = self.get_mut();
        loop {
            match std::mem::replace(this, Self::Returned) {
                Self::Unresumed(mut note, tea, cake) => {
                    note("asked for tea");
                    *this = Self::AtTea(note, tea, cake);
                }
                Self::AtTea(mut note, mut tea, cake) => {
                    let Poll::Ready(price) = tea.as_mut().poll(cx) else {
                        *this = Self::AtTea(note, tea, cake);
                        return Poll::Pending;
                    };
                    note("tea is known");
                    if price == 0 {
                        return Poll::Ready(0);
                    }
                    *this = Self::AtCake(note, price, cake(price));
                }
                Self::AtCake(mut note, tea, mut cake) => {
                    let Poll::Ready(price) = cake.as_mut().poll(cx) else {
                        *this = Self::AtCake(note, tea, cake);
                        return Poll::Pending;
                    };
                    note("cake is known");
                    return Poll::Ready(tea + price);
                }
                Self::Returned => panic!("`Bill` polled after it returned"),
            }
        }
    }
}
