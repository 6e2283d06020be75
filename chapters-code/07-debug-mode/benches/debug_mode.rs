//! What debug mode costs a handle: 1,000 handles in one turn, that do nothing.
//!
//! The handles are made beforehand, so that a row is queue, call and watching alone.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use debug_mode::{DebugMode, SlowCallback};
use six_steps::{EventLoop, Handle};
use std::time::Duration;

const HANDLES: u64 = 1_000;

fn bench(c: &mut Criterion, row: &str, set: impl FnOnce(&EventLoop)) {
    let event_loop = EventLoop::new();
    set(&event_loop);
    let handles: Vec<Handle> = (0..HANDLES).map(|_| Handle::repeating(|| ())).collect();
    let mut group = c.benchmark_group("debug_mode");
    group.throughput(Throughput::Elements(HANDLES));
    group.bench_function(row, |b| {
        b.iter(|| {
            for handle in &handles {
                event_loop
                    .call_soon_handle(handle.clone())
                    .expect("an open loop");
            }
            event_loop.run_once().expect("a turn of callbacks");
        });
    });
    group.finish();
}

/// Reproduces "floor 3 alone": a loop that has never heard of debug mode.
fn floor_3_alone(c: &mut Criterion) {
    bench(c, "floor 3 alone", |_| ());
}

/// Reproduces "off": debug mode was on, and is off again. It has to equal floor 3.
fn off(c: &mut Criterion) {
    bench(c, "off", |event_loop| {
        event_loop.set_debug(true);
        event_loop.set_debug(false);
    });
}

/// Reproduces "on": the clock is read twice a handle, and no handle is slow.
fn on(c: &mut Criterion) {
    bench(c, "on", |event_loop| event_loop.set_debug(true));
}

/// Reproduces "on, every handle slow": each gives a line, which is written and thrown away.
fn on_slow(c: &mut Criterion) {
    bench(c, "on, every handle slow", |event_loop| {
        event_loop.set_debug(true);
        event_loop.set_slow_callback_duration(Duration::ZERO);
        event_loop.on_slow_callback(Some(|slow: &SlowCallback<'_>| {
            std::hint::black_box(slow.to_string());
        }));
    });
}

criterion_group!(benches, floor_3_alone, off, on, on_slow);
criterion_main!(benches);
