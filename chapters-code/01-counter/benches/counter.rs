//! What one step of a toy task costs: taken off a container, run, and put back; and what waiting
//! costs. The rows are those of `rows.toml`.
//!
//! A batch runs 1,000 tasks of 100 steps; a task ends in one further call, so it is 101,000 calls.
//! Making the tasks is not measured, dropping them is not either.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Duration;

use counter::{Clock, RealClock, ToyLoop};
use rows::{Figure, Rows, Scale, cpu};

const TASKS: u64 = 1_000;
const STEPS: u64 = 100;
const CALLS: u64 = TASKS * (STEPS + 1);

/// Reproduces "a step, yield only": every task gives the thread back and is ready at once.
fn yield_only() -> impl FnMut(u64) -> Duration {
    batches(|| toy(|_, _| Duration::ZERO), |toy| toy.run().len())
}

/// The same iterators in a bare queue: the least work there is.
fn yield_only_by_hand() -> impl FnMut(u64) -> Duration {
    let tasks = || (0..TASKS).map(|task| steps(task, |_, _| Duration::ZERO));
    batches(
        move || tasks().collect(),
        |ready: &mut VecDeque<_>| {
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
        },
    )
}

/// Reproduces "a step, with timers": every step sleeps 1 to 97 ms of a clock that jumps, so about
/// 1,000 timers wait.
fn with_timers() -> impl FnMut(u64) -> Duration {
    batches(|| toy(delay), |toy| toy.run().len())
}

/// Reproduces "an idle second": asleep until an alarm, with a hatch open all the while (A1).
fn idle(scale: Scale) -> Vec<Figure> {
    let second = scale.time(Duration::from_secs(1));
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("nap", [second]);
    toy.round(); // the nap sets its alarm
    let taken = cpu(|| {
        toy.round(); // the wait, and the end of the nap
    });
    drop(hatch);
    let wakes = toy.clock().wakes();
    vec![
        Figure::ms("idle", taken),
        Figure::count("idle-wakes", wakes, "wakes"),
    ]
}

/// The same second, spent asking the clock again and again.
fn idle_staring(scale: Scale) -> Vec<Figure> {
    let second = scale.time(Duration::from_secs(1));
    let taken = cpu(|| {
        let (mut clock, _hatch) = RealClock::with_hatch();
        let mut ready = VecDeque::new();
        while ready.is_empty() && clock.now() < second {
            clock.collect(&mut ready);
        }
    });
    vec![Figure::ms("idle", taken)]
}

fn batches<I>(
    make: impl Fn() -> I,
    mut run: impl FnMut(&mut I) -> usize,
) -> impl FnMut(u64) -> Duration {
    move |batches| {
        let one = |_| {
            let mut input = make();
            cpu(|| _ = black_box(run(&mut input)))
        };
        (0..batches).map(one).sum()
    }
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

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("counter", include_str!("../rows.toml"))
        .batched("yield-only", CALLS, yield_only)
        .batched("yield-only/by-hand", CALLS, yield_only_by_hand)
        .batched("with-timers", CALLS, with_timers)
        .whole("idle", idle)
        .whole("idle/by-hand-staring", idle_staring)
}

fn main() {
    rows().main();
}
