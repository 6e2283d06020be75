//! What prints? The question of the page, with its answer.

use suspension::{step, suspend_once};

// ANCHOR: quiz
async fn visit(name: &str) {
    println!("{name}: in");
    suspend_once().await;
    println!("{name}: out");
}

fn main() {
    let first = visit("first");
    let mut both = Box::pin(async {
        let second = visit("second");
        println!("both: made second");
        second.await;
        println!("both: done");
    });
    println!("main: nothing stepped");
    step(&mut both);
    println!("main: one step");
    step(&mut both);
    println!("main: two steps");
    drop(first);
}
// ANCHOR_END: quiz
