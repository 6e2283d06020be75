//! Sends letters of 2 ms each and prints when the timers ring: `letters=100` hands in so
//! many letters, `beat=50` sets a timer that rings every 50 ms until the outbox is empty.

use std::process::ExitCode;
use std::time::Duration;

use six_steps::{EventLoop, LoopError, VirtualSelector};
use the_starving_loop::Outbox;

const LETTER: Duration = Duration::from_millis(2);

/// Sets the timer that says the service is alive, for the `number`th time.
fn beat(
    event_loop: &EventLoop,
    outbox: &Outbox,
    number: u32,
    every: Duration,
) -> Result<(), LoopError> {
    let (event_loop, outbox) = (event_loop.clone(), outbox.clone());
    let due = every * number;
    let setter = event_loop.clone();
    let ring = move || {
        let late = event_loop.time().saturating_sub(due);
        let verdict = if late <= LETTER * 2 {
            "in time".to_owned()
        } else {
            format!("{} ms late", late.as_millis())
        };
        println!("alive, due at {} ms: {verdict}", due.as_millis());
        if outbox.waiting() == 0 {
            event_loop.stop();
            return Ok(());
        }
        beat(&event_loop, &outbox, number + 1, every)
    };
    setter.call_at(due, ring).map(drop)
}

fn serve(letters: u64, every: Duration) -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let outbox = Outbox::new(&event_loop);
    for _ in 0..letters {
        let clock = clock.clone();
        outbox.hand_in(move || clock.advance(LETTER))?;
    }
    beat(&event_loop, &outbox, 1, every)?;
    event_loop.run_forever()?;
    println!("letters left: {}", outbox.waiting());
    event_loop.close()
}

fn main() -> ExitCode {
    let (mut letters, mut every) = (100, 50);
    for argument in std::env::args().skip(1) {
        let (target, number) = match argument.split_once('=') {
            Some(("letters", number)) => (&mut letters, number),
            Some(("beat", number)) => (&mut every, number),
            _ => (&mut letters, ""),
        };
        match number.parse() {
            Ok(number) if (1..=10_000).contains(&number) => *target = number,
            _ => {
                eprintln!("{argument} means nothing: write letters=100 or beat=50, at most 10000");
                return ExitCode::FAILURE;
            }
        }
    }
    if let Err(error) = serve(letters, Duration::from_millis(every)) {
        eprintln!("the service failed: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
