//! The turns of small programs, counted: those of `run_until_complete` alone.

use std::rc::Rc;
use std::time::Duration;

use rows::Figure;
use six_steps::{EventLoop, TurnCounter};
use wakeup::{Outcome, Tasks, create_task, gather, sleep, yield_now};

fn turns(program: &str, main: impl Future<Output = Outcome<()>> + 'static) -> Figure {
    let event_loop = EventLoop::new();
    let counter = Rc::new(TurnCounter::default());
    event_loop.watch(counter.clone());
    event_loop.run_until_complete(main).unwrap();
    event_loop.close().unwrap();
    Figure::count(format!("turns-{program}"), counter.count(), "turns")
}

async fn yields(times: u32) -> Outcome<()> {
    for _ in 0..times {
        yield_now().await?;
    }
    Ok(())
}

async fn gathers(count: u32, times: u32) -> Outcome<()> {
    gather((0..count).map(move |_| yields(times)))?
        .await
        .map(drop)
}

async fn resolved_by_call_soon() -> Outcome<()> {
    let event_loop = six_steps::running_loop()?;
    let future = event_loop.create_future();
    let setter = future.clone();
    event_loop.call_soon(move || setter.set_result(()))?;
    future.await
}

/// Reproduces the turn table of the chapter: turns follow the depth of suspension (A8).
pub(crate) fn all() -> Vec<Figure> {
    let mut all = vec![
        turns("empty", yields(0)),
        turns("yield", yields(1)),
        turns("yield-ten-times", yields(10)),
        turns("sleep", sleep(Duration::from_millis(1))),
        turns("task", async { create_task(yields(0))?.await }),
        turns("task-that-yields", async { create_task(yields(1))?.await }),
        turns("future", resolved_by_call_soon()),
    ];
    for count in [1, 10, 1_000] {
        all.push(turns(&format!("gather-{count}"), gathers(count, 0)));
        all.push(turns(
            &format!("gather-{count}-that-yield"),
            gathers(count, 1),
        ));
    }
    all
}
