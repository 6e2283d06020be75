//! What the containers cost beside the bare collections they stand on, with the same entries. The
//! rows are those of `rows.toml`.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::hint::black_box;
use std::time::Duration;

use containers::{Handle, Ready, Scheduled, once};
use rows::{Rows, each};

const HANDLES: u64 = 1_000;
const TIMERS: u64 = 100_000;

fn handles() -> Vec<Handle> {
    (0..HANDLES).map(|_| Handle::new(|| ())).collect()
}

/// Reproduces "ready, push and pop": handles that exist, 1,000 at a time.
fn ready() -> impl FnMut(u64) -> Duration {
    let (handles, mut ready) = (handles(), Ready::new());
    each(move || {
        for handle in &handles {
            ready.push(handle.clone());
        }
        while let Some(handle) = ready.pop() {
            black_box(handle);
        }
    })
}

/// The same on a bare `VecDeque`.
fn ready_by_hand() -> impl FnMut(u64) -> Duration {
    let (handles, mut deque) = (handles(), VecDeque::new());
    each(move || {
        for handle in &handles {
            deque.push_back(handle.clone());
        }
        while let Some(handle) = deque.pop_front() {
            black_box(handle);
        }
    })
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

/// Reproduces "scheduled, push and pop": 100,000 timers pushed, then popped as they come due.
fn scheduled() -> impl FnMut(u64) -> Duration {
    let (deadlines, mut scheduled) = (deadlines(), Scheduled::new());
    each(move || {
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
    })
}

/// The same on a bare `BinaryHeap`: it too makes a handle a timer and gives it back.
fn scheduled_by_hand() -> impl FnMut(u64) -> Duration {
    let (deadlines, mut heap) = (deadlines(), BinaryHeap::new());
    each(move || {
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
    })
}

/// A deadline and a handle, compared by the deadline alone, the nearest the greatest: what stands
/// on the bare heap.
struct Entry(u64, Handle);

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Entry {}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("containers", include_str!("../rows.toml"))
        .batched("ready", HANDLES, ready)
        .batched("ready/by-hand", HANDLES, ready_by_hand)
        .batched("scheduled", TIMERS, scheduled)
        .batched("scheduled/by-hand", TIMERS, scheduled_by_hand)
}

fn main() {
    rows().main();
}
