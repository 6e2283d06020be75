//! An executor for the virtual clock: a job takes a time that is known beforehand, and no thread.

use std::time::Duration;

use six_steps::EventLoop;

use crate::executor::{Executor, ExecutorError, Job};

/// Runs each job on the loop's own thread, `takes` after it was handed over, as if it had run on
/// another one meanwhile. With it, tests of offloaded work are exact.
pub struct VirtualExecutor {
    event_loop: EventLoop,
    takes: Duration,
}

impl VirtualExecutor {
    /// An executor whose jobs take this long on the loop's clock.
    pub fn new(event_loop: &EventLoop, takes: Duration) -> Self {
        Self {
            event_loop: event_loop.clone(),
            takes,
        }
    }
}

impl Executor for VirtualExecutor {
    fn submit(&self, job: Job) -> Result<(), ExecutorError> {
        let later = self.event_loop.call_later(self.takes, job);
        later.map(drop).map_err(|_| ExecutorError::ShutDown)
    }

    fn shutdown(&self, done: Job) {
        done();
    }
}
