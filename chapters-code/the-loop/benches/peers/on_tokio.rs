//! tokio, its one-thread runtime. Tasks are spawned with `spawn_local`.

use std::pin::Pin;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::runtime::{Builder, Handle, LocalOptions, LocalRuntime};
use tokio::task::{JoinHandle, spawn_blocking, spawn_local};
use tokio::time::Sleep;

use crate::peer::{Peer, poll_and_drop};

#[derive(Clone, Copy)]
pub(crate) struct Tokio(&'static LocalRuntime);

fn build() -> LocalRuntime {
    Builder::new_current_thread()
        .enable_all()
        .build_local(LocalOptions::default())
        .unwrap()
}

impl Peer for Tokio {
    type Task<T: Clone + 'static> = JoinHandle<T>;

    fn new() -> Self {
        Self(Box::leak(Box::new(build())))
    }

    fn block_on<T: Clone + 'static>(self, main: impl Future<Output = T> + 'static) -> T {
        self.0.block_on(main)
    }

    fn spawn<T: Clone + 'static>(
        self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> JoinHandle<T> {
        spawn_local(coroutine)
    }

    fn join<T: Clone + 'static>(task: JoinHandle<T>) -> impl Future<Output = T> + 'static {
        task.map(Result::unwrap)
    }

    fn detach(self, coroutine: impl Future<Output = ()> + 'static) {
        drop(spawn_local(coroutine));
    }

    fn yield_now() -> impl Future<Output = ()> + 'static {
        tokio::task::yield_now()
    }

    fn sleep(delay: Duration) -> impl Future<Output = ()> + 'static {
        tokio::time::sleep(delay)
    }

    fn cancel_timers(self, n: u64) {
        self.block_on(async move {
            let timer = |delay| -> Pin<Box<Sleep>> { Box::pin(tokio::time::sleep(delay)) };
            poll_and_drop(n, timer).await;
            tokio::task::yield_now().await;
        });
    }
}

impl Tokio {
    pub(crate) fn handle(self) -> Handle {
        self.0.handle().clone()
    }

    pub(crate) fn run_fresh() {
        build().block_on(async {});
    }

    pub(crate) fn run_kept(self, n: u64) {
        for _ in 0..n {
            self.0.block_on(async {});
        }
    }

    pub(crate) fn run_task_kept(self, n: u64) {
        for _ in 0..n {
            self.0
                .block_on(async { spawn_local(async {}).await.unwrap() });
        }
    }

    pub(crate) fn to_thread(self, n: u64, job: fn()) {
        self.block_on(async move {
            for _ in 0..n {
                spawn_blocking(job).await.unwrap();
            }
        });
    }
}
