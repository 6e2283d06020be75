//! # The hatch
//!
//! A gallery makes thumbnails on worker threads. A worker that has finished reports to the loop, and
//! the report, a callback, shows the picture. A thumbnail takes 3 ms, yet pictures come up as late as
//! a quarter of a second, and the log says that the loop turns four times a second all night, when
//! nobody is there.
//!
//! Find the door by which reports come in, and give them the right one, so that
//!
//! * a report runs in the next turn, and ends the loop's sleep if it is asleep;
//! * reports run in the order in which they came in, and one that panics does not take the others
//!   with it;
//! * a service without reports leaves nothing on the loop, which sleeps until something happens;
//! * a report to a closed loop is an error.
//!
//! The book has the way in from another thread in chapter 3, "How does another thread get in?".
//! [`Reports::new`], [`Reports::reporter`] and [`Reporter::report`] keep their signatures.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use six_steps::{EventLoop, LoopClosed, LoopError};

type Report = Box<dyn FnOnce() + Send>;

/// The reports that came in and have not run yet.
#[derive(Default)]
struct Inbox {
    reports: Mutex<Vec<Report>>,
}

impl Inbox {
    fn put(&self, report: Report) {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.push(report);
    }

    fn take(&self) -> Vec<Report> {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *reports)
    }
}

/// How often the loop looks into the inbox. A report is never older than this.
const LOOK: Duration = Duration::from_millis(250);

/// The loop's side: where reports come in.
pub struct Reports {
    inbox: Arc<Inbox>,
}

/// A worker's way back to the loop. Any thread may hold it; clones reach the same loop.
#[derive(Clone)]
pub struct Reporter {
    inbox: Arc<Inbox>,
}

impl Reports {
    /// Opens the way in to this loop.
    ///
    /// # Errors
    /// [`LoopError::Closed`] if the loop was closed.
    pub fn new(event_loop: &EventLoop) -> Result<Self, LoopError> {
        let inbox = Arc::new(Inbox::default());
        look_later(event_loop, &inbox)?;
        Ok(Self { inbox })
    }

    /// What a worker thread needs to report.
    pub fn reporter(&self) -> Reporter {
        Reporter {
            inbox: Arc::clone(&self.inbox),
        }
    }
}

impl Reporter {
    /// Has the loop run `report` on its own thread, in its next turn.
    ///
    /// # Errors
    /// [`LoopClosed`] after the loop was closed; the report is dropped.
    pub fn report(&self, report: impl FnOnce() + Send + 'static) -> Result<(), LoopClosed> {
        // A mutex makes the inbox safe to use from any thread.
        self.inbox.put(Box::new(report));
        Ok(())
    }
}

/// Runs the reports in the inbox, and comes back.
fn look_later(event_loop: &EventLoop, inbox: &Arc<Inbox>) -> Result<(), LoopError> {
    let (again, inbox) = (event_loop.clone(), Arc::clone(inbox));
    let look = move || {
        for report in inbox.take() {
            report();
        }
        look_later(&again, &inbox)
    };
    event_loop.call_later(LOOK, look).map(drop)
}
