//! Out to a thread and back. A future cannot leave its loop's thread, so it stays, under a number;
//! the number goes out with the job and comes back with the result.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use six_steps::{
    Attachment, Callback, EventLoop, Exception, Handle, Hatch, running_loop, with_running_loop,
};
use wakeup::{Future, Outcome, Tasks};

use crate::executor::{Default, Job};

/// The jobs that are out, and what to do with the result of each.
#[derive(std::default::Default)]
pub(crate) struct Jobs {
    out: RefCell<HashMap<u64, Finish>>,
    handed_out: Cell<u64>,
}

type Result = std::result::Result<Box<dyn Any + Send>, Box<dyn Any + Send>>;
type Finish = Box<dyn FnOnce(Result)>;

impl Attachment for Jobs {}

/// The way back for one result.
pub(crate) struct WayBack {
    hatch: Hatch,
    number: u64,
}

impl Jobs {
    /// Keeps a future until its result comes through the hatch.
    pub(crate) fn expect<T: Send + 'static>(
        event_loop: &EventLoop,
        destination: &Future<T>,
    ) -> WayBack {
        let jobs = event_loop.attachment::<Self>();
        let number = jobs.handed_out.get();
        jobs.handed_out.set(number + 1);
        let destination = destination.clone();
        let finish: Finish = Box::new(move |result| {
            // Whoever cancelled the future meanwhile wants no result.
            let _ = match result {
                Ok(value) => match value.downcast() {
                    Ok(value) => destination.set_result(*value),
                    Err(_) => unreachable!("the job's own type came back"),
                },
                Err(payload) => destination.set_exception(Exception::from_panic(payload)),
            };
        });
        jobs.out.borrow_mut().insert(number, finish);
        WayBack {
            hatch: event_loop.hatch(),
            number,
        }
    }
}

impl Jobs {
    /// Forgets a future whose result nobody wants any more.
    fn forget(event_loop: &EventLoop, number: u64) {
        let forgotten = event_loop
            .attachment::<Self>()
            .out
            .borrow_mut()
            .remove(&number);
        drop(forgotten);
    }
}

impl WayBack {
    /// Sends a value back.
    pub(crate) fn post<T: Send + 'static>(self, value: T) {
        self.send(Ok(Box::new(value)));
    }

    fn send(self, result: Result) {
        let number = self.number;
        // A loop that was closed meanwhile wants no result.
        let _ = self.hatch.call_soon_threadsafe(move || {
            with_running_loop(|event_loop| {
                let finish = event_loop
                    .attachment::<Jobs>()
                    .out
                    .borrow_mut()
                    .remove(&number);
                if let Some(finish) = finish {
                    finish(result);
                }
            });
        });
    }
}

// ANCHOR: run_in_executor
/// Runs `job` on a thread of the loop's default executor (`base_events.py`, `run_in_executor`,
/// line 883 at v3.13.0). The future is done when the result has come back; a panic comes back as
/// an exception. Cancelling it keeps a job that has not begun from running.
///
/// # Errors
/// No running loop; the executor was shut down; no thread can be started.
pub fn run_in_executor<T, F>(job: F) -> Outcome<Future<T>>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let event_loop = running_loop()?;
    let executor = event_loop.attachment::<Default>().get()?;
    let destination = event_loop.create_future();
    let way_back = Jobs::expect(&event_loop, &destination);
    let number = way_back.number;
    let unwanted = Arc::new(AtomicBool::new(false));
    let check = CheckCancel {
        destination: destination.clone(),
        number,
        unwanted: Arc::clone(&unwanted),
    };
    let work: Job = Box::new(move || {
        if !unwanted.load(Ordering::Acquire) {
            let result = catch_unwind(AssertUnwindSafe(job));
            way_back.send(result.map(|value| Box::new(value) as Box<dyn Any + Send>));
        }
    });
    if let Err(error) = executor.submit(work) {
        Jobs::forget(&event_loop, number);
        return Err(error.into());
    }
    destination.add_done_handle(Handle::from_callback(check));
    Ok(destination)
}
// ANCHOR_END: run_in_executor

/// Runs a blocking call on another thread and waits for its result (`asyncio.to_thread`).
///
/// # Errors
/// As [`run_in_executor`]; and what is thrown into the task meanwhile.
pub async fn to_thread<T, F>(job: F) -> Outcome<T>
where
    T: Clone + Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    run_in_executor(job)?.await
}

/// The done callback that passes a cancellation on (`futures.py`, `_chain_future`,
/// `_call_check_cancel`).
struct CheckCancel<T: 'static> {
    destination: Future<T>,
    number: u64,
    unwanted: Arc<AtomicBool>,
}

impl<T: 'static> Callback for CheckCancel<T> {
    fn run(&self, _: &Handle) -> Outcome<()> {
        if self.destination.cancelled() {
            self.unwanted.store(true, Ordering::Release);
            Jobs::forget(self.destination.event_loop(), self.number);
        }
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("check_cancel")
    }
}
