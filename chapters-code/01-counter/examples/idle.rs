//! One idle second, spent twice: asleep, and staring at the clock. Prints the CPU time of each.

use std::collections::VecDeque;
use std::time::{Duration, Instant};
use std::{fs, thread};

use counter::{Clock, RealClock, ToyLoop};

const SECOND: Duration = Duration::from_secs(1);

fn main() {
    measure("asleep", || {
        let (clock, hatch) = RealClock::with_hatch();
        let mut toy = ToyLoop::with_clock(clock);
        toy.spawn("nap", [SECOND]);
        toy.round(); // the nap sets its alarm
        toy.round(); // the wait, and the end of the nap
        drop(hatch); // held until here: a post could have come at any time
        toy.clock().wakes()
    });
    measure("staring", || stare(SECOND));
}

// ANCHOR: stare
/// Waits for the alarm by asking again and again; returns how often it asked.
fn stare(alarm: Duration) -> u64 {
    let (mut clock, _hatch) = RealClock::with_hatch();
    let mut ready = VecDeque::new();
    let mut looks = 0;
    while ready.is_empty() && clock.now() < alarm {
        clock.collect(&mut ready);
        looks += 1;
    }
    looks
}
// ANCHOR_END: stare

fn measure(name: &str, idle: impl FnOnce() -> u64) {
    let (began, before) = (Instant::now(), cpu_time());
    let looks = idle();
    let (wall, after) = (began.elapsed().as_secs_f64(), cpu_time());
    let cpu = match (before, after) {
        (Some(before), Some(after)) => {
            format!("{:.3} ms", after.saturating_sub(before).as_secs_f64() * 1e3)
        }
        _ => "not known on this system".to_owned(),
    };
    println!("{name:8} {wall:.3} s   CPU time {cpu}   looks {looks}");
}

/// The CPU time of this thread so far, where Linux tells it.
///
/// `schedstat` counts nanoseconds; the better known `stat` counts hundredths of a second, too
/// coarse to tell an idle second from none.
fn cpu_time() -> Option<Duration> {
    thread::yield_now(); // the kernel brings the figure up to date when it schedules
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}
