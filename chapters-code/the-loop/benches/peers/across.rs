//! Work that crosses threads: the loop on processor 0, the other thread on processor 1.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use futures::StreamExt as _;
use futures::channel::{mpsc, oneshot};

use crate::measure::{pin, wall_time};
use crate::on_tokio::Tokio;
use crate::ours::Ours;
use crate::peer::{Job, Peer};

/// A way to have a job run on the loop's thread.
pub(crate) trait Post: Send + 'static {
    fn post(&self, job: impl FnOnce() + Send + 'static);
}

impl Post for the_loop::Hatch {
    fn post(&self, job: impl FnOnce() + Send + 'static) {
        self.call_soon_threadsafe(job).unwrap();
    }
}

impl Post for tokio::runtime::Handle {
    fn post(&self, job: impl FnOnce() + Send + 'static) {
        drop(self.spawn(async move { job() }));
    }
}

impl Post for mpsc::UnboundedSender<Job> {
    fn post(&self, job: impl FnOnce() + Send + 'static) {
        self.unbounded_send(Box::new(job)).unwrap();
    }
}

/// `n` posts as fast as possible, from another thread.
pub(crate) fn burst(n: u64, to: &impl Post) {
    for i in 1..n {
        to.post(move || {
            black_box(i);
        });
    }
}

/// `n` times: posts a job that unparks this thread, and waits for it.
pub(crate) fn round_trips(n: u64, to: &impl Post) {
    let ran = Arc::new(AtomicBool::new(false));
    let waiting = thread::current();
    for _ in 0..n {
        let (flag, waiting) = (Arc::clone(&ran), waiting.clone());
        to.post(move || {
            flag.store(true, Ordering::Release);
            waiting.unpark();
        });
        while !ran.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

/// Has another thread do `work` against a loop that waits until it is done; wall time.
fn against<P: Peer, S: Post>(peer: P, post: S, work: impl FnOnce(&S) + Send + 'static) -> Duration {
    let (done, finished) = oneshot::channel::<()>();
    wall_time(|| {
        let other = thread::spawn(move || {
            pin(1);
            work(&post);
            post.post(move || done.send(()).unwrap());
        });
        peer.block_on(async move { finished.await.unwrap() });
        other.join().unwrap();
    })
}

pub(crate) fn ours(peer: Ours, work: impl FnOnce(&the_loop::Hatch) + Send + 'static) -> Duration {
    against(peer, peer.hatch(), work)
}

pub(crate) fn tokio(
    peer: Tokio,
    work: impl FnOnce(&tokio::runtime::Handle) + Send + 'static,
) -> Duration {
    against(peer, peer.handle(), work)
}

/// The same through a channel of the ecosystem, whose receiver the loop awaits.
pub(crate) fn channel<P: Peer>(
    peer: P,
    work: impl FnOnce(&mpsc::UnboundedSender<Job>) + Send + 'static,
) -> Duration {
    let (sender, mut jobs) = mpsc::unbounded::<Job>();
    wall_time(|| {
        let other = thread::spawn(move || {
            pin(1);
            work(&sender);
        });
        peer.block_on(async move {
            while let Some(job) = jobs.next().await {
                job();
            }
        });
        other.join().unwrap();
    })
}

/// The job of `to_thread`. The pool's thread goes to the other processor with its first job.
pub(crate) fn noop() {
    thread_local!(static PINNED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });
    if !PINNED.replace(true) {
        pin(1);
    }
}
