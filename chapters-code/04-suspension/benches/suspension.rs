//! What a coroutine costs: made, awaited ready, nested, suspended. No loop takes part but in the
//! last row, which shows what the next floor adds. The rows are those of `rows.toml`.
//!
//! `black_box` stands between the levels, so that the compiler may inline a chain of awaits, but
//! not compute it away; `nested-10/folded` is what it does where nothing stops it.

mod levels;

use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Wake;
use std::time::Duration;

use levels::{folded_10, level_1, level_3, level_10};
use rows::{Rows, cpu, each};
use six_steps::EventLoop;
use suspension::{Tally, Woken, parked, step, step_if_woken, suspend_once, tally};
use wakeup::{Tasks, yield_now};

type Boxed = Pin<Box<dyn Future<Output = u64>>>;

fn boxed(depth: u32, n: u64) -> Boxed {
    Box::pin(async move {
        if depth == 1 {
            black_box(n)
        } else {
            boxed(depth - 1, black_box(n)).await + 1
        }
    })
}

/// A coroutine `depth` boxes deep whose bottom suspends for ever.
fn endless(depth: u32) -> Boxed {
    Box::pin(async move {
        if depth > 1 {
            return endless(depth - 1).await;
        }
        loop {
            suspend_once().await;
        }
    })
}

/// Reproduces "coroutine object, made and dropped" (A11).
fn create() -> impl FnMut(u64) -> Duration {
    each(|| black_box(level_1(black_box(1))))
}

fn create_boxed() -> impl FnMut(u64) -> Duration {
    each(|| black_box(boxed(black_box(1), 1)))
}

/// Reproduces "await of a ready coroutine", 1, 3 and 10 deep (A11): a chain of known types.
macro_rules! nested {
    ($($name:ident: $level:ident;)*) => {$(
        fn $name() -> impl FnMut(u64) -> Duration {
            each(|| step(&mut pin!($level(black_box(1)))))
        }
    )*};
}

nested! {
    nested_1: level_1;
    nested_3: level_3;
    nested_10: level_10;
    nested_folded: folded_10;
}

/// The same with every level behind a `Pin<Box<dyn Future>>`.
fn nested_boxed(depth: u32) -> impl FnMut(u64) -> Duration {
    each(move || step(&mut boxed(black_box(depth), 1)))
}

/// Reproduces "a suspension by hand": made, stepped to its `suspend_once`, stepped to its end.
fn suspended_by_hand() -> impl FnMut(u64) -> Duration {
    each(|| {
        let mut coro = pin!(async {
            suspend_once().await;
            black_box(1)
        });
        (black_box(step(&mut coro)), black_box(step(&mut coro)))
    })
}

/// Reproduces "a step that resumes and suspends again", 1 and 10 deep.
fn resume(depth: u32) -> impl FnMut(u64) -> Duration {
    let mut coro = endless(depth);
    each(move || step(black_box(&mut coro)))
}

/// Reproduces "parked on a future, set, woken, stepped".
fn parked_and_woken() -> impl FnMut(u64) -> Duration {
    let woken = Arc::new(Woken::new());
    each(move || {
        let (setter, future) = parked();
        let mut coro = pin!(future);
        // The first step of a new coroutine is due without anybody's call.
        Wake::wake_by_ref(&woken);
        black_box(step_if_woken(&mut coro, &woken));
        setter.set(black_box(1_u64));
        black_box(step_if_woken(&mut coro, &woken))
    })
}

/// Reproduces "the machine, made, three steps": what the compiler makes of `tally`.
fn machine() -> impl FnMut(u64) -> Duration {
    each(|| {
        let mut coro = pin!(tally(note, black_box(40)));
        [(); 3].map(|()| black_box(step(&mut coro)))
    })
}

/// The same state machine, written by hand.
fn machine_by_hand() -> impl FnMut(u64) -> Duration {
    each(|| {
        let mut coro = pin!(Tally::new(note, black_box(40)));
        [(); 3].map(|()| black_box(step(&mut coro)))
    })
}

fn note(line: &'static str) {
    black_box(line);
}

/// Reproduces "a suspension through the loop" (A11): a task gives the thread back, and the loop
/// comes round to it.
fn suspension() -> impl FnMut(u64) -> Duration {
    |times| {
        let event_loop = EventLoop::new();
        let main = async move {
            for _ in 0..times {
                yield_now().await?;
            }
            Ok(())
        };
        let taken = cpu(|| event_loop.run_until_complete(main).unwrap());
        event_loop.close().unwrap();
        taken
    }
}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("suspension", include_str!("../rows.toml"))
        .timed("create/static", create)
        .timed("create/boxed", create_boxed)
        .timed("await-ready/static", nested_1)
        .timed("await-ready/boxed", || nested_boxed(1))
        .timed("nested-3/static", nested_3)
        .timed("nested-3/boxed", || nested_boxed(3))
        .timed("nested-10/static", nested_10)
        .timed("nested-10/boxed", || nested_boxed(10))
        .timed("nested-10/folded", nested_folded)
        .timed("suspended-by-hand", suspended_by_hand)
        .timed("resume-1", || resume(1))
        .timed("resume-10", || resume(10))
        .timed("parked-and-woken", parked_and_woken)
        .timed("machine", machine)
        .timed("machine/by-hand", machine_by_hand)
        .timed("suspension", suspension)
}

fn main() {
    rows().main();
}
