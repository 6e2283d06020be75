//! Runs a coroutine for each argument, on one runner, and closes it: `nap` sleeps for 10 ms, `stay`
//! leaves a task behind, `fail` fails, any other word is the coroutine's result.

use std::cell::Cell;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use reuse_the_loop::Runner;
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Outcome, create_task, sleep};

async fn stays() -> Outcome<()> {
    let outcome = sleep(Duration::from_hours(1)).await;
    println!("the task that stayed: {}", outcome.is_err());
    outcome
}

async fn command(word: String) -> Outcome<String> {
    match word.as_str() {
        "nap" => sleep(Duration::from_millis(10)).await?,
        "stay" => drop(create_task(stays())?),
        "fail" => return Err(six_steps::Exception::error("failed")),
        _ => {}
    }
    Ok(word)
}

fn main() -> ExitCode {
    let loops = Rc::new(Cell::new(0));
    let made = Rc::clone(&loops);
    let mut runner = Runner::new(move || {
        made.set(made.get() + 1);
        EventLoop::with_selector(VirtualSelector::new())
    });
    for word in std::env::args().skip(1) {
        match runner.run(command(word)) {
            Ok(word) => println!("{word}: done"),
            Err(exception) => println!("{exception}"),
        }
    }
    let event_loop = runner.event_loop().cloned();
    if let Err(exception) = runner.close() {
        eprintln!("the end failed: {exception}");
        return ExitCode::FAILURE;
    }
    let closed = event_loop.is_none_or(|event_loop| event_loop.is_closed());
    println!("loops made: {}, all closed: {closed}", loops.get());
    ExitCode::SUCCESS
}
