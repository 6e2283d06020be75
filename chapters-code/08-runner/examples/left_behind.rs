//! The wrong turn: a `run` for each request ends everything that the last one left to run.

use std::cell::RefCell;
use std::time::Duration;

use runner::Runner;
use six_steps::{EventLoop, Exception, VirtualSelector};
use wakeup::{Outcome, create_task, sleep};

const MINUTE: Duration = Duration::from_mins(1);

thread_local! {
    static MENU: RefCell<String> = RefCell::default();
}

// ANCHOR: requests
/// The first request starts it; it is to keep the menu fresh for those that follow.
async fn refresh_menu() -> Outcome<()> {
    for day in 1.. {
        MENU.set(format!("menu {day}"));
        if let Err(exception) = sleep(MINUTE).await {
            println!("  refresh_menu: {exception}");
            return Err(exception);
        }
    }
    Ok(())
}

async fn request(first: bool) -> Outcome<String> {
    if first {
        create_task(refresh_menu())?;
    }
    sleep(Duration::from_secs(130)).await?;
    Ok(MENU.with_borrow(String::clone))
}
// ANCHOR_END: requests

fn virtual_runner() -> Runner {
    Runner::new().with_loop_factory(|| EventLoop::with_selector(VirtualSelector::new()))
}

fn main() -> Result<(), Exception> {
    println!("a run for each request:");
    for number in 1..=3 {
        let mut runner = virtual_runner();
        let answer = runner.run(request(number == 1))?;
        runner.close()?;
        println!("  request {number}: {answer}");
    }
    println!("one runner:");
    let mut runner = virtual_runner();
    for number in 1..=3 {
        let answer = runner.run(request(number == 1))?;
        println!("  request {number}: {answer}");
    }
    runner.close()
}
