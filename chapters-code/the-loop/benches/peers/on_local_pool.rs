//! The `LocalPool` of futures, with futures-timer, which keeps a thread of its own for timers.

use std::cell::RefCell;
use std::time::Duration;

use futures::FutureExt as _;
use futures::executor::{LocalPool, LocalSpawner};
use futures::future::RemoteHandle;
use futures::task::LocalSpawnExt as _;
use futures_timer::Delay;

use crate::oneshot::WakeByRef;
use crate::peer::{Peer, poll_and_drop};

#[derive(Clone, Copy)]
pub(crate) struct Pool(&'static (RefCell<LocalPool>, LocalSpawner));

impl Peer for Pool {
    type Task<T: Clone + 'static> = RemoteHandle<T>;

    fn new() -> Self {
        let pool = LocalPool::new();
        let spawner = pool.spawner();
        Self(Box::leak(Box::new((RefCell::new(pool), spawner))))
    }

    fn block_on<T: Clone + 'static>(self, main: impl Future<Output = T> + 'static) -> T {
        self.0.0.borrow_mut().run_until(main)
    }

    fn spawn<T: Clone + 'static>(
        self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> RemoteHandle<T> {
        self.0.1.spawn_local_with_handle(coroutine).unwrap()
    }

    fn join<T: Clone + 'static>(task: RemoteHandle<T>) -> impl Future<Output = T> + 'static {
        task
    }

    fn detach(self, coroutine: impl Future<Output = ()> + 'static) {
        self.0.1.spawn_local(coroutine).unwrap();
    }

    fn yield_now() -> impl Future<Output = ()> + 'static {
        WakeByRef::default()
    }

    fn sleep(delay: Duration) -> impl Future<Output = ()> + 'static {
        Delay::new(delay).map(drop)
    }

    fn cancel_timers(self, n: u64) {
        self.block_on(async move {
            poll_and_drop(n, Delay::new).await;
            WakeByRef::default().await;
        });
    }
}

impl Pool {
    pub(crate) fn run_fresh() {
        LocalPool::new().run_until(async {});
    }

    pub(crate) fn run_kept(self, n: u64) {
        let mut pool = self.0.0.borrow_mut();
        for _ in 0..n {
            pool.run_until(async {});
        }
    }

    pub(crate) fn run_task_kept(self, n: u64) {
        let mut pool = self.0.0.borrow_mut();
        for _ in 0..n {
            let task = self.0.1.spawn_local_with_handle(async {}).unwrap();
            pool.run_until(task);
        }
    }
}
