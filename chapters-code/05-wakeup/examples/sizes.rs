//! What a waiting thread and a waiting task keep in memory (Linux: it reads `/proc/self/statm`).

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use six_steps::{EventLoop, Exception};
use wakeup::{Tasks, sleep};

const THREADS: u64 = 2_000;
const TASKS: u64 = 100_000;

/// Bytes of the process that are in memory.
fn resident() -> Result<u64, Exception> {
    let statm = std::fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split(' ').nth(1).ok_or("statm has no second field")?;
    Ok(pages.parse::<u64>()? * 4_096)
}

fn main() -> Result<(), Exception> {
    let before = resident()?;
    let event_loop = EventLoop::new();
    let mut tasks = Vec::new();
    for _ in 0..TASKS {
        tasks.push(event_loop.create_task(sleep(Duration::from_hours(1)))?);
    }
    event_loop.run_until_complete(async { Ok(()) })?; // one turn: all of them sleep
    println!(
        "a sleeping task:   {:>6} bytes",
        (resident()? - before) / TASKS
    );

    let before = resident()?;
    let (ready, counted) = mpsc::channel();
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let ready = ready.clone();
            thread::spawn(move || {
                let _ = ready.send(());
                thread::park();
            })
        })
        .collect();
    counted.iter().take(threads.len()).for_each(drop);
    println!(
        "a waiting thread:  {:>6} bytes",
        (resident()? - before) / THREADS
    );
    for thread in threads {
        thread.thread().unpark();
        let _ = thread.join();
    }
    tasks.iter().for_each(wakeup::Task::keep_quiet_if_destroyed);
    event_loop.close()?;
    Ok(())
}
