//! The five runs that the exercise asks about: a pulse and a worker, on a virtual clock. Not yours to
//! change.

use std::time::Duration;

use blocking::{Block, Ending, Manner, Pulse, beside, work};
use wakeup::{Outcome, Tasks, sleep};

/// What works beside the pulse.
#[derive(Debug, Clone, Copy)]
pub enum Worker {
    /// So many chunks of so many milliseconds, in one manner.
    Chunks(Manner, u32, u64),
    /// Sleeps 50 ms, blocks for 100 ms, sleeps 50 ms.
    BlocksOnce,
}

/// Lets a pulse beat every so many milliseconds beside a worker. Returns the moments of its ticks,
/// in milliseconds.
///
/// # Errors
/// What the worker ended with.
pub fn ticks(every: u64, worker: Worker, ending: Ending) -> Outcome<Vec<u64>> {
    let ms = Duration::from_millis;
    let (event_loop, block) = Block::on_virtual_clock();
    let pulse = Pulse::every(ms(every));
    let works = async move {
        match worker {
            Worker::Chunks(manner, chunks, chunk) => work(manner, chunks, ms(chunk), block).await,
            Worker::BlocksOnce => {
                sleep(ms(50)).await?;
                block.hold(ms(100));
                sleep(ms(50)).await
            }
        }
    };
    event_loop.run_until_complete(beside(pulse.clone(), works, ending))?;
    event_loop.close()?;
    let millis = |tick: Duration| u64::try_from(tick.as_millis()).unwrap_or(u64::MAX);
    Ok(pulse.ticks().into_iter().map(millis).collect())
}
