//! Drives a coroutine that suspends, and prints what the driver says: `drive-it SUSPENSIONS LIMIT…`.
//! Each further limit drives the same coroutine on from where the one before left it.

use std::pin::{Pin, pin};
use std::process::ExitCode;
use std::task::{Context, Poll};

use drive_it::{Finished, GaveUp, drive};

/// Pending this many times, and never wakes anybody.
struct Suspends(u32);

impl Future for Suspends {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

async fn brew(suspensions: u32) -> String {
    println!("  the kettle is on");
    Suspends(suspensions).await;
    println!("  the tea is ready");
    format!("tea after {suspensions} suspensions")
}

fn main() -> ExitCode {
    let numbers: Result<Vec<u32>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let Ok([suspensions, limits @ ..]) = numbers.as_deref() else {
        eprintln!("usage: drive-it SUSPENSIONS LIMIT… (whole numbers)");
        return ExitCode::from(2);
    };
    let mut coroutine = pin!(brew(*suspensions));
    for &limit in limits {
        println!("at most {limit}:");
        match drive(coroutine.as_mut(), limit) {
            Ok(Finished { polls, value }) => {
                println!("returned {value:?} at poll {polls}");
                return ExitCode::SUCCESS;
            }
            Err(GaveUp { polls }) => println!("gave up after {polls} polls"),
        }
    }
    ExitCode::FAILURE
}
