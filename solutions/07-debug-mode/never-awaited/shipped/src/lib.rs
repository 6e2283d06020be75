//! # Never awaited
//!
//! The evening in a café: wash the cups, the plates and the pans, lock the door. The night shift finds
//! dirty pans and an open door. There is no error. In the log of debug mode stand two reports:
//!
//! ```console
//! $ cargo run -q -p never-awaited
//! ```
//!
//! Each coroutine here is made with `debug_mode::coroutine`, which tells when one is dropped that
//! nobody ever polled, and where it was made. Two lines of the report have the same name, so look at
//! the places.
//!
//! Mend [`evening`]: everything is done, one after another, the door last, and no coroutine is made that
//! may stay unawaited. The last holds when the machine breaks down as well, in the middle of the
//! washing: then the evening ends with that error, and the log stays empty. The book explains it in
//! chapter 7, "Never awaited", and chapter 4, "A coroutine made and not awaited".

use std::cell::RefCell;
use std::rc::Rc;

use debug_mode::coroutine;
use wakeup::{Outcome, yield_now};

/// What was done, in order.
pub type Done = Rc<RefCell<Vec<String>>>;

/// The machine breaks down at a load of more than 40 pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrokenDown;

impl std::fmt::Display for BrokenDown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the machine has broken down")
    }
}

impl std::error::Error for BrokenDown {}

/// Washes so many pieces of something. Returns their number.
///
/// # Errors
/// [`BrokenDown`] if they are more than 40.
pub async fn wash(done: Done, what: &'static str, pieces: u32) -> Outcome<u32> {
    yield_now().await?;
    if pieces > 40 {
        return Err(BrokenDown.into());
    }
    done.borrow_mut().push(format!("{pieces} {what}"));
    Ok(pieces)
}

/// Locks the door.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn lock_up(done: Done) -> Outcome<()> {
    yield_now().await?;
    done.borrow_mut().push("locked".to_owned());
    Ok(())
}

/// The evening. Returns how many pieces were washed.
///
/// # Errors
/// [`BrokenDown`]: what comes after it is not done.
pub async fn evening(done: Done, cups: u32, plates: u32, pans: u32) -> Outcome<u32> {
    let dishes = [
        coroutine(wash(Rc::clone(&done), "cups", cups)),
        coroutine(wash(Rc::clone(&done), "plates", plates)),
    ];
    let large = coroutine(wash(Rc::clone(&done), "pans", pans));
    let mut washed = 0;
    for wash in dishes {
        washed += wash.await?;
    }
    if washed > 100 {
        washed += large.await?; // on busy evenings there are pans
    }
    let last = coroutine(lock_up(done));
    drop(last); // it has been started, the rest goes by itself
    Ok(washed)
}
