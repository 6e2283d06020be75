//! Coroutines that were made and never polled. The first one is found by the compiler; these two
//! hide from it, one in a list and one in a variable.

use debug_mode::{DebugMode, coroutine};
use six_steps::{EventLoop, Exception};
use wakeup::{Outcome, Tasks, yield_now};

// ANCHOR: forgotten
async fn wash_up(cups: u32) -> Outcome<u32> {
    yield_now().await?;
    Ok(cups)
}

async fn evening() -> Outcome<()> {
    let jobs = [coroutine(wash_up(12))];
    let last = coroutine(wash_up(1));
    if jobs.len() > 1 {
        last.await?; // never reached
    }
    Ok(())
}
// ANCHOR_END: forgotten

fn main() -> Result<(), Exception> {
    for debug in [false, true] {
        eprintln!("debug mode: {debug}");
        let event_loop = EventLoop::new();
        event_loop.set_debug(debug);
        event_loop.run_until_complete(evening())?;
    }
    Ok(())
}
