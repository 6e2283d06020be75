//! The driver's contract: nothing runs before the first step, a step runs to the next
//! suspension or the end, and the driver's patience is bounded.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use suspension::{Finished, Step, StillPending, finish, step, suspend_once};

#[test]
fn a_coroutine_that_never_suspends_ends_in_its_first_step() {
    let mut coro = Box::pin(async { "the value from return" });
    assert_eq!(step(&mut coro), Step::Returned("the value from return"));
}

#[test]
fn nothing_runs_before_the_first_step() {
    let ran = Cell::new(false);
    let mut coro = Box::pin(async { ran.set(true) });
    assert!(!ran.get(), "making a coroutine must not run it");
    assert_eq!(step(&mut coro), Step::Returned(()));
    assert!(ran.get());
}

#[test]
fn a_coroutine_dropped_before_its_first_step_never_runs() {
    let ran = Cell::new(false);
    drop(Box::pin(async { ran.set(true) }));
    assert!(!ran.get());
}

#[test]
fn a_step_runs_to_the_next_suspension_and_no_further() {
    let at = Cell::new(0);
    let mut coro = Box::pin(async {
        for line in 1..=3 {
            at.set(line);
            suspend_once().await;
        }
    });
    for line in 1..=3 {
        assert_eq!(step(&mut coro), Step::Yielded);
        assert_eq!(at.get(), line);
    }
    assert_eq!(step(&mut coro), Step::Returned(()));
}

#[test]
fn one_driver_takes_a_box_a_trait_object_and_a_pinned_reference() {
    let mut boxed = Box::pin(async { 1 });
    let mut object: std::pin::Pin<Box<dyn Future<Output = i32>>> = Box::pin(async { 2 });
    let mut on_the_stack = std::pin::pin!(async { 3 });
    assert_eq!(step(&mut boxed), Step::Returned(1));
    assert_eq!(step(&mut object), Step::Returned(2));
    assert_eq!(step(&mut on_the_stack), Step::Returned(3));
}

#[test]
fn finish_counts_every_poll_and_gives_up_at_its_limit() {
    let three_stops = || {
        Box::pin(async {
            for _ in 0..3 {
                suspend_once().await;
            }
            "end"
        })
    };
    assert_eq!(
        finish(&mut three_stops(), 4),
        Ok(Finished {
            polls: 4,
            value: "end"
        })
    );
    assert_eq!(
        finish(&mut three_stops(), 3),
        Err(StillPending { polls: 3 })
    );
    assert_eq!(
        finish(&mut three_stops(), 0),
        Err(StillPending { polls: 0 })
    );
    assert_eq!(
        StillPending { polls: 3 }.to_string(),
        "still pending after 3 polls: allow more, or look for what it waits for"
    );
}

#[test]
fn a_panic_in_the_body_comes_out_of_the_step() {
    let mut coro = Box::pin(async {
        suspend_once().await;
        panic!("spilt the tea")
    });
    assert_eq!(step::<_>(&mut coro), Step::<()>::Yielded);
    let panic = catch_unwind(AssertUnwindSafe(|| step(&mut coro))).expect_err("it panics");
    assert_eq!(panic.downcast_ref(), Some(&"spilt the tea"));
}
