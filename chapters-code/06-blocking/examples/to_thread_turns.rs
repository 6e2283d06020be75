//! One `to_thread` in a whole run: ten turns, and what each of them ran. The thread is a real one;
//! how long it takes changes nothing here.

use std::rc::Rc;

use blocking::to_thread;
use runner::Runner;
use six_steps::{EventLoop, Recorder};

fn main() -> Result<(), String> {
    let event_loop = EventLoop::new();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let mut runner = Runner::with_loop(event_loop);
    // ANCHOR: to_thread
    let sum = runner.run(to_thread(|| (1..=1_000_u64).sum::<u64>()));
    let closed = runner.close();
    // ANCHOR_END: to_thread
    let sum = sum.map_err(|e| e.to_string())?;
    closed.map_err(|e| e.to_string())?;

    for (number, turn) in (1..).zip(recorder.turns()) {
        let ran: Vec<&str> = turn.ran.iter().map(|name| short(name)).collect();
        println!("turn {number:>2}: {}", ran.join(", "));
    }
    println!("result: {sum}");
    Ok(())
}

/// A closure by the function it stands in.
fn short(name: &str) -> &str {
    let function = name.trim_end_matches("::{{closure}}()");
    function.rsplit("::").next().unwrap_or(name)
}
