//! What `stop` leaves behind, and what it does before the loop runs.

use std::rc::Rc;

use six_steps::{EventLoop, LoopError, TurnCounter, VirtualSelector, running_loop};

fn main() -> Result<(), LoopError> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let report = || {
        let (turns, ready) = (turns.count(), event_loop.ready_len());
        println!("returned after turn {turns}, ready {ready}");
    };

    // ANCHOR: program
    event_loop.call_soon(|| {
        println!("  a: stop, and queue c");
        let here = running_loop()?;
        here.stop();
        here.call_soon(|| println!("  c")).map(drop)
    })?;
    event_loop.call_soon(|| println!("  b"))?;
    event_loop.run_forever()?;
    report();

    event_loop.stop();
    event_loop.run_forever()?;
    report();
    // ANCHOR_END: program
    Ok(())
}
