//! An evening that leaves behind what its arguments say, and its end: `guest`, `slow-guest`, `till`
//! (a generator), `spill` (a task that fails as it is cancelled), `fire` (one that leaves the loop).

use std::process::ExitCode;
use std::time::Duration;

use an_orderly_end::end;
use runner::AsyncGenerator;
use six_steps::{EventLoop, Exception, ExceptionContext, VirtualSelector};
use wakeup::{Outcome, Tasks, create_task, sleep, yield_now};

async fn stays(what: String) -> Outcome<()> {
    let Err(shown_out) = sleep(Duration::from_hours(1)).await else {
        return Ok(());
    };
    match what.as_str() {
        "spill" => return Err(Exception::error("the soup is spilt")),
        "fire" => return Err(Exception::exit("the house is on fire")),
        "slow-guest" => sleep(Duration::from_mins(5)).await?,
        _ => {}
    }
    println!("{what} pays and leaves");
    Err(shown_out)
}

async fn evening(left: Vec<String>) -> Outcome<()> {
    for what in left {
        if what == "till" {
            AsyncGenerator::open("till", async {
                yield_now().await?;
                println!("the till is counted");
                Ok(())
            })?;
        } else {
            create_task(stays(what))?;
        }
    }
    yield_now().await
}

fn main() -> ExitCode {
    let left: Vec<String> = std::env::args().skip(1).collect();
    let known = ["guest", "slow-guest", "till", "spill", "fire"];
    if let Some(other) = left.iter().find(|word| !known.contains(&word.as_str())) {
        eprintln!("{other}? what is left is one of: {}", known.join(", "));
        return ExitCode::FAILURE;
    }
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    event_loop.set_exception_handler(Some(
        |_: &EventLoop, context: &ExceptionContext| match &context.exception {
            Some(exception) => println!("{}: {exception}", context.message),
            None => println!("{}", context.message),
        },
    ));
    if let Err(exception) = event_loop.run_until_complete(evening(left)) {
        eprintln!("the evening ended: {exception}");
        return ExitCode::FAILURE;
    }
    match end(&event_loop) {
        Ok(()) => println!("the end"),
        Err(exception) => println!("an early end: {exception}"),
    }
    println!("locked: {}", event_loop.is_closed());
    ExitCode::SUCCESS
}
