//! Two tasks take turns: in each round every task that is ready runs one step.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use counter::ToyLoop;

// ANCHOR: turns
fn main() {
    let round = Rc::new(Cell::new(1));
    let mut toy = ToyLoop::new();
    for name in ["A", "B"] {
        let round = Rc::clone(&round);
        toy.spawn(
            name,
            (1..=2).map(move |step| {
                println!("round {}: {name}{step}", round.get());
                Duration::ZERO
            }),
        );
    }

    while toy.round() {
        println!(
            "round {} over: {} ready for the next",
            round.get(),
            toy.ready()
        );
        round.set(round.get() + 1);
    }
}
// ANCHOR_END: turns
