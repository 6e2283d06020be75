//! What runs before what: callbacks of the last turn, descriptors, timers.

use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, LoopError, Recorder, VirtualSelector, running_loop};

fn main() -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let door = selector.readable_at(Duration::ZERO);
    let event_loop = EventLoop::with_selector(selector);
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());

    // ANCHOR: program
    event_loop.call_soon(move || {
        let here = running_loop()?;
        here.call_later(Duration::ZERO, timer)?;
        here.add_reader(door, reader)?;
        here.call_soon(soon)?;
        Ok::<(), LoopError>(())
    })?;
    // ANCHOR_END: program
    event_loop.run_forever()?;

    for (turn, record) in (1..).zip(recorder.turns()) {
        let names: Vec<&str> = record.ran.iter().map(|name| short(name)).collect();
        println!("turn {turn}: {}", names.join(", "));
    }
    Ok(())
}

fn soon() -> Result<(), LoopError> {
    running_loop()?.stop();
    Ok(())
}

fn reader() {}

fn timer() {}

/// A handle is named after what it calls, such as `order_in_a_turn::soon()`.
fn short(name: &str) -> &str {
    match name.strip_prefix("order_in_a_turn::") {
        Some("main::{{closure}}()") => "first",
        Some(function) => function.trim_end_matches("()"),
        None => name,
    }
}
