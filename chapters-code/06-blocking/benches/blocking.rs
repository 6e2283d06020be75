//! What it costs to have a job done on another thread, beside the least that can do it; and what
//! fifty blocking tasks cost the loop itself, which on a virtual clock is all they cost.

mod bare;

use std::time::{Duration, Instant};

use bare::Bare;
use blocking::{Block, Manner, run_in_executor, to_thread, work};
use criterion::{Criterion, criterion_group, criterion_main};
use six_steps::EventLoop;
use wakeup::{Tasks, gather};

/// A no-op on another thread and back, one at a time: bare, and through `to_thread`.
fn round_trip(c: &mut Criterion) {
    let mut group = c.benchmark_group("round_trip");
    group.bench_function("bare", |b| {
        let bare = Bare::new().unwrap();
        b.iter(|| bare.round_trip().unwrap());
    });
    group.bench_function("to_thread", |b| {
        let event_loop = EventLoop::new();
        b.iter_custom(|iterations| {
            let trips = async move {
                let start = Instant::now();
                for _ in 0..iterations {
                    to_thread(|| ()).await?;
                }
                Ok(start.elapsed())
            };
            event_loop.run_until_complete(trips).unwrap()
        });
        event_loop.close().unwrap();
    });
    group.finish();
}

/// A thousand no-ops handed over at once, and all their results back: the price of a job where
/// waking up is shared.
fn thousand_jobs(c: &mut Criterion) {
    let event_loop = EventLoop::new();
    c.bench_function("thousand_jobs", |b| {
        b.iter(|| {
            let all = async {
                let jobs = (0..1_000).map(|n| run_in_executor(move || n));
                gather(jobs.collect::<Result<Vec<_>, _>>()?)?.await
            };
            event_loop.run_until_complete(all).unwrap()
        });
    });
    event_loop.close().unwrap();
}

/// Fifty tasks of 100 ms on the virtual clock, where the tasks' own time costs nothing: what is
/// left is the loop's work, two turns fewer where they block.
fn fifty_tasks(c: &mut Criterion) {
    let mut group = c.benchmark_group("fifty_tasks");
    let (event_loop, block) = Block::on_virtual_clock();
    for (name, manner) in [
        ("blocking", Manner::Rude),
        ("cooperative", Manner::Cooperative),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let block = block.clone();
                let all = async move {
                    let chunk = Duration::from_millis(100);
                    gather((0..50).map(|_| work(manner, 1, chunk, block.clone())))?.await
                };
                event_loop.run_until_complete(all).unwrap()
            });
        });
    }
    group.finish();
    event_loop.close().unwrap();
}

criterion_group!(benches, round_trip, thousand_jobs, fifty_tasks);
criterion_main!(benches);
