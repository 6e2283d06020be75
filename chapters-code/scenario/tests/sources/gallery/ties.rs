use std::time::Duration;

use the_loop::{EventLoop, Outcome, running_loop};

fn a() {}

fn b() {}

fn c() {}

fn d() -> Outcome<()> {
    running_loop()?.stop();
    Ok(())
}

fn main() -> Outcome<()> {
    let event_loop = EventLoop::new();
    let start = event_loop.time();
    event_loop.call_at(start + Duration::from_millis(5), a)?;
    event_loop.call_at(start + Duration::from_millis(5), b)?;
    event_loop.call_at(start + Duration::from_millis(5), c)?;
    event_loop.call_at(start + Duration::from_millis(5), d)?;
    event_loop.run_forever()?;
    event_loop.close()?;
    Ok(())
}
