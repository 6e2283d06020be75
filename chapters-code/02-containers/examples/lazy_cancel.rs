//! What a cancellation does to the heap and to the count: nothing at once, something in the sweep,
//! and nothing ever if the timer falls due first.

use std::time::Duration;

use containers::{DeadlineOverflow, Scheduled, TimerHandle, once};

fn main() -> Result<(), DeadlineOverflow> {
    println!("A cancelled timer leaves when it comes to the head:");
    let mut scheduled = Scheduled::new();
    let timers = push(&mut scheduled, 4)?;
    timers[1].cancel();
    show("cancel 1", &scheduled);
    scheduled.sweep();
    show("sweep", &scheduled);
    timers[0].cancel();
    show("cancel 0", &scheduled);
    scheduled.sweep();
    show("sweep", &scheduled);

    println!("More than 100 timers, more than half of them cancelled:");
    let mut scheduled = Scheduled::new();
    let timers = push(&mut scheduled, 102)?;
    timers[51..].iter().for_each(TimerHandle::cancel);
    show("cancel 51", &scheduled);
    scheduled.sweep();
    show("sweep", &scheduled);
    timers[50].cancel();
    show("cancel 1", &scheduled);
    scheduled.sweep();
    show("sweep", &scheduled);

    println!("Two timers fall due before a sweep sees them:");
    let mut scheduled = Scheduled::new();
    let timers = push(&mut scheduled, 4)?;
    timers[1..3].iter().for_each(TimerHandle::cancel);
    show("cancel 1, 2", &scheduled);
    while scheduled.pop_due(Duration::from_millis(10)).is_some() {}
    show("all due", &scheduled);
    scheduled.sweep();
    show("sweep", &scheduled);
    Ok(())
}

/// Timers at 0 ms, 1 ms, 2 ms and so on.
fn push(scheduled: &mut Scheduled, how_many: u64) -> Result<Vec<TimerHandle>, DeadlineOverflow> {
    (0..how_many)
        .map(|ms| scheduled.push(Duration::from_millis(ms), once(|| ())))
        .collect()
}

fn show(what: &str, scheduled: &Scheduled) {
    let (heap, cancelled) = (scheduled.len(), scheduled.cancelled_count());
    println!("  {what:<12} heap {heap:<4} cancelled count {cancelled}");
}
