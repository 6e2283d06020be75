//! The mode and the threshold: what a block of 0.25 s leaves in the log, for every setting of both.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use debug_mode::{DebugMode, SlowCallback};
use six_steps::{EventLoop, LoopError, VirtualClock, VirtualSelector};

// ANCHOR: knobs
fn lines(debug: bool, threshold: Option<Duration>) -> Result<u32, LoopError> {
    let clock = VirtualClock::default();
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock.clone()));
    event_loop.set_debug(debug);
    if let Some(threshold) = threshold {
        event_loop.set_slow_callback_duration(threshold);
    }
    let lines = Rc::new(Cell::new(0));
    let count = Rc::clone(&lines);
    event_loop.on_slow_callback(Some(move |_: &SlowCallback<'_>| count.set(count.get() + 1)));

    event_loop.call_soon(move || clock.advance(Duration::from_millis(250)))?;
    event_loop.run_once()?;
    Ok(lines.get())
}
// ANCHOR_END: knobs

fn main() -> Result<(), LoopError> {
    let ms = Duration::from_millis;
    println!("            default  50 ms  250 ms  500 ms");
    for debug in [false, true] {
        let mode = if debug { "on " } else { "off" };
        print!("debug {mode}  ");
        for threshold in [None, Some(ms(50)), Some(ms(250)), Some(ms(500))] {
            print!("{:>8}", lines(debug, threshold)?);
        }
        println!();
    }
    Ok(())
}
