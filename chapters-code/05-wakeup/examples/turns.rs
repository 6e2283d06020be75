//! Turns follow the depth of suspension, not the number of tasks. `cpython/turns.py` prints the
//! same lines.

use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, TurnCounter};
use wakeup::{Outcome, Tasks, create_task, gather, sleep, yield_now};

const MS: Duration = Duration::from_millis(1);

// ANCHOR: turns
/// The turns of `run_until_complete(main)`.
fn turns(main: impl Future<Output = Outcome<()>> + 'static) -> u64 {
    let event_loop = EventLoop::new();
    let counter = Rc::new(TurnCounter::default());
    event_loop.watch(counter.clone());
    event_loop.run_until_complete(main).unwrap();
    event_loop.close().unwrap();
    counter.count()
}

async fn all(count: u32, each: impl AsyncFn() -> Outcome<()> + Copy + 'static) -> Outcome<()> {
    gather((0..count).map(move |_| async move { each().await }))?
        .await
        .map(drop)
}
// ANCHOR_END: turns

async fn yields(times: u32) -> Outcome<()> {
    for _ in 0..times {
        yield_now().await?;
    }
    Ok(())
}

fn main() {
    let show = |program: &str, turns: u64| println!("{program:<42} {turns:>2}");
    show("empty", turns(async { Ok(()) }));
    show("sleep(0), once", turns(yields(1)));
    show("sleep(0), ten times", turns(yields(10)));
    show("sleep(0.001)", turns(sleep(MS)));
    show(
        "create_task, await it",
        turns(async { create_task(yields(0))?.await }),
    );
    show(
        "the same, which sleeps(0)",
        turns(async { create_task(yields(1))?.await }),
    );
    show(
        "a future resolved by call_soon",
        turns(async {
            let event_loop = six_steps::running_loop()?;
            let future = event_loop.create_future();
            let setter = future.clone();
            event_loop.call_soon(move || setter.set_result(()))?;
            future.await
        }),
    );
    for count in [1, 10, 1_000] {
        let program = format!("gather of {count}");
        show(&program, turns(all(count, async || Ok(()))));
        show(
            &format!("{program}, each sleeps(0)"),
            turns(all(count, async || yields(1).await)),
        );
    }
}
