//! A program to interrupt: press Ctrl-C once, or twice.

use std::process::ExitCode;
use std::time::Duration;

use runner::Interrupted;
use six_steps::Exception;
use wakeup::{Outcome, sleep};

// ANCHOR: kettle
async fn kettle() -> Outcome<()> {
    println!("heating; Ctrl-C to stop");
    let heated = sleep(Duration::from_mins(1)).await;
    if let Err(Exception::Cancelled) = heated {
        println!("switching off, 3 seconds; Ctrl-C again to drop everything");
        sleep(Duration::from_secs(3)).await?;
        println!("off");
    }
    heated
}

fn main() -> ExitCode {
    match runner::run(kettle()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if e.downcast_ref::<Interrupted>().is_some() => Interrupted::EXIT_CODE.into(),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
// ANCHOR_END: kettle
