//! Waiting, on real clocks, and what it keeps in memory.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rows::{Figure, Scale, resident, wall};
use six_steps::EventLoop;
use wakeup::{Task, Tasks, gather, sleep};

const WAIT: Duration = Duration::from_millis(200);

/// Reproduces "100 waits of 0.2 s, gathered" (L2).
pub(crate) fn gathered(scale: Scale) -> Vec<Figure> {
    let wait = scale.time(WAIT);
    let event_loop = EventLoop::new();
    let all = async move { gather((0..100).map(|_| sleep(wait)))?.await };
    let taken = wall(|| drop(event_loop.run_until_complete(all).unwrap()));
    event_loop.close().unwrap();
    vec![Figure::ms("waits-gathered", taken)]
}

/// Reproduces "five waits of 0.2 s, one after another" (L2).
pub(crate) fn in_a_row(scale: Scale) -> Vec<Figure> {
    let wait = scale.time(WAIT);
    let event_loop = EventLoop::new();
    let row = async move {
        for _ in 0..5 {
            sleep(wait).await?;
        }
        Ok(())
    };
    let taken = wall(|| event_loop.run_until_complete(row).unwrap());
    event_loop.close().unwrap();
    vec![Figure::ms("waits-in-a-row", taken)]
}

/// Reproduces "memory of a suspended task" (L6): tasks that sleep for an hour.
pub(crate) fn tasks(row: &str, count: u64, scale: Scale) -> Vec<Figure> {
    let count = scale.count(count);
    let event_loop = EventLoop::new();
    event_loop.run_until_complete(async { Ok(()) }).unwrap();
    let before = resident();
    let mut tasks = Vec::new();
    for _ in 0..count {
        tasks.push(
            event_loop
                .create_task(sleep(Duration::from_hours(1)))
                .unwrap(),
        );
    }
    event_loop.run_until_complete(async { Ok(()) }).unwrap(); // one turn: all of them sleep
    let grown = resident() - before;
    tasks.iter().for_each(Task::keep_quiet_if_destroyed);
    event_loop.close().unwrap();
    vec![each(row, grown, count)]
}

/// Reproduces "memory of a sleeping thread" (L6): threads that are parked. What the kernel keeps
/// for a thread is not in it.
pub(crate) fn threads(row: &str, count: u64, scale: Scale) -> Vec<Figure> {
    let count = scale.count(count);
    let before = resident();
    let (ready, counted) = mpsc::channel();
    let start = |_| {
        let ready = ready.clone();
        thread::spawn(move || {
            let _ = ready.send(());
            thread::park();
        })
    };
    let threads: Vec<_> = (0..count).map(start).collect();
    counted.iter().take(threads.len()).for_each(drop);
    let grown = resident() - before;
    for thread in threads {
        thread.thread().unpark();
        let _ = thread.join();
    }
    vec![each(row, grown, count)]
}

#[expect(clippy::cast_precision_loss, reason = "bytes of one process")]
fn each(row: &str, bytes: u64, count: u64) -> Figure {
    Figure::new(row, bytes as f64 / count as f64, "bytes")
}
