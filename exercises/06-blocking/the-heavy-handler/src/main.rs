//! Totals a menu for each argument, all at once, beside a heartbeat of 10 ms. An argument is a number
//! of dishes; their names are 1, 2, 3 and so on.

use std::process::ExitCode;
use std::time::Duration;

use blocking::{Ending, Pulse, beside};
use the_heavy_handler::{BUDGET, total};
use wakeup::{Outcome, Tasks, gather};

fn run(menus: Vec<u32>) -> Outcome<()> {
    let (event_loop, _) = lesson::virtual_loop();
    let _threads = lesson::OtherThreads::of(&event_loop);
    let pulse = Pulse::every(Duration::from_millis(10));
    let totals = event_loop.create_future();
    let answer = totals.clone();
    let service = async move {
        let requests = menus
            .into_iter()
            .map(|dishes| total((1..=dishes).collect()));
        Ok(answer.set_result(gather(requests)?.await?)?)
    };
    event_loop.run_until_complete(beside(pulse.clone(), service, Ending::Flag))?;
    println!("totals: {:?}", totals.result()?);
    let kept = pulse.longest_gap() <= BUDGET;
    println!("within the budget: {}", if kept { "yes" } else { "no" });
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let menus: Result<Vec<u32>, _> = std::env::args().skip(1).map(|menu| menu.parse()).collect();
    let menus = menus
        .ok()
        .filter(|all| all.iter().all(|&dishes| dishes <= 10_000));
    let Some(menus) = menus else {
        eprintln!("a menu is a number of dishes, up to 10000: give one or two, such as 300 40");
        return ExitCode::FAILURE;
    };
    match run(menus) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the service ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
