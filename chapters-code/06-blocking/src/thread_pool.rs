//! The default executor: a few threads that take jobs from one queue
//! (`concurrent/futures/thread.py`, `ThreadPoolExecutor`).

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::executor::{Executor, ExecutorError, Job};

/// How many threads the default executor may have: min(32, processors + 4).
pub fn default_threads() -> usize {
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    32.min(processors + 4)
}

/// Threads that are started as jobs need them, and joined at shutdown. Dropping it without a
/// shutdown lets its threads end once they have done the jobs they have.
pub struct ThreadPool {
    shared: Arc<Shared>,
    most: usize,
}

struct Shared {
    // A queue and a condition, and no channel: of the sleeping threads one wakes, and none has to
    // hand the lock on.
    state: Mutex<State>,
    work: Condvar,
    joined: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    // Those that wait for a job or are about to.
    idle: usize,
    threads: Vec<JoinHandle<()>>,
    // All that were started, and how many of them are known to have ended.
    started: usize,
    ended: usize,
    shut_down: bool,
    when_done: Vec<Box<dyn FnOnce() + Send>>,
}

impl ThreadPool {
    /// A pool of [`default_threads`]; none is started yet.
    #[expect(clippy::new_without_default, reason = "it is a resource, not a value")]
    pub fn new() -> Self {
        Self::with_threads(default_threads())
    }

    /// A pool of at most this many threads, and at least one.
    pub fn with_threads(most: usize) -> Self {
        let shared = Shared {
            state: Mutex::default(),
            work: Condvar::new(),
            joined: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
            most: most.max(1),
        }
    }

    /// How many threads were started.
    pub fn threads(&self) -> usize {
        self.shared.state().started
    }

    /// How many of them have nothing to do.
    pub fn idle(&self) -> usize {
        self.shared.state().idle
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Jobs run outside of the lock, so a panic cannot have left it in between.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ANCHOR: work
    /// The life of a thread of the pool (`thread.py`, `_worker`).
    fn work(&self) {
        let mut state = self.state();
        state.idle += 1;
        loop {
            if let Some(mut job) = state.jobs.pop_front() {
                state.idle -= 1;
                drop(state);
                // A panic's message is printed already; the thread is needed for other jobs.
                let _ = catch_unwind(AssertUnwindSafe(|| job.work()));
                // Free before anybody hears of it, or the next job would start another thread.
                self.state().idle += 1;
                let _ = catch_unwind(AssertUnwindSafe(|| job.tell()));
                state = self.state();
            } else if state.shut_down {
                state.idle -= 1;
                return;
            } else {
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
    // ANCHOR_END: work

    /// Waits until all threads have ended, and tells whoever waits for that. Several may wait.
    fn join(&self) {
        let mut state = self.state();
        while let Some(thread) = state.threads.pop() {
            drop(state);
            // No job's panic gets as far as this.
            let _ = thread.join();
            state = self.state();
            state.ended += 1;
            self.joined.notify_all();
        }
        while state.ended < state.started {
            state = self
                .joined
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let when_done = std::mem::take(&mut state.when_done);
        drop(state);
        for done in when_done {
            done();
        }
    }
}

impl Executor for ThreadPool {
    // ANCHOR: submit
    fn submit(&self, job: Job) -> Result<(), ExecutorError> {
        let mut state = self.shared.state();
        if state.shut_down {
            return Err(ExecutorError::ShutDown);
        }
        state.jobs.push_back(job);
        if state.jobs.len() <= state.idle {
            // Woken after the lock is free, or it would wake only to wait for it.
            drop(state);
            self.shared.work.notify_one();
        } else if state.started < self.most {
            let shared = Arc::clone(&self.shared);
            let name = format!("asyncio_{}", state.started);
            let thread = thread::Builder::new().name(name);
            match thread.spawn(move || shared.work()) {
                Ok(thread) => {
                    state.started += 1;
                    state.threads.push(thread);
                }
                // With a thread at work the job only waits longer.
                Err(_) if state.started > 0 => {}
                Err(error) => {
                    let refused = state.jobs.pop_back();
                    drop(state);
                    drop(refused);
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }
    // ANCHOR_END: submit

    fn shutdown(&self, done: Box<dyn FnOnce() + Send>) {
        let mut state = self.shared.state();
        state.shut_down = true;
        state.when_done.push(done);
        drop(state);
        self.shared.work.notify_all();
        // Joining blocks, which the loop's thread must not; with no thread to be had, it must.
        let shared = Arc::clone(&self.shared);
        let thread = thread::Builder::new().name("asyncio_shutdown".into());
        if thread.spawn(move || shared.join()).is_err() {
            self.shared.join();
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.shared.state().shut_down = true;
        self.shared.work.notify_all();
    }
}
