//! # The forgotten await
//!
//! A colleague wrote this checkout, and it looks finished: it compiles without a warning, and the
//! parcels go out. The warehouse says that nothing is ever reserved, some customers never paid, and
//! nobody has seen a receipt.
//!
//! Find out which coroutines never run and which runs too late, and repair [`checkout`]. It does
//! one thing after another: it reserves the items in their order, charges the card, ships, and
//! sends the receipt. What is refused ends it there. A reservation lapses by itself.
//!
//! The book has the reasons in chapter 4, "A coroutine made and not awaited".

use std::fmt;

/// What a customer wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The names of the items.
    pub items: Vec<String>,
    /// The price of all of them, in cents.
    pub cents: u32,
}

/// A step of a checkout that could not be done, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {}", self.0)
    }
}

impl std::error::Error for Refused {}

/// What a checkout needs of a shop. Each of these is a coroutine.
pub trait Shop {
    /// Keeps one item back for this customer.
    fn reserve(&self, item: &str) -> impl Future<Output = Result<(), Refused>>;
    /// Takes the money.
    fn charge(&self, cents: u32) -> impl Future<Output = Result<(), Refused>>;
    /// Hands the items to the carrier, and gives the number of the parcel.
    fn ship(&self, items: &[String]) -> impl Future<Output = Result<u32, Refused>>;
    /// Mails the receipt.
    fn send_receipt(&self, parcel: u32) -> impl Future<Output = ()>;
}

/// Takes an order from the shelf to the receipt. Returns the number of the parcel.
///
/// # Errors
/// The first step that was refused; none after it has begun.
pub async fn checkout(shop: &impl Shop, order: &Order) -> Result<u32, Refused> {
    let _reserved: Vec<_> = order.items.iter().map(|item| shop.reserve(item)).collect();
    // The bank is slow. It gets to work while we pack.
    let payment = shop.charge(order.cents);
    let parcel = shop.ship(&order.items).await?;
    payment.await?;
    let _receipt = shop.send_receipt(parcel);
    Ok(parcel)
}
