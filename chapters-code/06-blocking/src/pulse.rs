//! A task that wants to run every few milliseconds, and writes down when it did: what a blocked
//! loop looks like to everybody else.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use six_steps::running_loop;
use wakeup::{Outcome, create_task, sleep};

/// Asks to be woken again and again, and keeps the moments at which it was.
#[derive(Debug)]
pub struct Pulse {
    every: Duration,
    ticks: RefCell<Vec<Duration>>,
    stopped: Cell<bool>,
}

impl Pulse {
    /// A pulse that has not begun to beat.
    pub fn every(every: Duration) -> Rc<Self> {
        Rc::new(Self {
            every,
            ticks: RefCell::default(),
            stopped: Cell::new(false),
        })
    }

    // ANCHOR: beat
    /// Beats until it is stopped.
    ///
    /// # Errors
    /// What is thrown into the task meanwhile.
    pub async fn beat(self: Rc<Self>) -> Outcome<()> {
        let event_loop = running_loop()?;
        let start = event_loop.time();
        while !self.stopped.get() {
            sleep(self.every).await?;
            let now = event_loop.time();
            self.ticks.borrow_mut().push(now.saturating_sub(start));
        }
        Ok(())
    }
    // ANCHOR_END: beat

    /// Has it end at its next tick.
    pub fn stop(&self) {
        self.stopped.set(true);
    }

    /// The moments of its ticks, since it began.
    pub fn ticks(&self) -> Vec<Duration> {
        self.ticks.borrow().clone()
    }

    /// The times from tick to tick, the first one from its beginning.
    pub fn gaps(&self) -> Vec<Duration> {
        let mut before = Duration::ZERO;
        let gap = |&tick: &Duration| tick.saturating_sub(std::mem::replace(&mut before, tick));
        self.ticks.borrow().iter().map(gap).collect()
    }

    /// The longest time for which it did not run.
    pub fn longest_gap(&self) -> Duration {
        self.gaps().into_iter().max().unwrap_or_default()
    }

    /// The usual time from tick to tick.
    pub fn median_gap(&self) -> Duration {
        let mut gaps = self.gaps();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or_default()
    }
}

/// How a pulse is ended when the work beside it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By a flag: it may still tick once.
    Flag,
    /// By a cancellation, which takes the place of its next tick.
    Cancel,
}

// ANCHOR: beside
/// Lets a pulse beat beside a worker, and ends it when the worker is done.
///
/// # Errors
/// What the worker ended with; what is thrown into the task meanwhile.
pub async fn beside<W>(pulse: Rc<Pulse>, worker: W, ending: Ending) -> Outcome<()>
where
    W: Future<Output = Outcome<()>> + 'static,
{
    let beating = create_task(Rc::clone(&pulse).beat())?;
    beating.set_name("pulse");
    let working = create_task(worker)?;
    working.set_name("worker");
    working.await?;
    match ending {
        Ending::Flag => pulse.stop(),
        Ending::Cancel => {
            beating.cancel();
        }
    }
    match beating.await {
        Err(exception) if exception.is_cancelled() => Ok(()),
        outcome => outcome,
    }
}
// ANCHOR_END: beside
