//! # At most three
//!
//! A kitchen has three flames. Permits keep watch over them: a cook waits for one ([`Permits::acquire`]),
//! cooks, and gives it back ([`Permits::release`]). On a quiet day all is well. On a busy one there are
//! seven dishes on the fire, and after a burnt one the kitchen slows down, until nobody cooks at all
//! and everybody waits.
//!
//! There is a bug in [`dish`] and another in [`course`]. Mend both, so that
//! * never more dishes are on the fire than there are permits, and as many as there are permits if
//!   enough were ordered,
//! * every permit comes back, however the cooking ends: done, burnt, or cancelled,
//! * only who has a permit gives one back.
//!
//! The kitchen and the permits stay as they are. Chapter 4 says what a coroutine is that
//! was made and not polled ("A coroutine made and not awaited"), chapter 5 how an error arrives at an
//! await ("How does a cancellation arrive?"), and chapter 6 what may happen "Between two awaits".

pub mod kitchen;
pub mod permits;

use kitchen::Kitchen;
use permits::Permits;
use wakeup::Outcome;

/// Cooks one dish, on one flame.
///
/// # Errors
/// What went wrong in the kitchen; what is thrown into the task meanwhile.
pub async fn dish(kitchen: &Kitchen, permits: &Permits, number: u32) -> Outcome<String> {
    permits.acquire().await?;
    let cooked = kitchen.cook(number);
    permits.release();
    cooked.await
}

/// Cooks a main dish and then its dessert, on the same flame, kept from the one to the other.
///
/// # Errors
/// As [`dish`]. If the main dish fails, there is no dessert.
pub async fn course(
    kitchen: &Kitchen,
    permits: &Permits,
    main: u32,
    dessert: u32,
) -> Outcome<(String, String)> {
    permits.acquire().await?;
    let main = kitchen.cook(main).await?;
    let dessert = kitchen.cook(dessert).await?;
    permits.release();
    Ok((main, dessert))
}
