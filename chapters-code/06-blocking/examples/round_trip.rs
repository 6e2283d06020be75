//! `to_thread` of a no-op beside a bare hand-over, in turn: the quartiles of each, and their ratio.
//! Meaningful in release mode only; a scheduler has the last word in all of these figures.

#[path = "../benches/bare/mod.rs"]
mod bare;

use std::time::{Duration, Instant};

use bare::Bare;
use blocking::to_thread;
use six_steps::EventLoop;
use wakeup::Tasks;

const BATCHES: usize = 400;
const TRIPS: u32 = 200;

fn main() -> Result<(), String> {
    let bare = Bare::new().map_err(|e| e.to_string())?;
    let event_loop = EventLoop::new();
    let (mut of_bare, mut of_loop) = (Vec::new(), Vec::new());
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..TRIPS {
            bare.round_trip().map_err(|e| e.to_string())?;
        }
        of_bare.push(start.elapsed() / TRIPS);
        let trips = async {
            let start = Instant::now();
            for _ in 0..TRIPS {
                to_thread(|| ()).await?;
            }
            Ok(start.elapsed() / TRIPS)
        };
        of_loop.push(
            event_loop
                .run_until_complete(trips)
                .map_err(|e| e.to_string())?,
        );
    }
    event_loop.close().map_err(|e| e.to_string())?;
    of_bare.sort_unstable();
    of_loop.sort_unstable();
    println!("of {BATCHES} batches of {TRIPS}      bare   to_thread   ratio");
    for (name, place) in [
        ("the quickest", 0),
        ("a quarter below", BATCHES / 4),
        ("median", BATCHES / 2),
        ("three quarters", BATCHES * 3 / 4),
    ] {
        let (bare, ours) = (of_bare[place], of_loop[place]);
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        println!("{name:<18}{:>10}{:>12}{ratio:>8.2}", us(bare), us(ours));
    }
    Ok(())
}

fn us(time: Duration) -> String {
    format!("{:.2} µs", time.as_secs_f64() * 1e6)
}
