//! A ticking clock: one line a second, on the second, until Ctrl-C.
//!
//! ```console
//! $ cargo run -p the-loop --example clock
//! $ cargo run -p the-loop --example clock -- 3     # three ticks, then the end
//! ```

use std::process::ExitCode;
use std::time::Duration;

use the_loop::{Exception, Interrupted, Outcome, run, running_loop, sleep};

/// Calls `show` once every `every`, `ticks` times, with the time since the start.
///
/// It sleeps until the next mark, and not for `every`: what `show` takes would add up, and the
/// clock would fall behind.
async fn tick(every: Duration, ticks: u32, mut show: impl FnMut(Duration)) -> Outcome<()> {
    let event_loop = running_loop()?;
    let start = event_loop.time();
    for tick in 1..=ticks {
        let mark = start + every * tick;
        sleep(mark.saturating_sub(event_loop.time())).await?;
        show(event_loop.time().saturating_sub(start));
    }
    Ok(())
}

fn main() -> ExitCode {
    let ticks = match std::env::args().nth(1).map(|ticks| ticks.parse()) {
        None => u32::MAX,
        Some(Ok(ticks)) => ticks,
        Some(Err(_)) => {
            eprintln!("usage: clock [TICKS], where TICKS is a whole number");
            return ExitCode::from(2);
        }
    };
    let ended = run(async move {
        tick(Duration::from_secs(1), ticks, |since| {
            println!("{:6.3} s", since.as_secs_f64());
        })
        .await
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Ctrl-C cancelled the clock, and the loop was closed in order all the same.
        Err(e) if e.downcast_ref::<Interrupted>().is_some() => {
            println!("stopped");
            ExitCode::SUCCESS
        }
        Err(e) => failed(&e),
    }
}

fn failed(exception: &Exception) -> ExitCode {
    eprintln!("clock: {exception}");
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use the_loop::{EventLoop, VirtualSelector, prelude::*};

    use super::*;

    /// When the ticks come, where showing each takes this long.
    fn ticks(showing_takes: Duration) -> Vec<Duration> {
        let selector = VirtualSelector::new();
        let clock = selector.clock();
        let event_loop = EventLoop::with_selector(selector);
        let seen = Rc::new(RefCell::new(Vec::new()));
        let ticks = Rc::clone(&seen);
        event_loop
            .run_until_complete(tick(Duration::from_secs(1), 3, move |since| {
                ticks.borrow_mut().push(since);
                clock.advance(showing_takes);
            }))
            .unwrap();
        seen.take()
    }

    #[test]
    fn it_does_not_fall_behind() {
        let seconds = |marks: [u64; 3]| marks.map(Duration::from_secs);
        assert_eq!(ticks(Duration::ZERO), seconds([1, 2, 3]));
        assert_eq!(ticks(Duration::from_millis(300)), seconds([1, 2, 3]));
    }

    #[test]
    fn a_tick_that_takes_too_long_makes_the_next_one_late_and_no_other() {
        let late = ticks(Duration::from_millis(1_200));
        assert_eq!(late, [1_000, 2_200, 3_400].map(Duration::from_millis));
    }
}
