//! What one step of a toy task costs: taken off a container, run, and put back.
//!
//! Each row runs 1,000 tasks of 100 steps; a task ends in one further call, so a run is 101,000
//! calls. Making the tasks is not measured, dropping them is not either.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Duration;

use counter::ToyLoop;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const TASKS: u64 = 1_000;
const STEPS: u64 = 100;

/// Reproduces "per step, yield only": every task gives the thread back and is ready at once.
fn toy_yield(c: &mut Criterion) {
    bench(
        c,
        "toy loop, yield only",
        || toy(|_, _| Duration::ZERO),
        |mut toy| toy.run().len(),
    );
}

/// Reproduces "per step, with timers": every step sleeps 1 to 97 ms, so about 1,000 timers wait.
fn toy_timers(c: &mut Criterion) {
    bench(
        c,
        "toy loop, with timers",
        || toy(delay),
        |mut toy| toy.run().len(),
    );
}

/// Reproduces "round robin by hand": the same iterators in a bare queue, the least work there is.
fn by_hand(c: &mut Criterion) {
    let tasks = || {
        (0..TASKS)
            .map(|task| steps(task, |_, _| Duration::ZERO))
            .collect()
    };
    bench(c, "round robin by hand", tasks, |mut ready: VecDeque<_>| {
        let mut ended = 0;
        while let Some(mut task) = ready.pop_front() {
            match task.next() {
                Some(delay) => {
                    black_box(delay);
                    ready.push_back(task);
                }
                None => ended += 1,
            }
        }
        ended
    });
}

fn bench<I>(c: &mut Criterion, row: &str, make: impl Fn() -> I, run: impl Fn(I) -> usize) {
    let mut group = c.benchmark_group("counter");
    group.throughput(Throughput::Elements(TASKS * (STEPS + 1)));
    group.bench_function(row, |b| b.iter_batched(&make, &run, BatchSize::LargeInput));
    group.finish();
}

fn toy(delay: fn(u64, u64) -> Duration) -> ToyLoop {
    let mut toy = ToyLoop::new();
    for task in 0..TASKS {
        toy.spawn("t", steps(task, delay));
    }
    toy
}

fn steps(task: u64, delay: fn(u64, u64) -> Duration) -> impl Iterator<Item = Duration> {
    (0..STEPS).map(move |step| delay(task, step))
}

/// A spread of delays that costs next to nothing to compute and is the same in every run.
fn delay(task: u64, step: u64) -> Duration {
    Duration::from_millis(1 + (task * 7 + step * 13) % 97)
}

criterion_group!(benches, by_hand, toy_yield, toy_timers);
criterion_main!(benches);
