//! What it costs to run a coroutine that does nothing, from the dearest way to the cheapest.

use std::future;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use runner::Runner;
use six_steps::EventLoop;
use wakeup::{Outcome, Tasks, create_task};

/// A coroutine that is ready at once.
async fn noop() -> Outcome<()> {
    future::ready(Ok(())).await
}

/// Reproduces "run, each time": a loop is made, runs, and is closed, for each coroutine.
fn run_each_time(c: &mut Criterion) {
    row(c, "run, each time", || runner::run(noop()).expect("run"));
}

/// Reproduces "of which making and closing a loop".
fn make_and_close(c: &mut Criterion) {
    row(c, "of which making and closing a loop", || {
        EventLoop::new().close().expect("close");
    });
}

/// Reproduces "Runner, one loop".
fn runner_one_loop(c: &mut Criterion) {
    let mut runner = Runner::new();
    row(c, "Runner, one loop", || runner.run(noop()).expect("run"));
}

/// Reproduces "`run_until_complete`, one loop".
fn run_until_complete(c: &mut Criterion) {
    let event_loop = EventLoop::new();
    row(c, "run_until_complete, one loop", || {
        event_loop.run_until_complete(noop()).expect("run");
    });
}

fn row(c: &mut Criterion, row: &str, mut run: impl FnMut()) {
    let mut group = c.benchmark_group("runner");
    group.bench_function(row, |b| b.iter(&mut run));
    group.finish();
}

/// Reproduces "`create_task` and await, in a running loop".
fn create_and_await(c: &mut Criterion) {
    inside(
        c,
        "create_task and await, in a running loop",
        async |times| {
            for _ in 0..times {
                create_task(noop())?.await?;
            }
            Ok(())
        },
    );
}

/// Reproduces "await, in a running loop"; the `black_box` keeps the await from being folded away.
fn await_inside(c: &mut Criterion) {
    inside(c, "await, in a running loop", async |times| {
        for _ in 0..times {
            black_box(noop()).await?;
        }
        Ok(())
    });
}

/// A row that is measured by the coroutine itself, so that the run around it does not count.
fn inside<F>(c: &mut Criterion, row: &str, work: F)
where
    F: AsyncFn(u64) -> Outcome<()> + Copy + 'static,
{
    let mut group = c.benchmark_group("runner");
    group.bench_function(row, |b| {
        let mut runner = Runner::new();
        b.iter_custom(|times| {
            let timed = async move {
                let start = Instant::now();
                work(times).await?;
                Ok::<Duration, _>(start.elapsed())
            };
            runner.run(timed).expect("run")
        });
    });
    group.finish();
}

criterion_group!(
    benches,
    run_each_time,
    make_and_close,
    runner_one_loop,
    run_until_complete,
    create_and_await,
    await_inside
);
criterion_main!(benches);
