//! The loop of this house.

use std::time::Duration;

use futures::FutureExt as _;
use the_loop::{EventLoop, Hatch, Runner, Task, Tasks, gather, sleep, to_thread, yield_now};

use crate::peer::Peer;
use crate::workloads::far_delays;

#[derive(Clone, Copy)]
pub(crate) struct Ours(&'static EventLoop);

impl Peer for Ours {
    type Task<T: Clone + 'static> = Task<T>;

    fn new() -> Self {
        Self(Box::leak(Box::new(EventLoop::new())))
    }

    fn block_on<T: Clone + 'static>(self, main: impl Future<Output = T> + 'static) -> T {
        self.0.run_until_complete(main.map(Ok)).unwrap()
    }

    fn spawn<T: Clone + 'static>(self, coroutine: impl Future<Output = T> + 'static) -> Task<T> {
        self.0.create_task(coroutine.map(Ok)).unwrap()
    }

    fn join<T: Clone + 'static>(task: Task<T>) -> impl Future<Output = T> + 'static {
        task.into_future().map(Result::unwrap)
    }

    async fn gather<T: Clone + 'static>(tasks: Vec<Task<T>>) -> Vec<T> {
        gather(tasks).unwrap().await.unwrap()
    }

    fn detach(self, coroutine: impl Future<Output = ()> + 'static) {
        self.spawn(coroutine);
    }

    fn call_soon(self, callback: impl FnOnce() + 'static) {
        self.0.call_soon(callback).unwrap();
    }

    fn yield_now() -> impl Future<Output = ()> + 'static {
        yield_now().map(Result::unwrap)
    }

    fn sleep(delay: Duration) -> impl Future<Output = ()> + 'static {
        sleep(delay).map(Result::unwrap)
    }

    fn cancel_timers(self, n: u64) {
        let timers: Vec<_> = far_delays(n)
            .map(|delay| self.0.call_later(delay, || ()).unwrap())
            .collect();
        for timer in &timers {
            timer.cancel();
        }
        self.0.call_soon(|| ()).unwrap();
        self.0.run_once().unwrap();
    }
}

impl Ours {
    pub(crate) fn hatch(self) -> Hatch {
        self.0.hatch()
    }

    /// One future of the loop's own awaited by each of two tasks in turn.
    pub(crate) fn ping_pong(self, round_trips: u64) {
        type Slot = std::rc::Rc<std::cell::Cell<Option<the_loop::Future<()>>>>;
        async fn side(event_loop: &'static EventLoop, n: u64, mine: Slot, other: Slot) {
            for _ in 0..n {
                let future = event_loop.create_future();
                mine.set(Some(future.clone()));
                if let Some(waiting) = other.take() {
                    waiting.set_result(()).unwrap();
                }
                future.await.unwrap();
            }
            if let Some(waiting) = other.take() {
                waiting.set_result(()).unwrap();
            }
        }
        let (a, b) = (Slot::default(), Slot::default());
        self.block_on(async move {
            let first = self.spawn(side(self.0, round_trips, a.clone(), b.clone()));
            let second = self.spawn(side(self.0, round_trips, b, a));
            Self::join(first).await;
            Self::join(second).await;
        });
    }

    /// A task that waits on a future of the loop's own, and what keeps it waiting.
    pub(crate) fn wait_on_future(self) -> (Task<()>, the_loop::Future<()>) {
        let future: the_loop::Future<()> = self.0.create_future();
        let task = self.0.create_task(future.clone().into_future()).unwrap();
        (task, future)
    }

    pub(crate) fn run_fresh() {
        the_loop::run(async { Ok(()) }).unwrap();
    }

    pub(crate) fn run_kept(self, n: u64) {
        for _ in 0..n {
            self.0.run_until_complete(async { Ok(()) }).unwrap();
        }
    }

    pub(crate) fn run_task_kept(self, n: u64) {
        for _ in 0..n {
            let task = self.0.create_task(async { Ok(()) }).unwrap();
            self.0.run_until_complete(task).unwrap();
        }
    }

    pub(crate) fn runner_kept(n: u64) {
        let mut runner = Runner::new();
        for _ in 0..n {
            runner.run(async { Ok(()) }).unwrap();
        }
    }

    pub(crate) fn to_thread(self, n: u64, job: fn()) {
        self.block_on(async move {
            for _ in 0..n {
                to_thread(job).await.unwrap();
            }
        });
    }
}
