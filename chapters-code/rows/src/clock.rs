//! The clocks of a sample, and the memory of its process.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The processor time that `work` takes, of all threads of the process. Other programs on the
/// machine hardly show in it, as they do in the time on the wall.
pub fn cpu(work: impl FnOnce()) -> Duration {
    let before = cpu_time();
    work();
    cpu_time().saturating_sub(before)
}

/// The time on the wall that `work` takes: for work that waits, or that crosses threads.
pub fn wall(work: impl FnOnce()) -> Duration {
    let before = Instant::now();
    work();
    before.elapsed()
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("processor time is never negative")
}

/// The bytes of this process that are in memory.
///
/// # Panics
/// The system is no Linux.
pub fn resident() -> u64 {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux has it");
    let line = rollup.lines().find(|line| line.starts_with("Rss:"));
    let kibibytes: u64 = line
        .and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .expect("a line Rss");
    kibibytes * 1024
}
