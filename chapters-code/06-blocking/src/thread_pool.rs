//! The default executor: a few threads that take jobs from one queue
//! (`concurrent/futures/thread.py`, `ThreadPoolExecutor`).

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::executor::{Executor, ExecutorError, Job};

/// How many threads the default executor may have: min(32, processors + 4).
pub fn default_threads() -> usize {
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    32.min(processors + 4)
}

/// Threads that are started as jobs need them, and joined at shutdown.
pub struct ThreadPool {
    shared: Arc<Shared>,
    most: usize,
}

struct Shared {
    // A queue and a condition, and no channel: of two sleeping workers one wakes, and none has to
    // hand the lock on.
    state: Mutex<State>,
    work: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    idle: usize,
    threads: Vec<JoinHandle<()>>,
    shut_down: bool,
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
        };
        Self {
            shared: Arc::new(shared),
            most: most.max(1),
        }
    }

    /// How many threads were started.
    pub fn threads(&self) -> usize {
        self.shared.state().threads.len()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Jobs run outside of the lock, so a panic cannot have left it in between.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut state = self.state();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                job();
                state = self.state();
            } else if state.shut_down {
                return;
            } else {
                state.idle += 1;
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        }
    }
}

impl Executor for ThreadPool {
    fn submit(&self, job: Job) -> Result<(), ExecutorError> {
        let mut state = self.shared.state();
        if state.shut_down {
            return Err(ExecutorError::ShutDown);
        }
        state.jobs.push_back(job);
        if state.jobs.len() <= state.idle {
            drop(state);
            self.shared.work.notify_one();
        } else if state.threads.len() < self.most {
            let shared = Arc::clone(&self.shared);
            let name = format!("asyncio_{}", state.threads.len());
            match thread::Builder::new()
                .name(name)
                .spawn(move || shared.work())
            {
                Ok(thread) => state.threads.push(thread),
                // With a thread at work the job only waits longer.
                Err(_) if !state.threads.is_empty() => {}
                Err(error) => {
                    state.jobs.pop_back();
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    fn shutdown(&self, done: Job) {
        let threads = {
            let mut state = self.shared.state();
            state.shut_down = true;
            std::mem::take(&mut state.threads)
        };
        self.shared.work.notify_all();
        // Joining blocks, which the loop's thread must not; with no thread to be had, it must.
        let joining: Arc<Mutex<Option<Job>>> = Arc::new(Mutex::new(Some(Box::new(move || {
            for thread in threads {
                // A worker catches its jobs' panics; nothing is lost with it.
                let _ = thread.join();
            }
            done();
        }))));
        let elsewhere = Arc::clone(&joining);
        let take = |job: &Mutex<Option<Job>>| job.lock().ok().and_then(|mut job| job.take());
        let join = move || take(&elsewhere).map_or((), |join| join());
        if thread::Builder::new()
            .name("asyncio_shutdown".into())
            .spawn(join)
            .is_err()
            && let Some(join) = take(&joining)
        {
            join();
        }
    }
}

impl Drop for ThreadPool {
    /// Its threads end once they have done the jobs they have.
    fn drop(&mut self) {
        self.shared.state().shut_down = true;
        self.shared.work.notify_all();
    }
}
