//! Turns to count system calls by: what a turn asks of the system, and nothing else.
//!
//! ```console
//! $ strace -f -c cargo run -p six-steps --example one_call_a_turn -- idle 1000
//! ```
//!
//! | mode | does | system calls |
//! |---|---|---|
//! | `lone N` | N turns of a callback that queues itself again, nothing registered | none |
//! | `idle N` | the same with an idle descriptor registered | N `epoll_pwait2` |
//! | `sleep N` | N turns that each sleep for a timer | N `epoll_pwait2` |
//! | `post N` | another thread posts N callbacks while the loop is in one turn | 1 `write` to the eventfd |
//!
//! Each writes its number of turns to standard output, after the last one.

use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, LoopError, Source, TurnCounter, running_loop};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let n = arguments.next().and_then(|n| n.parse().ok());
    let Some(n) = n else {
        eprintln!("usage: one_call_a_turn lone|idle|sleep|post N");
        return ExitCode::from(2);
    };
    match run(&mode, n) {
        Ok(turns) => {
            println!("{turns} turns");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("one_call_a_turn: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mode: &str, n: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let event_loop = EventLoop::new();
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let (ours, _theirs) = UnixStream::pair()?;
    match mode {
        "lone" => again(&event_loop, n)?,
        "idle" => {
            event_loop.add_reader(Source::new(ours), || ())?;
            again(&event_loop, n)?;
        }
        "sleep" => sleep(&event_loop, n)?,
        "post" => post(&event_loop, n)?,
        _ => return Err(format!("`{mode}` is not lone, idle, sleep or post").into()),
    }
    event_loop.run_forever()?;
    Ok(turns.count())
}

/// Queues a callback that queues itself again, for `n` turns in all.
fn again(event_loop: &EventLoop, n: u64) -> Result<(), LoopError> {
    let own = event_loop.clone();
    let next = move || match n {
        1 => {
            own.stop();
            Ok(())
        }
        _ => again(&own, n - 1),
    };
    event_loop.call_soon(next).map(drop)
}

/// Sleeps `n` times, a turn each.
fn sleep(event_loop: &EventLoop, n: u64) -> Result<(), LoopError> {
    let own = event_loop.clone();
    let next = move || match n {
        1 => {
            own.stop();
            Ok(())
        }
        _ => sleep(&own, n - 1),
    };
    let delay = Duration::from_millis(1);
    event_loop.call_later(delay, next).map(drop)
}

/// Posts `n` callbacks from another thread while a callback waits for it; the last one stops.
fn post(event_loop: &EventLoop, n: u64) -> Result<(), LoopError> {
    // Once asleep, so that the loop has something to be woken by.
    sleep_once(event_loop)?;
    let hatch = event_loop.hatch();
    let burst = move || {
        (1..=n).try_for_each(|i| {
            hatch.call_soon_threadsafe(move || {
                if i == n
                    && let Ok(event_loop) = running_loop()
                {
                    event_loop.stop();
                }
            })
        })
    };
    let delay = Duration::from_micros(100);
    let wait = move || std::thread::spawn(burst).join().unwrap_or(Ok(()));
    event_loop.call_later(delay, wait).map(drop)
}

fn sleep_once(event_loop: &EventLoop) -> Result<(), LoopError> {
    event_loop
        .call_later(Duration::from_micros(50), || ())
        .map(drop)
}
