//! What a coroutine costs: made, awaited ready, nested, suspended. No loop takes part.
//! `cpython/cost.py` has the same rows for Python. `black_box` stands between the levels, so
//! that the compiler may inline a chain of awaits, but not compute it away; the `folded` row is
//! what it does where nothing stops it.

use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Wake;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use suspension::{Tally, Woken, parked, step, step_if_woken, suspend_once, tally};

#[expect(clippy::unused_async, reason = "a ready coroutine is what is measured")]
async fn level_1(n: u64) -> u64 {
    black_box(n)
}

macro_rules! levels {
    ($($name:ident awaits $next:ident),*) => {$(
        async fn $name(n: u64) -> u64 {
            $next(black_box(n)).await + 1
        }
    )*};
}

levels!(
    level_2 awaits level_1, level_3 awaits level_2, level_4 awaits level_3,
    level_5 awaits level_4, level_6 awaits level_5, level_7 awaits level_6,
    level_8 awaits level_7, level_9 awaits level_8, level_10 awaits level_9
);

#[expect(clippy::unused_async, reason = "a ready coroutine is what is measured")]
async fn folded_1(n: u64) -> u64 {
    n
}

macro_rules! folded {
    ($($name:ident awaits $next:ident),*) => {$(
        async fn $name(n: u64) -> u64 {
            $next(n).await + 1
        }
    )*};
}

folded!(
    folded_2 awaits folded_1, folded_3 awaits folded_2, folded_4 awaits folded_3,
    folded_5 awaits folded_4, folded_6 awaits folded_5, folded_7 awaits folded_6,
    folded_8 awaits folded_7, folded_9 awaits folded_8, folded_10 awaits folded_9
);

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

fn create(c: &mut Criterion) {
    let mut group = c.benchmark_group("create");
    group.bench_function("static", |b| b.iter(|| black_box(level_1(black_box(1)))));
    group.bench_function("boxed", |b| b.iter(|| black_box(boxed(black_box(1), 1))));
    group.finish();
}

fn nested(c: &mut Criterion) {
    let mut group = c.benchmark_group("nested_static");
    group.bench_function("1", |b| b.iter(|| step(&mut pin!(level_1(black_box(1))))));
    group.bench_function("3", |b| b.iter(|| step(&mut pin!(level_3(black_box(1))))));
    group.bench_function("10", |b| b.iter(|| step(&mut pin!(level_10(black_box(1))))));
    group.bench_function("10_folded", |b| {
        b.iter(|| step(&mut pin!(folded_10(black_box(1)))));
    });
    group.finish();

    let mut group = c.benchmark_group("nested_boxed");
    for depth in [1, 3, 10] {
        group.bench_with_input(BenchmarkId::from_parameter(depth), &depth, |b, &depth| {
            b.iter(|| step(&mut boxed(black_box(depth), 1)));
        });
    }
    group.finish();
}

fn suspension(c: &mut Criterion) {
    let mut group = c.benchmark_group("suspension");
    group.bench_function("once", |b| {
        b.iter(|| {
            let mut coro = pin!(async {
                suspend_once().await;
                black_box(1)
            });
            (black_box(step(&mut coro)), black_box(step(&mut coro)))
        });
    });
    for depth in [1, 10] {
        group.bench_with_input(
            BenchmarkId::new("step_boxed", depth),
            &depth,
            |b, &depth| {
                let mut coro = endless(depth);
                b.iter(|| step(black_box(&mut coro)));
            },
        );
    }
    group.bench_function("parked_and_woken", |b| {
        let woken = Arc::new(Woken::new());
        b.iter(|| {
            let (setter, future) = parked();
            let mut coro = pin!(future);
            // The first step of a new coroutine is due without anybody's call.
            Wake::wake_by_ref(&woken);
            black_box(step_if_woken(&mut coro, &woken));
            setter.set(black_box(1_u64));
            black_box(step_if_woken(&mut coro, &woken))
        });
    });
    group.finish();
}

fn machine(c: &mut Criterion) {
    let mut group = c.benchmark_group("machine");
    let note = |line: &'static str| {
        black_box(line);
    };
    group.bench_function("compiled", |b| {
        b.iter(|| {
            let mut coro = pin!(tally(note, black_box(40)));
            (
                black_box(step(&mut coro)),
                black_box(step(&mut coro)),
                black_box(step(&mut coro)),
            )
        });
    });
    group.bench_function("by_hand", |b| {
        b.iter(|| {
            let mut coro = pin!(Tally::new(note, black_box(40)));
            (
                black_box(step(&mut coro)),
                black_box(step(&mut coro)),
                black_box(step(&mut coro)),
            )
        });
    });
    group.finish();
}

criterion_group!(benches, create, nested, suspension, machine);
criterion_main!(benches);
