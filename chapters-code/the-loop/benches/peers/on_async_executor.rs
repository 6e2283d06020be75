//! async-executor with async-io as its reactor and its timers, once as it comes and once with its
//! leaked, static executor, which keeps no list of its tasks.

use std::time::Duration;

use async_executor::{LocalExecutor, StaticLocalExecutor};
use async_io::Timer;
use futures::FutureExt as _;

use crate::peer::{Peer, poll_and_drop};

pub(crate) trait Executor: 'static {
    fn leak() -> &'static Self;
    fn start<T: 'static>(
        &'static self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> async_executor::Task<T>;
    fn drive<T>(&'static self, main: impl Future<Output = T>) -> impl Future<Output = T>;
}

impl Executor for LocalExecutor<'static> {
    fn leak() -> &'static Self {
        Box::leak(Box::new(Self::new()))
    }

    fn start<T: 'static>(
        &'static self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> async_executor::Task<T> {
        self.spawn(coroutine)
    }

    fn drive<T>(&'static self, main: impl Future<Output = T>) -> impl Future<Output = T> {
        self.run(main)
    }
}

impl Executor for StaticLocalExecutor {
    fn leak() -> &'static Self {
        Box::leak(Box::new(Self::new()))
    }

    fn start<T: 'static>(
        &'static self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> async_executor::Task<T> {
        self.spawn(coroutine)
    }

    fn drive<T>(&'static self, main: impl Future<Output = T>) -> impl Future<Output = T> {
        self.run(main)
    }
}

pub(crate) struct AsyncExecutor<E: 'static>(&'static E);

impl<E> Clone for AsyncExecutor<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for AsyncExecutor<E> {}

impl<E: Executor> Peer for AsyncExecutor<E> {
    type Task<T: Clone + 'static> = async_executor::Task<T>;

    fn new() -> Self {
        Self(E::leak())
    }

    fn block_on<T: Clone + 'static>(self, main: impl Future<Output = T> + 'static) -> T {
        async_io::block_on(self.0.drive(main))
    }

    fn spawn<T: Clone + 'static>(
        self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> async_executor::Task<T> {
        self.0.start(coroutine)
    }

    fn join<T: Clone + 'static>(
        task: async_executor::Task<T>,
    ) -> impl Future<Output = T> + 'static {
        task
    }

    fn detach(self, coroutine: impl Future<Output = ()> + 'static) {
        self.0.start(coroutine).detach();
    }

    fn yield_now() -> impl Future<Output = ()> + 'static {
        futures_lite::future::yield_now()
    }

    fn sleep(delay: Duration) -> impl Future<Output = ()> + 'static {
        Timer::after(delay).map(drop)
    }

    fn cancel_timers(self, n: u64) {
        self.block_on(async move {
            poll_and_drop(n, Timer::after).await;
            futures_lite::future::yield_now().await;
        });
    }
}

impl<E: Executor> AsyncExecutor<E> {
    pub(crate) fn run_kept(self, n: u64) {
        for _ in 0..n {
            async_io::block_on(self.0.drive(async {}));
        }
    }

    pub(crate) fn run_task_kept(self, n: u64) {
        for _ in 0..n {
            async_io::block_on(self.0.drive(self.0.start(async {})));
        }
    }
}

/// A fresh executor and one run; the reactor is the process's own and stays.
pub(crate) fn run_fresh() {
    let executor = LocalExecutor::new();
    async_io::block_on(executor.run(async {}));
}
