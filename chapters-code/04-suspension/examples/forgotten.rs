//! The wrong turn: a future that stores no waker, driven twice.
//! Polled by hand it works; polled when woken it never moves again. The second drive is bounded.

use std::sync::Arc;

use suspension::{Woken, forgetful, step, step_if_woken};

fn main() {
    println!("Polled by hand:");
    let (slot, future) = forgetful();
    let mut coro = Box::pin(future);
    println!("  {:?}", step(&mut coro));
    *slot.borrow_mut() = Some("tea");
    println!("  {:?}", step(&mut coro));

    println!("Polled when woken:");
    let woken = Arc::new(Woken::new());
    let (slot, future) = forgetful();
    let mut coro = Box::pin(future);
    println!("  {:?}", step_if_woken(&mut coro, &woken));
    *slot.borrow_mut() = Some("tea");
    let looks = 1_000;
    let moved = (0..looks).any(|_| step_if_woken(&mut coro, &woken).is_some());
    println!("  looked {looks} times, polled again: {moved}");
}
