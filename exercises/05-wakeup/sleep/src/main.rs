//! Sleeps side by side on a virtual clock: `sleep NAME:MS…`. `NAME:MS!AT` is cancelled at the
//! millisecond AT. Prints who wakes when, and the moment at which the loop has nothing left to do.

use std::process::ExitCode;
use std::time::Duration;

use six_steps::{EventLoop, Exception, VirtualSelector};
use sleep::sleep;
use wakeup::{Tasks, gather_return_exceptions};

fn milliseconds(word: &str) -> Result<Duration, Exception> {
    Ok(Duration::from_millis(word.parse()?))
}

fn run(words: impl Iterator<Item = String>) -> Result<(), Exception> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let mut sleepers = Vec::new();
    for word in words {
        let (name, times) = word.split_once(':').ok_or("a sleeper is NAME:MS")?;
        let (delay, cancelled_at) = match times.split_once('!') {
            Some((delay, at)) => (delay, Some(milliseconds(at)?)),
            None => (times, None),
        };
        let (name, delay, clock) = (name.to_owned(), milliseconds(delay)?, clock.clone());
        let task = event_loop.create_task(async move {
            let slept = sleep(delay).await;
            let how = if slept.is_ok() {
                "wakes"
            } else {
                "is cancelled"
            };
            println!("  {:>5} ms: {name} {how}", clock.time().as_millis());
            slept
        })?;
        if let Some(at) = cancelled_at {
            let task = task.clone();
            event_loop.call_later(at, move || {
                task.cancel();
            })?;
        }
        sleepers.push(task);
    }
    event_loop.run_until_complete(async { gather_return_exceptions(sleepers)?.await })?;
    println!("  {:>5} ms: all are back", clock.time().as_millis());
    // One more turn sweeps what was cancelled.
    event_loop.stop();
    event_loop.run_forever()?;
    println!("timers left: {}", event_loop.scheduled_len());
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("usage: sleep NAME:MS… or NAME:MS!AT ({error})");
            ExitCode::from(2)
        }
    }
}
