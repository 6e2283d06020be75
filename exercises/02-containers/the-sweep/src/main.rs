//! Plays with a heap of timers and prints what is left after each move: `set=102` sets timers at 1,
//! 2 … 102 ms, `cancel=5-9` cancels those set fifth to ninth, `due=7` takes off what is due at 7 ms,
//! `sweep` is step 1 of a turn.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use the_sweep::{TimerHandle, Timers};

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (1..=last).contains(&first).then_some(first..=last)
}

fn play(timers: &mut Timers, handles: &mut Vec<TimerHandle>, op: &str) -> Option<()> {
    match op.split_once('=') {
        None if op == "sweep" => timers.sweep(),
        Some(("set", count)) => {
            let count: u64 = count.parse().ok().filter(|count| *count <= 1_000)?;
            handles.extend((1..=count).map(|when| timers.push(when)));
        }
        Some(("cancel", which)) => {
            let which = range(which)?;
            for handle in handles.get(which.start() - 1..*which.end())? {
                handle.cancel();
            }
        }
        Some(("due", now)) => {
            let now = now.parse().ok()?;
            while timers.pop_due(now).is_some() {}
        }
        _ => return None,
    }
    Some(())
}

fn main() -> ExitCode {
    let (mut timers, mut handles) = (Timers::new(), Vec::new());
    for op in std::env::args().skip(1) {
        if play(&mut timers, &mut handles, &op).is_none() {
            eprintln!("{op} cannot be done: write set=102, cancel=5-9, due=7 or sweep");
            return ExitCode::FAILURE;
        }
        let (len, count) = (timers.len(), timers.cancelled_count());
        println!("{op:14} heap {len:<4} cancelled count {count}");
    }
    ExitCode::SUCCESS
}
