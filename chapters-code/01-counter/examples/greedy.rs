//! A wrong turn: "while there is a slip, do it". One task that always comes back owns the loop.

use std::collections::VecDeque;
use std::iter;
use std::time::Duration;

use counter::{Clock, RealClock, Task, ToyLoop};

const LIMIT: usize = 1_000;

// ANCHOR: greedy
/// Runs what is ready until nothing is, and only then looks at the hatch.
fn greedy(ready: &mut VecDeque<Task>, clock: &mut RealClock) {
    let mut steps = 0;
    loop {
        while let Some(mut task) = ready.pop_front() {
            if steps == LIMIT {
                println!(
                    "greedy: {LIMIT} steps, all of them {}'s; giving up",
                    task.name()
                );
                return;
            }
            steps += 1;
            if task.step().is_some() {
                ready.push_back(task);
            }
        }
        if !clock.wait(None, ready) {
            return;
        }
    }
}
// ANCHOR_END: greedy

fn main() {
    let selfish = || iter::repeat(Duration::ZERO);
    let letter = |by: &'static str| {
        iter::once_with(move || {
            println!("{by}: the letter is read");
            Duration::ZERO
        })
    };

    let (mut clock, hatch) = RealClock::with_hatch();
    hatch
        .post("letter", letter("greedy"))
        .expect("the clock is alive");
    greedy(
        &mut VecDeque::from([Task::new("selfish", selfish())]),
        &mut clock,
    );

    let (clock, hatch) = RealClock::with_hatch();
    hatch
        .post("letter", letter("rounds"))
        .expect("the clock is alive");
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("selfish", selfish());
    for _ in 0..3 {
        toy.round();
    }
    println!("rounds: after 3 rounds, {} task ready", toy.ready());
}
