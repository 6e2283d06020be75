//! The empty program, turn by turn.

use std::rc::Rc;

use runner::{Phase, Runner};
use six_steps::{EventLoop, Exception, Recorder};

// ANCHOR: six_turns
fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());

    let mut runner = Runner::with_loop(event_loop);
    runner.run(async { Ok(()) })?;
    let turns = Rc::clone(&recorder);
    let turns_so_far = move || turns.turns().len();
    println!("main is over after {} turns", turns_so_far());
    runner.close_observed(|phase: Phase| {
        println!("{phase:?} begins after {} turns", turns_so_far());
    })?;

    for (turn, record) in (1..).zip(recorder.turns()) {
        println!("turn {turn}: {}", record.ran.join(", "));
    }
    Ok(())
}
// ANCHOR_END: six_turns
