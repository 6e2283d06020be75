//! What tasks and futures cost on the loop: time, turns and memory. The rows are those of
//! `rows.toml`.
//!
//! `turns` counts the turns of small programs; `waiting` has what waits on real clocks, and what
//! waiting keeps in memory.

mod turns;
mod waiting;

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use rows::{Rows, cpu};
use six_steps::EventLoop;
use wakeup::{Future, Outcome, Tasks, create_task, gather, sleep, yield_now};

const MANY: u64 = 1_000;

/// Runs a coroutine on a loop, of which making and closing it is no part.
fn timed(main: impl std::future::Future<Output = Outcome<()>> + 'static) -> Duration {
    let event_loop = EventLoop::new();
    let taken = cpu(|| event_loop.run_until_complete(main).unwrap());
    event_loop.close().unwrap();
    taken
}

/// Reproduces "yield, 1 task" (A11): a bare yield of the only task, so a whole turn.
fn yield_1() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            for _ in 0..times {
                yield_now().await?;
            }
            Ok(())
        })
    }
}

/// Reproduces "yield, 1,000 tasks": a bare yield of one of them, so a step.
fn yield_1000() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            let each = |_| async move {
                for _ in 0..times {
                    yield_now().await?;
                }
                Ok(())
            };
            gather((0..MANY).map(each))?.await.map(drop)
        })
    }
}

/// Reproduces "spawn 1,000, await each".
fn spawn_1000() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            for _ in 0..times {
                let tasks: Result<Vec<_>, _> = (0..MANY)
                    .map(|n| create_task(async move { Ok(n) }))
                    .collect();
                for task in tasks? {
                    black_box(task.await?);
                }
            }
            Ok(())
        })
    }
}

/// Reproduces "gather 1,000": coroutines that return at once.
fn gather_1000() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            for _ in 0..times {
                black_box(gather((0..MANY).map(|n| async move { Ok(n) }))?.await?);
            }
            Ok(())
        })
    }
}

/// Reproduces "spawn one, await it": before the next is made, so two turns.
fn spawn_one() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            for n in 0..times {
                black_box(create_task(async move { Ok(n) })?.await?);
            }
            Ok(())
        })
    }
}

/// A future that two tasks hand over: `ping_pong`'s.
type Shared = Rc<RefCell<Option<Future<()>>>>;

/// Reproduces "ping-pong round trip": two tasks that resolve each other's futures, two turns.
fn ping_pong() -> impl FnMut(u64) -> Duration {
    |times| timed(rounds(times))
}

async fn rounds(times: u64) -> Outcome<()> {
    let event_loop = six_steps::running_loop()?;
    let (ping, pong) = (Shared::default(), Shared::default());
    ping.replace(Some(event_loop.create_future()));
    let player = |mine: Shared, theirs: Shared| {
        let event_loop = event_loop.clone();
        async move {
            for _ in 0..times {
                let fresh = event_loop.create_future();
                mine.replace(Some(fresh.clone()));
                if let Some(other) = theirs.take() {
                    other.set_result(())?;
                }
                fresh.await?;
            }
            if let Some(other) = theirs.take() {
                other.set_result(())?;
            }
            Ok(())
        }
    };
    let a = create_task(player(Rc::clone(&ping), Rc::clone(&pong)))?;
    let b = create_task(player(pong, ping))?;
    a.await?;
    b.await
}

/// Reproduces "sleeps fired": 1,000 of at most a microsecond, made, fired and gathered.
fn sleeps() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            for _ in 0..times {
                let nap = |n| sleep(Duration::from_nanos(1 + n));
                gather((0..MANY).map(nap))?.await?;
            }
            Ok(())
        })
    }
}

/// Reproduces "future + `call_soon` + await": two turns.
fn future() -> impl FnMut(u64) -> Duration {
    |times| {
        timed(async move {
            let event_loop = six_steps::running_loop()?;
            for _ in 0..times {
                let future = event_loop.create_future();
                let setter = future.clone();
                event_loop.call_soon(move || setter.set_result(()))?;
                future.await?;
            }
            Ok(())
        })
    }
}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    let rows = Rows::new("wakeup", include_str!("../rows.toml"))
        .timed("yield-1", yield_1)
        .batched("yield-1000", MANY, yield_1000)
        .batched("spawn-1000", MANY, spawn_1000)
        .batched("gather-1000", MANY, gather_1000)
        .timed("spawn-one", spawn_one)
        .timed("ping-pong", ping_pong)
        .batched("sleeps", MANY, sleeps)
        .timed("future", future)
        .whole("waits-gathered", waiting::gathered)
        .whole("waits-in-a-row", waiting::in_a_row)
        .whole("turns", |_| turns::all());
    [1_000, 10_000, 100_000]
        .into_iter()
        .fold(rows, |rows, count| {
            let row = format!("bytes-task-{count}");
            rows.whole(&row.clone(), move |scale| {
                waiting::tasks(&row, count, scale)
            })
        })
        .whole("bytes-thread-1000", |scale| {
            waiting::threads("bytes-thread-1000", 1_000, scale)
        })
}

fn main() {
    rows().main();
}
