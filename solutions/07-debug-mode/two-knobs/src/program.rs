//! The programs that the exercise asks about, on a virtual clock. Not yours to change.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use debug_mode::{DebugMode, SlowCallback};
use six_steps::{EventLoop, VirtualClock, VirtualSelector};
use wakeup::{Outcome, Tasks, sleep};

/// A loop in debug mode or not, its clock, and the count of its lines.
fn counted(debug: bool) -> (EventLoop, VirtualClock, Rc<Cell<u32>>) {
    let clock = VirtualClock::default();
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock.clone()));
    event_loop.set_debug(debug);
    let lines = Rc::new(Cell::new(0));
    let count = Rc::clone(&lines);
    event_loop.on_slow_callback(Some(move |_: &SlowCallback<'_>| count.set(count.get() + 1)));
    (event_loop, clock, lines)
}

/// Four callbacks in one turn, which block for 20, 99, 100 and 101 ms. How many lines do they leave?
///
/// # Errors
/// What the loop refuses.
pub fn four_blocks(debug: bool, threshold: Option<Duration>) -> Outcome<u32> {
    let (event_loop, clock, lines) = counted(debug);
    if let Some(threshold) = threshold {
        event_loop.set_slow_callback_duration(threshold);
    }
    for millis in [20, 99, 100, 101] {
        let clock = clock.clone();
        event_loop.call_soon(move || clock.advance(Duration::from_millis(millis)))?;
    }
    event_loop.run_once()?;
    Ok(lines.get())
}

/// A task blocks for 60 ms, sleeps for a second, blocks for 60 ms again. The threshold is 100 ms.
///
/// # Errors
/// What the loop refuses.
pub fn in_two_steps() -> Outcome<u32> {
    let (event_loop, clock, lines) = counted(true);
    event_loop.run_until_complete(async move {
        clock.advance(Duration::from_millis(60));
        sleep(Duration::from_secs(1)).await?;
        clock.advance(Duration::from_millis(60));
        Ok(())
    })?;
    Ok(lines.get())
}

/// Three callbacks in one turn, which block for 200 ms each. The second one switches debug mode
/// first, and blocks then. How many lines do the three leave?
///
/// # Errors
/// What the loop refuses.
pub fn switched_by_the_second(on: bool) -> Outcome<u32> {
    let (event_loop, clock, lines) = counted(!on);
    for number in 1..=3 {
        let (clock, same) = (clock.clone(), event_loop.clone());
        event_loop.call_soon(move || {
            if number == 2 {
                same.set_debug(on);
            }
            clock.advance(Duration::from_millis(200));
        })?;
    }
    event_loop.run_once()?;
    Ok(lines.get())
}

/// Three callbacks in one turn, in debug mode, which block for 200 ms each. The second one blocks
/// first, and sets the threshold to 300 ms then.
///
/// # Errors
/// What the loop refuses.
pub fn threshold_by_the_second() -> Outcome<u32> {
    let (event_loop, clock, lines) = counted(true);
    for number in 1..=3 {
        let (clock, same) = (clock.clone(), event_loop.clone());
        event_loop.call_soon(move || {
            clock.advance(Duration::from_millis(200));
            if number == 2 {
                same.set_slow_callback_duration(Duration::from_millis(300));
            }
        })?;
    }
    event_loop.run_once()?;
    Ok(lines.get())
}
