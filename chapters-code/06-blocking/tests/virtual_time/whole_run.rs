//! A whole run on the virtual clock, its three phases included, recorded turn by turn.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, VirtualExecutor};
use runner::Runner;
use six_steps::{Recorder, TurnRecord};
use wakeup::Outcome;

pub(crate) const MS: Duration = Duration::from_millis(1);

pub(crate) struct WholeRun {
    pub(crate) turns: Vec<TurnRecord>,
    pub(crate) event_loop_time: Duration,
}

impl WholeRun {
    /// Runs `main`, which is given a way to block; if `job` says how long a
    /// job on another thread takes, there is a default executor.
    pub(crate) fn of<F>(job: Option<Duration>, main: impl FnOnce(Block) -> F) -> Self
    where
        F: Future<Output = Outcome<()>> + 'static,
    {
        let (event_loop, block) = Block::on_virtual_clock();
        if let Some(job) = job {
            VirtualExecutor::make_default(&event_loop, job);
        }
        let recorder = Rc::new(Recorder::default());
        event_loop.watch(recorder.clone());
        let mut runner = Runner::with_loop(event_loop.clone());
        runner.run(main(block)).unwrap();
        let event_loop_time = event_loop.time();
        runner.close().unwrap();
        Self {
            turns: recorder.turns(),
            event_loop_time,
        }
    }
}
