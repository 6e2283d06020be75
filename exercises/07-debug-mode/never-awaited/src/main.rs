//! One evening in debug mode. Three arguments are the numbers of cups, plates and pans.

use std::process::ExitCode;

use debug_mode::DebugMode;
use never_awaited::{Done, evening};
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Outcome, Tasks};

fn run(cups: u32, plates: u32, pans: u32) -> Outcome<()> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    event_loop.set_debug(true);
    let done = Done::default();
    let outcome = event_loop.run_until_complete(evening(Done::clone(&done), cups, plates, pans));
    println!("done: {}", done.borrow().join(", "));
    match outcome {
        Ok(washed) => println!("washed: {washed} pieces"),
        Err(exception) => println!("the evening ended: {exception}"),
    }
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let numbers: Result<Vec<u32>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let (cups, plates, pans) = match numbers.as_deref() {
        Ok([]) => (12, 8, 3),
        Ok(&[cups, plates, pans]) => (cups, plates, pans),
        _ => {
            eprintln!("give the numbers of cups, plates and pans, such as 12 8 3, or nothing");
            return ExitCode::FAILURE;
        }
    };
    match run(cups, plates, pans) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the loop ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
