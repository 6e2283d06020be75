//! Drives three coroutines step by step, with no loop anywhere.
//! `cpython/by_hand.py` is the same program in Python.

use std::sync::Arc;

use suspension::{Step, Woken, parked, step, step_if_woken, suspend_once};

// ANCHOR: order
async fn order() -> &'static str {
    println!("  the coroutine writes the slip");
    suspend_once().await;
    println!("  the coroutine fetches the tea");
    "tea"
}
// ANCHOR_END: order

fn main() {
    println!("1. It never suspends: one step, the first and the last.");
    let mut coro = Box::pin(async { "the value from return" });
    println!("step 1: {}", told(step(&mut coro)));

    println!("2. It suspends once.");
    let mut coro = Box::pin(order());
    println!("made, and nothing has run");
    println!("step 1: {}", told(step(&mut coro)));
    println!("step 2: {}", told(step(&mut coro)));

    println!("3. It waits for a future.");
    let woken = Arc::new(Woken::new());
    let (setter, future) = parked();
    let mut coro = Box::pin(async { format!("{} with milk", future.await) });
    println!(
        "step 1: {}",
        told_if_woken(step_if_woken(&mut coro, &woken))
    );
    println!(
        "step 2: {}",
        told_if_woken(step_if_woken(&mut coro, &woken))
    );
    println!("set the value: the coroutine has not moved, but it is woken");
    setter.set("tea");
    println!(
        "step 3: {}",
        told_if_woken(step_if_woken(&mut coro, &woken))
    );
}

fn told(step: Step<impl std::fmt::Display>) -> String {
    match step {
        Step::Yielded => "Yielded".to_owned(),
        Step::Returned(value) => format!("Returned({value})"),
    }
}

fn told_if_woken(step: Option<Step<impl std::fmt::Display>>) -> String {
    step.map_or_else(|| "not woken, not polled".to_owned(), told)
}
