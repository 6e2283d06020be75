//! The receipt printer's driver, as its maker sends it: a call that blocks. Not yours to change.

use std::cell::Cell;
use std::time::Duration;

/// How long one receipt takes.
pub const PRINTING: Duration = Duration::from_millis(80);

thread_local! {
    static PRINTED: Cell<u32> = const { Cell::new(0) };
}

/// A receipt, as it comes out of the printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The order it is for.
    pub order: u32,
    /// Its number: the printer counts.
    pub number: u32,
}

/// Order 13 has the paper jam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperJam;

impl std::fmt::Display for PaperJam {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("paper jam")
    }
}

impl std::error::Error for PaperJam {}

/// Prints a receipt. The call returns when the receipt is out, and holds its thread until then.
///
/// # Errors
/// [`PaperJam`] for order 13.
pub fn print_receipt(order: u32) -> Result<Receipt, PaperJam> {
    lesson::hold(PRINTING);
    if order == 13 {
        return Err(PaperJam);
    }
    let number = PRINTED.get() + 1;
    PRINTED.set(number);
    Ok(Receipt { order, number })
}

/// Puts a new roll in: the count begins anew.
pub fn new_roll() {
    PRINTED.set(0);
}
