//! What the workloads ask of a runtime. Each peer answers with what it does best.

use std::time::Duration;

/// A post from another thread.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// A runtime on this thread. It is made once a process and never dropped, so that a reference to
/// it is all a task has to carry.
pub(crate) trait Peer: Copy + 'static {
    /// A task, as it is kept before it is awaited.
    type Task<T: Clone + 'static>: 'static;

    fn new() -> Self;

    /// Runs the loop until `main` is done.
    fn block_on<T: Clone + 'static>(self, main: impl Future<Output = T> + 'static) -> T;

    fn spawn<T: Clone + 'static>(
        self,
        coroutine: impl Future<Output = T> + 'static,
    ) -> Self::Task<T>;

    /// Awaits a task.
    fn join<T: Clone + 'static>(task: Self::Task<T>) -> impl Future<Output = T> + 'static;

    /// Awaits many tasks at once.
    fn gather<T: Clone + 'static>(
        tasks: Vec<Self::Task<T>>,
    ) -> impl Future<Output = Vec<T>> + 'static {
        futures::future::join_all(tasks.into_iter().map(Self::join))
    }

    /// A task that nobody will await.
    fn detach(self, coroutine: impl Future<Output = ()> + 'static);

    /// Runs a callback soon; without a `call_soon`, it is a task that is ready.
    fn call_soon(self, callback: impl FnOnce() + 'static) {
        self.detach(async move { callback() });
    }

    /// The runtime's own way to let the others go first.
    fn yield_now() -> impl Future<Output = ()> + 'static;

    fn sleep(delay: Duration) -> impl Future<Output = ()> + 'static;

    /// Registers `n` timers one to two hours away, cancels all of them in order, and turns once.
    fn cancel_timers(self, n: u64);
}

/// Polls each timer once, so that it is registered, then drops them in order.
pub(crate) async fn poll_and_drop<T: Future + Unpin>(n: u64, timer: impl Fn(Duration) -> T) {
    let mut timers: Vec<T> = crate::workloads::far_delays(n).map(timer).collect();
    futures::future::poll_fn(|context| {
        for timer in &mut timers {
            assert!(std::pin::Pin::new(timer).poll(context).is_pending());
        }
        std::task::Poll::Ready(())
    })
    .await;
    timers.into_iter().for_each(drop);
}
