//! The turns of whole runs, closing turns included: the programs of the turn table, on the real
//! clock. `cpython/turn_table.py` has the same programs under the same names.

use std::rc::Rc;
use std::time::Duration;

use blocking::to_thread;
use rows::Figure;
use runner::{AsyncGenerator, Runner};
use six_steps::{EventLoop, TurnCounter, running_loop};
use wakeup::{Outcome, Task, Tasks, create_task, gather, sleep, yield_now};

const NAP: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_secs(10);

/// Runs a program to the end of its closing.
fn turns(program: &str, main: impl AsyncFnOnce() -> Outcome<()> + 'static) -> Figure {
    let event_loop = EventLoop::new();
    let counter = Rc::new(TurnCounter::default());
    event_loop.watch(counter.clone());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(async move { main().await }).unwrap();
    runner.close().unwrap();
    Figure::count(format!("turns-{program}"), counter.count(), "turns")
}

async fn nested(depth: u32) -> Outcome<()> {
    match depth {
        0 => Ok(()),
        _ => Box::pin(nested(depth - 1)).await,
    }
}

async fn yields(times: u32) -> Outcome<()> {
    for _ in 0..times {
        yield_now().await?;
    }
    Ok(())
}

async fn naps(times: u32) -> Outcome<()> {
    for _ in 0..times {
        sleep(NAP).await?;
    }
    Ok(())
}

async fn gathers(count: u32, each: impl AsyncFn() -> Outcome<()> + Copy + 'static) -> Outcome<()> {
    gather((0..count).map(move |_| async move { each().await }))?
        .await
        .map(drop)
}

/// Ten tasks, each awaiting the one before, which is done by then.
async fn each_awaits_the_one_before() -> Outcome<()> {
    let mut last: Option<Task<()>> = None;
    for _ in 0..10 {
        let before = last.take();
        last = Some(create_task(async move {
            match before {
                Some(task) => task.await,
                None => Ok(()),
            }
        })?);
    }
    match last {
        Some(task) => task.await,
        None => Ok(()),
    }
}

async fn resolved(later: Option<Duration>) -> Outcome<()> {
    let event_loop = running_loop()?;
    let future = event_loop.create_future();
    let setter = future.clone();
    let set = move || setter.set_result(());
    match later {
        Some(delay) => drop(event_loop.call_later(delay, set)?),
        None => drop(event_loop.call_soon(set)?),
    }
    future.await
}

async fn done_already() -> Outcome<()> {
    let future = running_loop()?.create_future();
    future.set_result(())?;
    future.await
}

async fn cancelled() -> Outcome<()> {
    let task = create_task(sleep(LONG))?;
    yield_now().await?;
    task.cancel();
    match task.await {
        Err(exception) if exception.is_cancelled() => Ok(()),
        outcome => outcome,
    }
}

async fn left_pending() -> Outcome<()> {
    create_task(sleep(LONG))?;
    yield_now().await
}

/// Reproduces the turn table (A6, A7, A8).
pub(crate) fn all() -> Vec<Figure> {
    vec![
        turns("empty", async || Ok(())),
        turns("nested-1", async || nested(1).await),
        turns("nested-3", async || nested(3).await),
        turns("nested-10", async || nested(10).await),
        turns("sleep-0", async || sleep(Duration::ZERO).await),
        turns("sleep-0-ten-times", async || yields(10).await),
        turns("sleep", async || naps(1).await),
        turns("sleep-three-times", async || naps(3).await),
        turns("sleep-ten-times", async || naps(10).await),
        turns("task", async || create_task(yields(0))?.await),
        turns("task-that-yields", async || create_task(yields(1))?.await),
        turns("task-never-awaited", async || {
            Ok(create_task(yields(0)).map(drop)?)
        }),
        turns("task-left-pending", left_pending),
        turns("ten-tasks-in-a-row", each_awaits_the_one_before),
        turns("gather-1", async || gathers(1, async || Ok(())).await),
        turns("gather-10", async || gathers(10, async || Ok(())).await),
        turns("gather-1000", async || {
            gathers(1_000, async || Ok(())).await
        }),
        turns("gather-10-that-yield", async || {
            gathers(10, async || yields(1).await).await
        }),
        turns("gather-1000-that-yield", async || {
            gathers(1_000, async || yields(1).await).await
        }),
        turns("gather-10-that-sleep", async || {
            gathers(10, async || naps(1).await).await
        }),
        turns("future-by-call-soon", async || resolved(None).await),
        turns("future-by-call-later", async || resolved(Some(NAP)).await),
        turns("future-done-already", done_already),
        turns("cancel-a-sleeping-task", cancelled),
        turns("generator-left-open", async || {
            AsyncGenerator::open("g", async { Ok(()) })?;
            Ok(())
        }),
        turns("call-soon-of-nothing", async || {
            running_loop()?.call_soon(|| ())?;
            Ok(())
        }),
        turns("to-thread", async || to_thread(|| ()).await),
        turns("to-thread-that-sleeps", async || {
            to_thread(|| std::thread::sleep(5 * NAP)).await
        }),
    ]
}
