//! One coroutine twice, the compiler's and the hand-written, stepped side by side.

use std::cell::RefCell;

use suspension::{Step, Tally, step, tally};

fn main() {
    let (left, right) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let mut compiled = Box::pin(tally(|line| left.borrow_mut().push(line), 40));
    let mut by_hand = Box::pin(Tally::new(|line| right.borrow_mut().push(line), 40));

    println!("made: {}", by_hand.state());
    for number in 1..=3 {
        let steps: [Step<u32>; 2] = [step(&mut compiled), step(&mut by_hand)];
        let notes = [left.take(), right.take()];
        println!("step {number}, compiled: {:?} {:?}", steps[0], notes[0]);
        println!(
            "step {number}, by hand:  {:?} {:?}, now {}",
            steps[1],
            notes[1],
            by_hand.state()
        );
    }
}
