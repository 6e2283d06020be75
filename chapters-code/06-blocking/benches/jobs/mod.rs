//! Jobs handed to another thread, and the loop's own work on tasks that block.

use std::time::Duration;

use blocking::{Block, Manner, run_in_executor, to_thread, work};
use rows::{cpu, wall};
use six_steps::EventLoop;
use wakeup::{Tasks, gather};

use super::bare::Bare;

/// Round trips of a batch: one alone would tell of the scheduler's mood.
pub(crate) const TRIPS: u64 = 100;

/// Reproduces "`to_thread` round trip" (A16): a no-op on another thread and back, one at a time.
pub(crate) fn round_trip() -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    move |batches| {
        let trips = async move {
            for _ in 0..batches * TRIPS {
                to_thread(|| ()).await?;
            }
            Ok(())
        };
        wall(|| event_loop.run_until_complete(trips).unwrap())
    }
}

pub(crate) fn round_trip_by_hand() -> impl FnMut(u64) -> Duration {
    let bare = Bare::new().unwrap();
    move |batches| wall(|| (0..batches * TRIPS).for_each(|_| bare.round_trip().unwrap()))
}

/// Reproduces "1,000 jobs at once": all handed over, and all their results back.
pub(crate) fn thousand() -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    let batch = move || {
        let all = async {
            let jobs = (0..1_000).map(|n| run_in_executor(move || n));
            gather(jobs.collect::<Result<Vec<_>, _>>()?)?.await
        };
        event_loop.run_until_complete(all).unwrap()
    };
    move |batches| wall(|| (0..batches).for_each(|_| drop(batch())))
}

/// Reproduces "50 tasks on the virtual clock", where the tasks' own time costs nothing: what is
/// left is the loop's work, two turns fewer where they block.
pub(crate) fn fifty(manner: Manner) -> impl FnMut(u64) -> Duration {
    let (event_loop, block) = Block::on_virtual_clock();
    let run = move || {
        let block = block.clone();
        let all = async move {
            let chunk = Duration::from_millis(100);
            gather((0..50).map(|_| work(manner, 1, chunk, block.clone())))?.await
        };
        event_loop.run_until_complete(all).unwrap()
    };
    move |times| cpu(|| (0..times).for_each(|_| drop(run())))
}
