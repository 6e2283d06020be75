//! Three nested awaits: one poll when nothing suspends, and what one stop at the bottom adds.
//! The polls are those of the outer, the middle and the inner coroutine.

use suspension::{Polls, StillPending, finish, outer};

fn main() -> Result<(), StillPending> {
    for stops in 0..3 {
        let polls = Polls::default();
        let finished = finish(&mut Box::pin(outer(&polls, stops)), 10)?;
        println!(
            "stops at the bottom: {stops}, yields: {}, value: {}, polls: {:?}",
            finished.yields(),
            finished.value,
            polls.counts(),
        );
    }
    Ok(())
}
