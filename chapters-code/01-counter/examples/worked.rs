//! Three tasks that sleep: they end in the order of their total sleep, not of their start.

use std::time::Duration;

use counter::{Clock, ToyLoop};

// ANCHOR: worked
fn main() {
    let second = Duration::from_secs(1);
    let mut toy = ToyLoop::new();
    toy.spawn("A", [second * 3]);
    toy.spawn("B", [second]);
    toy.spawn("C", [second, second]);

    println!("round  clock  ready  waiting");
    let mut round = 0;
    while toy.round() {
        round += 1;
        let clock = toy.clock().now().as_secs();
        println!("{round:5} {clock:5}s {:6} {:8}", toy.ready(), toy.waiting());
    }

    for end in toy.run() {
        println!("{} ends at {}s", end.name, end.at.as_secs());
    }
}
// ANCHOR_END: worked
