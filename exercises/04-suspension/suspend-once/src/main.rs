//! Runs coroutines that suspend, round after round: `suspend-once NAME=SUSPENSIONS…`. In a round
//! each coroutine that was woken is polled once, so one that forgets to wake is never polled again.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use suspend_once::{suspend_once, suspend_times};

/// Up when its coroutine is to be polled.
struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

async fn brew(suspensions: u32) -> u32 {
    match suspensions {
        1 => suspend_once().await,
        times => suspend_times(times).await,
    }
    suspensions
}

fn main() -> ExitCode {
    let mut coroutines = Vec::new();
    for word in std::env::args().skip(1) {
        let parsed = word
            .split_once('=')
            .and_then(|(name, times)| Some((name.to_owned(), times.parse().ok()?)));
        let Some((name, times)) = parsed else {
            eprintln!("usage: suspend-once NAME=SUSPENSIONS… (`{word}` is not one)");
            return ExitCode::from(2);
        };
        let bell = Arc::new(Bell(AtomicBool::new(true)));
        coroutines.push((name, bell, Box::pin(brew(times))));
    }
    let mut round = 0;
    while coroutines
        .iter()
        .any(|(_, bell, _)| bell.0.load(Ordering::Acquire))
    {
        round += 1;
        coroutines.retain_mut(|(name, bell, coroutine)| {
            if !bell.0.swap(false, Ordering::AcqRel) {
                return true;
            }
            let waker = Waker::from(Arc::clone(bell));
            match coroutine.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => println!("round {round}: {name} suspends"),
                Poll::Ready(times) => {
                    println!("round {round}: {name} ends after {times}");
                    return false;
                }
            }
            true
        });
    }
    for (name, ..) in &coroutines {
        println!("{name} was never woken");
    }
    ExitCode::SUCCESS
}
