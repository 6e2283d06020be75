//! Serves the orders that are its arguments, beside a heartbeat of 20 ms, on a virtual clock.

use std::process::ExitCode;
use std::time::Duration;

use blocking::{Ending, Pulse, beside};
use the_frozen_service::serve;
use wakeup::{Outcome, Tasks};

fn run(orders: Vec<u32>) -> Outcome<()> {
    let (event_loop, clock) = lesson::virtual_loop();
    let threads = lesson::OtherThreads::of(&event_loop);
    let pulse = Pulse::every(Duration::from_millis(20));
    let answers = event_loop.create_future();
    let served = answers.clone();
    let service = async move { Ok(served.set_result(serve(orders).await?)?) };
    event_loop.run_until_complete(beside(pulse.clone(), service, Ending::Cancel))?;
    for answer in answers.result()? {
        match answer {
            Ok(receipt) => println!("order {}: receipt {}", receipt.order, receipt.number),
            Err(exception) => println!("no receipt: {exception}"),
        }
    }
    println!(
        "served after {} ms, longest gap of the heartbeat {} ms, jobs for other threads: {}",
        clock.time().as_millis(),
        pulse.longest_gap().as_millis(),
        threads.jobs()
    );
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let orders: Result<Vec<u32>, _> = std::env::args()
        .skip(1)
        .map(|order| order.parse())
        .collect();
    let Ok(orders) = orders else {
        eprintln!("an order is a number: give the orders that come together, such as 1 2 3");
        return ExitCode::FAILURE;
    };
    match run(orders) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the service ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
