//! The pulse beside the worker that yields, turn by turn, on the virtual clock: where the three
//! turns of a tick are. `--cancel` ends the pulse by a cancellation.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, Ending, Manner, Pulse, beside, work};
use runner::Runner;
use six_steps::Recorder;

fn main() -> Result<(), String> {
    let cancel = std::env::args().any(|argument| argument == "--cancel");
    let ending = if cancel { Ending::Cancel } else { Ending::Flag };
    let (event_loop, block) = Block::on_virtual_clock();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let pulse = Pulse::every(Duration::from_millis(10));
    let worker = work(Manner::Yielding, 10, Duration::from_millis(100), block);
    let mut runner = Runner::with_loop(event_loop);
    let ran = runner.run(beside(Rc::clone(&pulse), worker, ending));
    ran.map_err(|e| e.to_string())?;

    println!("turn  starts at  ran");
    for (number, turn) in (1..).zip(recorder.turns()) {
        let starts = turn.started.as_millis();
        println!("{number:>4}  {starts:>6} ms  {}", turn.ran.join(", "));
    }
    let ticks: Vec<u128> = pulse.ticks().iter().map(Duration::as_millis).collect();
    println!("ticks at {ticks:?} ms");
    Ok(())
}
