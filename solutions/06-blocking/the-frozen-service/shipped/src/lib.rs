//! # The frozen service
//!
//! The till of a café answers orders. Beside it beats a heartbeat, every 20 ms, and the health check
//! of the data centre restarts the service when it misses one. Since the new receipt printer is
//! there, the service is restarted at noon, when the orders come together. A colleague has put a
//! yield into the handler, "so that the others get their turn". It did not help.
//!
//! Find what freezes the loop, and mend it in this file: the heartbeat keeps its 20 ms, however many
//! orders come at once, and each order gets its own receipt or its own error. The printer's driver
//! (`src/printer.rs`) blocks, and its maker knows no other way.
//!
//! `blocking::to_thread` takes a closure that owns what it uses. The book explains it in chapter 6,
//! "In CPython" and "The heartbeat".

pub mod printer;

use std::time::Duration;

use printer::{Receipt, print_receipt};
use wakeup::{Outcome, gather_return_exceptions, sleep, yield_now};

/// How long the kitchen's screen takes to show an order; waiting for it holds nobody.
pub const SCREEN: Duration = Duration::from_millis(5);

/// Answers one order: shows it on the kitchen's screen, then prints its receipt.
///
/// # Errors
/// What the printer says; what is thrown into the task meanwhile.
pub async fn handle(order: u32) -> Outcome<Receipt> {
    sleep(SCREEN).await?;
    yield_now().await?; // so that the others get their turn
    let receipt = print_receipt(order)?;
    Ok(receipt)
}

/// Answers orders that come together, side by side. The answers stand in the order of the orders;
/// one that fails does not keep the others from theirs.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn serve(orders: Vec<u32>) -> Outcome<Vec<Outcome<Receipt>>> {
    gather_return_exceptions(orders.into_iter().map(handle))?.await
}
