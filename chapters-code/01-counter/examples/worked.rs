//! Three tasks that sleep: they end in the order of their total sleep, not of their start.

use std::iter;
use std::time::Duration;

use counter::{Clock, ToyLoop};

const SECOND: Duration = Duration::from_secs(1);

// ANCHOR: worked
fn main() {
    let mut toy = ToyLoop::new();
    toy.spawn("A", telling("A", vec![SECOND * 3]));
    toy.spawn("B", telling("B", vec![SECOND]));
    toy.spawn("C", telling("C", vec![SECOND, SECOND]));

    for round in 1.. {
        if !toy.round() {
            break;
        }
        let (clock, waiting) = (toy.clock().now().as_secs(), toy.waiting());
        println!("round {round} over: clock at {clock}s, {waiting} waiting");
    }
    for end in toy.run() {
        println!("({}, {})", end.at.as_secs(), end.name);
    }
}

/// Sleeps as told, and says so.
fn telling(name: &'static str, delays: Vec<Duration>) -> impl Iterator<Item = Duration> {
    let ended = iter::from_fn(move || {
        println!("  {name} ends");
        None
    });
    delays
        .into_iter()
        .inspect(move |delay| println!("  {name} sleeps {delay:?}"))
        .chain(ended)
}
// ANCHOR_END: worked
