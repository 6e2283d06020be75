//! What tasks and futures cost on the loop. `cpython/cost.py` has the same rows for asyncio; a
//! row's figure is per operation, as its line says.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use six_steps::EventLoop;
use wakeup::{Future, Outcome, Tasks, create_task, gather, sleep, yield_now};

/// Runs `operations` on a loop, of which making and closing it is no part.
fn timed(main: impl std::future::Future<Output = Outcome<()>> + 'static) -> Duration {
    let event_loop = EventLoop::new();
    let start = Instant::now();
    event_loop.run_until_complete(main).unwrap();
    let elapsed = start.elapsed();
    event_loop.close().unwrap();
    elapsed
}

/// A row whose batch does `per` operations: rounds the count up to whole batches, and scales.
fn batched(iterations: u64, per: u64, run: impl FnOnce(u64) -> Duration) -> Duration {
    let batches = iterations.div_ceil(per);
    run(batches).mul_f64(to_f64(iterations) / to_f64(batches * per))
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn to_f64(count: u64) -> f64 {
    count as f64
}

/// A value that two tasks hand over: `ping_pong`'s futures.
type Shared = Rc<RefCell<Option<Future<()>>>>;

fn rows(c: &mut Criterion) {
    let mut group = c.benchmark_group("wakeup");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(2));

    // One bare yield of the only task: a whole turn.
    group.bench_function("yield, 1 task", |b| {
        b.iter_custom(|n| {
            timed(async move {
                for _ in 0..n {
                    yield_now().await?;
                }
                Ok(())
            })
        });
    });
    // One bare yield of one of 1,000 tasks: a step.
    group.bench_function("yield, 1000 tasks", |b| {
        b.iter_custom(|n| {
            batched(n, 1_000, |times| {
                timed(async move {
                    let each = |_| async move {
                        for _ in 0..times {
                            yield_now().await?;
                        }
                        Ok(())
                    };
                    gather((0..1_000).map(each))?.await.map(drop)
                })
            })
        });
    });
    // One task of 1,000 that are made, then each awaited.
    group.bench_function("spawn 1000, await each", |b| {
        b.iter_custom(|n| {
            batched(n, 1_000, |times| {
                timed(async move {
                    for _ in 0..times {
                        let tasks: Result<Vec<_>, _> = (0..1_000)
                            .map(|n| create_task(async move { Ok(n) }))
                            .collect();
                        for task in tasks? {
                            black_box(task.await?);
                        }
                    }
                    Ok(())
                })
            })
        });
    });
    // One coroutine of 1,000 that are gathered.
    group.bench_function("gather 1000", |b| {
        b.iter_custom(|n| {
            batched(n, 1_000, |times| {
                timed(async move {
                    for _ in 0..times {
                        black_box(gather((0..1_000).map(|n| async move { Ok(n) }))?.await?);
                    }
                    Ok(())
                })
            })
        });
    });
    // One task made and awaited, before the next is made: two turns.
    group.bench_function("spawn one, await it", |b| {
        b.iter_custom(|n| {
            timed(async move {
                for n in 0..n {
                    black_box(create_task(async move { Ok(n) })?.await?);
                }
                Ok(())
            })
        });
    });
    // A round trip of two tasks that resolve each other's futures: two turns.
    group.bench_function("ping-pong round trip", |b| {
        b.iter_custom(|n| timed(ping_pong(n)));
    });
    // One of 1,000 sleeps of at most a microsecond, made, fired and gathered.
    group.bench_function("sleeps fired", |b| {
        b.iter_custom(|n| {
            batched(n, 1_000, |times| {
                timed(async move {
                    for _ in 0..times {
                        let nap = |n| sleep(Duration::from_nanos(1 + n));
                        gather((0..1_000_u64).map(nap))?.await?;
                    }
                    Ok(())
                })
            })
        });
    });
    // A future, a call_soon that resolves it, an await: two turns.
    group.bench_function("future + call_soon + await", |b| {
        b.iter_custom(|n| {
            timed(async move {
                let event_loop = six_steps::running_loop()?;
                for _ in 0..n {
                    let future = event_loop.create_future();
                    let setter = future.clone();
                    event_loop.call_soon(move || setter.set_result(()))?;
                    future.await?;
                }
                Ok(())
            })
        });
    });
    group.finish();
}

async fn ping_pong(rounds: u64) -> Outcome<()> {
    let event_loop = six_steps::running_loop()?;
    let (ping, pong) = (Shared::default(), Shared::default());
    ping.replace(Some(event_loop.create_future()));
    let player = |mine: Shared, theirs: Shared| {
        let event_loop = event_loop.clone();
        async move {
            for _ in 0..rounds {
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

criterion_group!(benches, rows);
criterion_main!(benches);
