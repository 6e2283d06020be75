//! The work, written once for all runtimes. Each function does `n` operations.

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use crate::oneshot::{OneShot, WakeByRef};
use crate::peer::Peer;

/// How many callbacks or tasks stand in one turn where a workload asks for many.
pub(crate) const MANY: u64 = 1_000;

/// One to two hours.
pub(crate) fn far_delays(n: u64) -> impl Iterator<Item = Duration> {
    let mut random = fastrand::Rng::with_seed(n);
    (0..n).map(move |_| Duration::from_micros(random.u64(3_600_000_000..7_200_000_000)))
}

/// Up to 50 ms.
pub(crate) fn near_delays(n: u64) -> impl Iterator<Item = Duration> {
    let mut random = fastrand::Rng::with_seed(n);
    (0..n).map(move |_| Duration::from_nanos(random.u64(0..50_000_000)))
}

struct Chain<P> {
    peer: P,
    done: OneShot,
}

fn link<P: Peer>(chain: &'static Chain<P>, n: u64) {
    if n == 0 {
        chain.done.complete();
    } else {
        chain.peer.call_soon(move || link(chain, n - 1));
    }
}

/// A callback schedules the next one.
pub(crate) fn call_soon_chain<P: Peer>(peer: P, n: u64) {
    let done = OneShot::default();
    let chain = Box::leak(Box::new(Chain {
        peer,
        done: done.clone(),
    }));
    peer.block_on(async move {
        link(chain, n);
        done.await;
    });
}

/// A thousand callbacks a turn; the last wakes the task that scheduled them.
pub(crate) fn call_soon_batch<P: Peer>(peer: P, n: u64) {
    peer.block_on(async move {
        for _ in 0..n / MANY {
            let done = OneShot::default();
            for _ in 1..MANY {
                peer.call_soon(|| black_box(()));
            }
            let last = done.clone();
            peer.call_soon(move || last.complete());
            done.await;
        }
    });
}

/// `tasks` tasks that yield `n` times together.
pub(crate) fn yields<P: Peer>(peer: P, n: u64, tasks: u64) {
    run_tasks(peer, tasks, move || async move {
        for _ in 0..n / tasks {
            P::yield_now().await;
        }
    });
}

/// The same with a bare wake.
pub(crate) fn wakes<P: Peer>(peer: P, n: u64, tasks: u64) {
    run_tasks(peer, tasks, move || async move {
        for _ in 0..n / tasks {
            WakeByRef::default().await;
        }
    });
}

fn run_tasks<P: Peer, F: Future<Output = ()> + 'static>(
    peer: P,
    tasks: u64,
    coroutine: impl Fn() -> F + 'static,
) {
    peer.block_on(async move {
        let tasks: Vec<_> = (0..tasks).map(|_| peer.spawn(coroutine())).collect();
        for task in tasks {
            P::join(task).await;
        }
    });
}

/// Spawns a thousand tasks, then awaits one after the other.
pub(crate) fn spawn_join<P: Peer>(peer: P, n: u64) {
    peer.block_on(async move {
        for _ in 0..n / MANY {
            let tasks: Vec<_> = (0..MANY).map(|i| peer.spawn(async move { i })).collect();
            let mut sum = 0;
            for task in tasks {
                sum += P::join(task).await;
            }
            assert_eq!(sum, MANY * (MANY - 1) / 2);
        }
    });
}

/// Spawns a thousand tasks and awaits them as one.
pub(crate) fn gather<P: Peer>(peer: P, n: u64) {
    peer.block_on(async move {
        for _ in 0..n / MANY {
            let tasks: Vec<_> = (0..MANY).map(|i| peer.spawn(async move { i })).collect();
            let results = P::gather(tasks).await;
            assert_eq!(results.iter().sum::<u64>(), MANY * (MANY - 1) / 2);
        }
    });
}

/// Spawns one task and awaits it.
pub(crate) fn spawn_await<P: Peer>(peer: P, n: u64) {
    peer.block_on(async move {
        for i in 0..n {
            assert_eq!(P::join(peer.spawn(async move { i })).await, i);
        }
    });
}

type Slot = Rc<Cell<Option<OneShot>>>;

/// One side of the ping-pong: stores a future of its own, completes the other's, waits.
pub(crate) async fn side(n: u64, mine: Slot, other: Slot) {
    for _ in 0..n {
        let future = OneShot::default();
        mine.set(Some(future.clone()));
        if let Some(waiting) = other.take() {
            waiting.complete();
        }
        future.await;
    }
    if let Some(waiting) = other.take() {
        waiting.complete();
    }
}

pub(crate) fn ping_pong<P: Peer>(peer: P, n: u64) {
    let (a, b) = (Slot::default(), Slot::default());
    peer.block_on(async move {
        let first = peer.spawn(side(n, a.clone(), b.clone()));
        let second = peer.spawn(side(n, b, a));
        P::join(first).await;
        P::join(second).await;
    });
}

/// Tasks that sleep up to 50 ms, from the first spawn to the last wake-up.
pub(crate) fn sleeps<P: Peer>(peer: P, n: u64) {
    peer.block_on(async move {
        let left = Rc::new(Cell::new(n));
        let done = OneShot::default();
        for delay in near_delays(n) {
            let (left, done) = (Rc::clone(&left), done.clone());
            peer.detach(async move {
                P::sleep(delay).await;
                left.set(left.get() - 1);
                if left.get() == 0 {
                    done.complete();
                }
            });
        }
        done.await;
    });
}

/// Has `n` tasks asleep for an hour. What it returns keeps them.
pub(crate) fn asleep<P: Peer>(peer: P, n: u64) -> impl Sized {
    let tasks = peer.block_on(async move {
        let hour = Duration::from_hours(1);
        let mut tasks = Vec::with_capacity(usize::try_from(n).unwrap_or(0));
        for _ in 0..n {
            tasks.push(peer.spawn(P::sleep(hour)));
        }
        WakeByRef::default().await;
        Rc::new(tasks)
    });
    turn(peer);
    tasks
}

/// Has `n` tasks wait on a one-shot each. What it returns keeps both.
pub(crate) fn waiting<P: Peer>(peer: P, n: u64) -> impl Sized {
    let tasks = peer.block_on(async move {
        let mut tasks = Vec::with_capacity(usize::try_from(n).unwrap_or(0));
        for _ in 0..n {
            let future = OneShot::default();
            tasks.push((peer.spawn(future.clone()), future));
        }
        WakeByRef::default().await;
        Rc::new(tasks)
    });
    turn(peer);
    tasks
}

/// Lets every task take its first step, however few a runtime takes between two looks at `main`.
pub(crate) fn turn<P: Peer>(peer: P) {
    peer.block_on(async move {
        P::join(peer.spawn(WakeByRef::default())).await;
    });
}
