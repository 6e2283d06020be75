use std::time::Duration;

use the_loop::{EventLoop, Outcome, running_loop};

fn early() {}

fn tea() {
    println!("tea");
}

fn late() {}

fn end() -> Outcome<()> {
    running_loop()?.stop();
    Ok(())
}

fn main() -> Outcome<()> {
    let event_loop = EventLoop::new();
    let early_handle = event_loop.call_later(Duration::from_millis(5), early)?;
    event_loop.call_later(Duration::from_millis(10), tea)?;
    let late_handle = event_loop.call_later(Duration::from_millis(15), late)?;
    event_loop.call_later(Duration::from_millis(20), end)?;
    early_handle.cancel();
    late_handle.cancel();
    event_loop.run_forever()?;
    event_loop.close()?;
    Ok(())
}
