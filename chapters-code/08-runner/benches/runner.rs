//! What it costs to run a coroutine that does nothing, from the dearest way to the cheapest; and
//! the turns of whole runs. The rows are those of `rows.toml`.

mod turns;

use std::future;
use std::hint::black_box;
use std::time::Duration;

use rows::{Rows, cpu, each};
use runner::Runner;
use six_steps::EventLoop;
use wakeup::{Outcome, Tasks, create_task};

/// A coroutine that is ready at once.
async fn noop() -> Outcome<()> {
    future::ready(Ok(())).await
}

/// Reproduces "run, each time" (A20): a loop is made, runs, and is closed, for each coroutine.
fn run_each_time() -> impl FnMut(u64) -> Duration {
    each(|| runner::run(noop()).expect("run"))
}

/// Reproduces "of which making and closing a loop".
fn make_and_close() -> impl FnMut(u64) -> Duration {
    each(|| EventLoop::new().close().expect("close"))
}

/// Reproduces "Runner, one loop" (A20).
fn runner_one_loop() -> impl FnMut(u64) -> Duration {
    let mut runner = Runner::new();
    each(move || runner.run(noop()).expect("run"))
}

/// Reproduces "`run_until_complete`, one loop".
fn run_until_complete() -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    each(move || event_loop.run_until_complete(noop()).expect("run"))
}

/// Reproduces "`create_task` and await, in a running loop".
fn create_and_await() -> impl FnMut(u64) -> Duration {
    inside(async |times| {
        for _ in 0..times {
            create_task(noop())?.await?;
        }
        Ok(())
    })
}

/// Reproduces "await, in a running loop" (A20); the `black_box` keeps the await from being folded
/// away.
fn await_inside() -> impl FnMut(u64) -> Duration {
    inside(async |times| {
        for _ in 0..times {
            black_box(noop()).await?;
        }
        Ok(())
    })
}

/// Work inside one run, long enough that the run around it does not count.
fn inside(work: impl AsyncFn(u64) -> Outcome<()> + Copy + 'static) -> impl FnMut(u64) -> Duration {
    let mut runner = Runner::new();
    move |times| cpu(|| runner.run(async move { work(times).await }).expect("run"))
}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("runner", include_str!("../rows.toml"))
        .timed("run", run_each_time)
        .timed("make-and-close", make_and_close)
        .timed("runner", runner_one_loop)
        .timed("run-until-complete", run_until_complete)
        .timed("create-and-await", create_and_await)
        .timed("await", await_inside)
        .whole("turns", |_| turns::all())
}

fn main() {
    rows().main();
}
