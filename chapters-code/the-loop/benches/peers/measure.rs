//! The clocks, the memory and the processors of this process.

use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// Keeps the calling thread, and those it starts, on one processor. A machine without that
/// processor runs it where it likes.
pub(crate) fn pin(processor: usize) {
    let mut set = CpuSet::new();
    set.set(processor);
    let _ = sched_setaffinity(None, &set);
}

/// The processor time that `work` takes, all threads of the process together. Unlike the wall
/// clock it does not count what other processes take away.
pub(crate) fn cpu_time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::try_from(time).expect("processor time is never negative")
    };
    let before = now();
    work();
    now().saturating_sub(before)
}

pub(crate) fn wall_time(work: impl FnOnce()) -> Duration {
    let before = Instant::now();
    work();
    before.elapsed()
}

/// The resident memory of this process, in bytes.
pub(crate) fn resident() -> f64 {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux has it");
    let line = rollup.lines().find(|line| line.starts_with("Rss:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .expect("a line Rss");
    kilobytes * 1024.0
}
