//! What the containers cost beside the bare collections they stand on, with the same entries.
//!
//! The sides of a row take turns, one repetition each, so that a machine that slows down slows
//! all; after a row its ratio by the fastest repetitions is printed.

use std::collections::{BinaryHeap, VecDeque};
use std::hint::black_box;
use std::time::{Duration, Instant};

use containers::{Handle, Ready, Scheduled, once};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

const HANDLES: usize = 1_000;
const TIMERS: usize = 100_000;

/// A row of the table: `operations` a repetition, ours and the bare collection in turn.
#[expect(clippy::cast_precision_loss, reason = "a count of operations is small")]
fn row(c: &mut Criterion, name: &str, operations: usize, work: [&mut dyn FnMut(); 2]) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(operations as u64));
    group.sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    let [ours, bare] = work;
    let mut fastest = [Duration::MAX; 2];
    for (asked, name) in ["ours", "bare"].into_iter().enumerate() {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|repetitions| {
                let mut total = Duration::ZERO;
                for _ in 0..repetitions {
                    let took = [&mut *ours, &mut *bare].map(|work| {
                        let start = Instant::now();
                        work();
                        start.elapsed()
                    });
                    fastest = [fastest[0].min(took[0]), fastest[1].min(took[1])];
                    total += took[asked];
                }
                total
            });
        });
    }
    group.finish();
    if fastest[0] == Duration::MAX {
        return; // the row was filtered out
    }
    let [ours, bare] = fastest.map(|took| took.as_secs_f64() * 1e9 / operations as f64);
    let ratio = ours / bare;
    println!("{name}: {ours:.1} ns, {ratio:.2} times the bare collection ({bare:.1} ns)\n");
}

/// Push and pop of handles that exist, 1,000 at a time, against the bare `VecDeque` of them.
fn ready(c: &mut Criterion) {
    let handles: Vec<Handle> = (0..HANDLES).map(|_| Handle::new(|| ())).collect();
    let mut ready = Ready::new();
    let mut ours = || {
        for handle in &handles {
            ready.push(handle.clone());
        }
        while let Some(handle) = ready.pop() {
            black_box(handle);
        }
    };
    let mut deque = VecDeque::new();
    let mut bare = || {
        for handle in &handles {
            deque.push_back(handle.clone());
        }
        while let Some(handle) = deque.pop_front() {
            black_box(handle);
        }
    };
    let name = "ready, push and pop of handles";
    row(c, name, HANDLES, [&mut ours, &mut bare]);
}

/// Deadlines that lie anywhere in 50 ms, the same on every run (xorshift).
fn deadlines() -> Vec<u64> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % 50_000_000
    };
    (0..TIMERS).map(|_| next()).collect()
}

/// A deadline and a handle, compared by the deadline alone, the nearest the greatest: what stands
/// on the bare heap.
struct Entry(u64, Handle);

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Entry {}

/// 100,000 timers pushed, then popped as they come due, against the bare `BinaryHeap` of the same
/// entries. Both make a handle a timer and give it back.
fn scheduled(c: &mut Criterion) {
    let deadlines = deadlines();
    let mut scheduled = Scheduled::new();
    let mut ours = || {
        for (n, &when) in deadlines.iter().enumerate() {
            let callback = once(move || {
                black_box(n);
            });
            let when = Duration::from_nanos(when);
            black_box(scheduled.push(when, callback)).unwrap();
        }
        while let Some(handle) = scheduled.pop_due(Duration::from_secs(1)) {
            black_box(handle);
        }
    };
    let mut heap = BinaryHeap::new();
    let mut bare = || {
        for (n, &when) in deadlines.iter().enumerate() {
            let handle = Handle::new(move || {
                black_box(n);
            });
            heap.push(Entry(when, handle.clone()));
            black_box(handle);
        }
        while let Some(Entry(_, handle)) = heap.pop() {
            black_box(handle);
        }
    };
    let name = "scheduled, push and pop of 100,000 timers";
    row(c, name, TIMERS, [&mut ours, &mut bare]);
}

criterion_group!(benches, ready, scheduled);
criterion_main!(benches);
