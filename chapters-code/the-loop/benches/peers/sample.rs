//! One sample: one workload on one runtime, in a process of its own.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use async_executor::{LocalExecutor, StaticLocalExecutor};

use crate::across::{self, burst, round_trips};
use crate::measure::{cpu_time, pin, resident};
use crate::on_async_executor::{self, AsyncExecutor};
use crate::on_local_pool::Pool;
use crate::on_tokio::Tokio;
use crate::ours::Ours;
use crate::peer::Peer;
use crate::row::{Name, Row};
use crate::workloads::{self, MANY};
use crate::{limit, limit_system};

type Smol = AsyncExecutor<LocalExecutor<'static>>;
type SmolStatic = AsyncExecutor<StaticLocalExecutor>;

/// Nanoseconds, or bytes, an operation.
pub(crate) fn take(row: Row, name: Name, count: u64) -> Result<f64> {
    pin(0);
    if row.is_memory() {
        return bytes(row, name, count);
    }
    if let Some(wall) = threads(row, name, count) {
        return Ok(per_operation(wall, count));
    }
    let work = one_thread(row, name)
        .with_context(|| format!("{name:?} does not take part in {}", row.name()))?;
    work(count / 4);
    Ok(per_operation(cpu_time(|| work(count)), count))
}

/// The work of a row on one thread, without a warm-up and without a clock.
pub(crate) fn only_work(row: Row, name: Name, count: u64) -> Result<()> {
    let work = one_thread(row, name)
        .with_context(|| format!("{} has no work of one thread", row.name()))?;
    work(count);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn per_operation(taken: Duration, count: u64) -> f64 {
    taken.as_secs_f64() * 1e9 / count as f64
}

/// Rows whose time is processor time. The runtime is made once, before the warm-up.
fn one_thread(row: Row, name: Name) -> Option<Box<dyn Fn(u64)>> {
    match name {
        Name::Limit => by_hand(row),
        Name::LimitHandles => match row {
            Row::CallSoonChain => Some(Box::new(limit::call_soon_chain_handles)),
            Row::CallSoonBatch => Some(Box::new(limit::call_soon_batch_handles)),
            _ => None,
        },
        Name::Ours => {
            let peer = Ours::new();
            match row {
                Row::PingPongOwn => Some(Box::new(move |n| peer.ping_pong(n))),
                Row::RunFresh => Some(Box::new(|n| (0..n).for_each(|_| Ours::run_fresh()))),
                Row::RunKept => Some(Box::new(move |n| peer.run_kept(n))),
                Row::RunTaskKept => Some(Box::new(move |n| peer.run_task_kept(n))),
                Row::RunnerKept => Some(Box::new(Ours::runner_kept)),
                _ => of_peer(row, peer),
            }
        }
        Name::Tokio => {
            let peer = Tokio::new();
            match row {
                Row::RunFresh => Some(Box::new(|n| (0..n).for_each(|_| Tokio::run_fresh()))),
                Row::RunKept => Some(Box::new(move |n| peer.run_kept(n))),
                Row::RunTaskKept => Some(Box::new(move |n| peer.run_task_kept(n))),
                _ => of_peer(row, peer),
            }
        }
        Name::AsyncExecutor => {
            let peer = Smol::new();
            match row {
                Row::RunFresh => Some(Box::new(|n| {
                    (0..n).for_each(|_| on_async_executor::run_fresh());
                })),
                Row::RunKept => Some(Box::new(move |n| peer.run_kept(n))),
                Row::RunTaskKept => Some(Box::new(move |n| peer.run_task_kept(n))),
                _ => of_peer(row, peer),
            }
        }
        Name::AsyncExecutorStatic => {
            let peer = SmolStatic::new();
            match row {
                Row::RunKept => Some(Box::new(move |n| peer.run_kept(n))),
                Row::RunTaskKept => Some(Box::new(move |n| peer.run_task_kept(n))),
                _ => of_peer(row, peer),
            }
        }
        Name::LocalPool => {
            let peer = Pool::new();
            match row {
                Row::RunFresh => Some(Box::new(|n| (0..n).for_each(|_| Pool::run_fresh()))),
                Row::RunKept => Some(Box::new(move |n| peer.run_kept(n))),
                Row::RunTaskKept => Some(Box::new(move |n| peer.run_task_kept(n))),
                _ => of_peer(row, peer),
            }
        }
    }
}

fn of_peer<P: Peer>(row: Row, peer: P) -> Option<Box<dyn Fn(u64)>> {
    Some(match row {
        Row::CallSoonChain => Box::new(move |n| workloads::call_soon_chain(peer, n)),
        Row::CallSoonBatch => Box::new(move |n| workloads::call_soon_batch(peer, n)),
        Row::YieldOne => Box::new(move |n| workloads::yields(peer, n, 1)),
        Row::WakeOne => Box::new(move |n| workloads::wakes(peer, n, 1)),
        Row::YieldMany => Box::new(move |n| workloads::yields(peer, n, MANY)),
        Row::WakeMany => Box::new(move |n| workloads::wakes(peer, n, MANY)),
        Row::SpawnJoin => Box::new(move |n| workloads::spawn_join(peer, n)),
        Row::Gather => Box::new(move |n| workloads::gather(peer, n)),
        Row::SpawnAwait => Box::new(move |n| workloads::spawn_await(peer, n)),
        Row::PingPong | Row::PingPongOwn => Box::new(move |n| workloads::ping_pong(peer, n)),
        Row::Sleeps => Box::new(move |n| workloads::sleeps(peer, n)),
        Row::CancelTimers => Box::new(move |n| peer.cancel_timers(n)),
        _ => return None,
    })
}

fn by_hand(row: Row) -> Option<Box<dyn Fn(u64)>> {
    Some(match row {
        Row::CallSoonChain => Box::new(limit::call_soon_chain),
        Row::CallSoonBatch => Box::new(limit::call_soon_batch),
        Row::YieldOne | Row::WakeOne => Box::new(|n| limit::wakes(n, 1)),
        Row::YieldMany | Row::WakeMany => Box::new(|n| limit::wakes(n, MANY)),
        Row::SpawnJoin => Box::new(|n| limit::spawn_join(n, MANY)),
        Row::Gather => Box::new(limit::gather),
        Row::SpawnAwait => Box::new(|n| limit::spawn_join(n, 1)),
        Row::PingPong | Row::PingPongOwn => Box::new(limit::ping_pong),
        Row::Sleeps => Box::new(limit::sleeps),
        Row::CancelTimers => Box::new(limit::cancel_timers),
        Row::RunFresh => Box::new(limit_system::run_fresh),
        Row::RunKept | Row::RunTaskKept | Row::RunnerKept => Box::new(limit::run_kept),
        _ => return None,
    })
}

/// Rows that cross threads: their time is the wall's.
fn threads(row: Row, name: Name, n: u64) -> Option<Duration> {
    let to_thread = |work: &dyn Fn(u64)| {
        work(n / 4);
        crate::measure::wall_time(|| work(n))
    };
    Some(match (row, name) {
        (Row::ToThread, Name::Limit) => to_thread(&|n| limit_system::to_thread(n, across::noop)),
        (Row::ToThread, Name::Ours) => {
            let peer = Ours::new();
            to_thread(&|n| peer.to_thread(n, across::noop))
        }
        (Row::ToThread, Name::Tokio) => {
            let peer = Tokio::new();
            to_thread(&|n| peer.to_thread(n, across::noop))
        }
        (Row::Post | Row::PostChannel, Name::Limit) => limit_system::posts(move |to| burst(n, to)),
        (Row::Post, Name::Ours) => across::ours(Ours::new(), move |to| burst(n, to)),
        (Row::Post, Name::Tokio) => across::tokio(Tokio::new(), move |to| burst(n, to)),
        (Row::WakeRoundTrip | Row::WakeRoundTripChannel, Name::Limit) => {
            limit_system::posts(move |to| round_trips(n, to))
        }
        (Row::WakeRoundTrip, Name::Ours) => across::ours(Ours::new(), move |to| round_trips(n, to)),
        (Row::WakeRoundTrip, Name::Tokio) => {
            across::tokio(Tokio::new(), move |to| round_trips(n, to))
        }
        (Row::PostChannel | Row::WakeRoundTripChannel, Name::Ours) => channel(row, Ours::new(), n),
        (Row::PostChannel | Row::WakeRoundTripChannel, Name::Tokio) => {
            channel(row, Tokio::new(), n)
        }
        (Row::PostChannel | Row::WakeRoundTripChannel, Name::AsyncExecutor) => {
            channel(row, Smol::new(), n)
        }
        (Row::PostChannel | Row::WakeRoundTripChannel, Name::AsyncExecutorStatic) => {
            channel(row, SmolStatic::new(), n)
        }
        (Row::PostChannel | Row::WakeRoundTripChannel, Name::LocalPool) => {
            channel(row, Pool::new(), n)
        }
        _ => return None,
    })
}

fn channel<P: Peer>(row: Row, peer: P, n: u64) -> Duration {
    if row == Row::PostChannel {
        across::channel(peer, move |to| burst(n, to))
    } else {
        across::channel(peer, move |to| round_trips(n, to))
    }
}

/// Rows whose unit is bytes.
fn bytes(row: Row, name: Name, n: u64) -> Result<f64> {
    Ok(match name {
        Name::Limit if row == Row::BytesAsleep => growth(n, || (), |()| limit::asleep(n)),
        Name::Limit => growth(n, || (), |()| limit::waiting(n)),
        Name::Ours if row == Row::BytesWaitingOwn => growth(n, warm::<Ours>, |peer| {
            let waiting: Vec<_> = (0..n).map(|_| peer.wait_on_future()).collect();
            workloads::turn(peer);
            waiting
        }),
        Name::Ours => peer_bytes::<Ours>(row, n),
        Name::Tokio => peer_bytes::<Tokio>(row, n),
        Name::AsyncExecutor => peer_bytes::<Smol>(row, n),
        Name::AsyncExecutorStatic => peer_bytes::<SmolStatic>(row, n),
        Name::LocalPool => peer_bytes::<Pool>(row, n),
        Name::LimitHandles => bail!("{name:?} does not take part in {}", row.name()),
    })
}

fn peer_bytes<P: Peer>(row: Row, n: u64) -> f64 {
    if row == Row::BytesAsleep {
        growth(n, warm::<P>, |peer| workloads::asleep(peer, n))
    } else {
        growth(n, warm::<P>, |peer| workloads::waiting(peer, n))
    }
}

/// A runtime that has run and slept, so that what it keeps once is not counted.
fn warm<P: Peer>() -> P {
    let peer = P::new();
    peer.block_on(async { P::sleep(Duration::from_millis(1)).await });
    workloads::turn(peer);
    peer
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn growth<P, K>(n: u64, make: impl FnOnce() -> P, fill: impl FnOnce(P) -> K) -> f64 {
    let peer = make();
    let before = resident();
    let kept = fill(peer);
    let grown = resident() - before;
    // Dropped by the end of the process, which takes less time.
    std::mem::forget(kept);
    grown / n as f64
}
