//! Timing handles: the watcher behind debug mode, and the line it logs.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Exception, ExceptionContext, Handle, Watch};

use crate::warn::warn;

/// A callback that takes this long is slow, unless told otherwise
/// (`base_events.py`, `slow_callback_duration`, line 438 at v3.13.0).
pub const DEFAULT_SLOW_CALLBACK_DURATION: Duration = Duration::from_millis(100);

/// A handle that held the thread too long. Displayed, it is asyncio's line: the object in the
/// middle tells what blocked, a `<Handle …>`, a `<TimerHandle when=… …>` or a `<Task …>`, the task
/// as it is after its step.
///
/// ```text
/// Executing <Task pending name='worker' coro=<shop::worker() running>> took 0.250 seconds
/// ```
pub struct SlowCallback<'a> {
    /// The handle.
    pub handle: &'a Handle,
    /// How long it ran.
    pub duration: Duration,
}

impl fmt::Display for SlowCallback<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Executing ")?;
        // A task's step says little; the task itself says which coroutine (`_format_handle`).
        match self.handle.subject() {
            Some(subject) => write!(f, "{subject:?}")?,
            None => write!(f, "{:?}", self.handle)?,
        }
        write!(f, " took {:.3} seconds", self.duration.as_secs_f64())
    }
}

type Report = Rc<dyn Fn(&SlowCallback<'_>)>;

/// The watcher. It reads the clock twice a handle, and never in select: time asleep is not slow.
pub(crate) struct Timing {
    pub(crate) threshold: Cell<Duration>,
    pub(crate) report: RefCell<Option<Report>>,
    started: Cell<Option<Duration>>,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            threshold: Cell::new(DEFAULT_SLOW_CALLBACK_DURATION),
            report: RefCell::default(),
            started: Cell::new(None),
        }
    }
}

// ANCHOR: timing
impl Watch for Timing {
    fn handle_about_to_run(&self, event_loop: &EventLoop, handle: &Handle) {
        // Whatever is said of this handle from here on says where it was made.
        handle.show_origin();
        self.started.set(Some(event_loop.time()));
    }

    fn handle_done(&self, event_loop: &EventLoop, handle: &Handle) {
        let Some(started) = self.started.take() else {
            return;
        };
        let duration = event_loop.time().saturating_sub(started);
        if duration >= self.threshold.get() {
            self.report(event_loop, &SlowCallback { handle, duration });
        }
    }
}
// ANCHOR_END: timing

impl Timing {
    /// A report that panics must not end the loop which it watches.
    #[cold]
    fn report(&self, event_loop: &EventLoop, slow: &SlowCallback<'_>) {
        let report = self.report.borrow().clone();
        let reported = catch_unwind(AssertUnwindSafe(|| match report {
            Some(report) => report(slow),
            None => warn(slow),
        }));
        if let Err(payload) = reported {
            let context = ExceptionContext::new("Exception in the report of a slow callback")
                .with_exception(Exception::from_panic(payload))
                .with_detail("handle", slow.handle.clone());
            event_loop.call_exception_handler(&context);
        }
    }
}
