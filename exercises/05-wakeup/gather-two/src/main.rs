//! Gathers a number and a name: `gather-two MS MS`. An `x` behind the milliseconds makes that one
//! fail. Prints what arrives, and when, on a virtual clock.

use std::process::ExitCode;
use std::time::Duration;

use gather_two::gather_two;
use six_steps::{EventLoop, Exception, VirtualClock, VirtualSelector};
use wakeup::{Outcome, Tasks, sleep};

async fn after<T>(clock: VirtualClock, word: String, name: &'static str, value: T) -> Outcome<T> {
    let (delay, fails) = match word.strip_suffix('x') {
        Some(delay) => (delay, true),
        None => (word.as_str(), false),
    };
    sleep(Duration::from_millis(delay.parse()?)).await?;
    let now = clock.time().as_millis();
    if fails {
        println!("  {now:>4} ms: {name} fails");
        return Err(Exception::error(format!("no {name}")));
    }
    println!("  {now:>4} ms: {name} is there");
    Ok(value)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Ok([first, second]) = <[String; 2]>::try_from(words) else {
        eprintln!("usage: gather-two MS MS, such as 20 30x");
        return ExitCode::from(2);
    };
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let ended = event_loop.run_until_complete(async move {
        let number = after(clock.clone(), first, "number", 42);
        let name = after(clock.clone(), second, "name", "Ada");
        let outcome = gather_two(number, name).await;
        let shown = match &outcome {
            Ok(both) => format!("{both:?}"),
            Err(exception) => exception.to_string(),
        };
        println!("  {:>4} ms: gathered: {shown}", clock.time().as_millis());
        // Whoever still goes on has a second to do so.
        sleep(Duration::from_secs(1)).await
    });
    match ended.and_then(|()| Ok(event_loop.close()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
