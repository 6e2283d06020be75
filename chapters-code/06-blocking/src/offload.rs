//! Out to another thread and back: the two calls that a program makes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use six_steps::{EventLoop, Handle, running_loop};
use wakeup::{Future, Outcome, Tasks};

use crate::executor::{DefaultExecutor, Executor, Job};
use crate::way_back::{CheckCancel, Jobs};

// ANCHOR: run_in_executor
/// Has `job` done by the loop's default executor (`base_events.py`, `run_in_executor`, line 883 at
/// v3.13.0). The future is done when the result has come back; a panic comes back as an exception.
/// Cancelling it keeps a job that has not begun from running; one that has begun runs to its end,
/// and its result is dropped.
///
/// # Errors
/// No running loop; the executor was shut down; no thread can be started.
///
/// ```
/// use blocking::run_in_executor;
/// use six_steps::EventLoop;
/// use wakeup::{Tasks, gather};
///
/// let event_loop = EventLoop::new();
/// let squares = event_loop.run_until_complete(async {
///     let jobs = [run_in_executor(|| 3 * 3)?, run_in_executor(|| 4 * 4)?];
///     gather(jobs)?.await
/// });
/// assert_eq!(squares.unwrap(), [9, 16]);
/// event_loop.close().unwrap();
/// ```
pub fn run_in_executor<T, F>(job: F) -> Outcome<Future<T>>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let event_loop = running_loop()?;
    let executor = event_loop.attachment::<DefaultExecutor>().get()?;
    hand_over(&event_loop, &*executor, job)
}

/// [`run_in_executor`] with an executor of one's own, which the loop's shutdown leaves alone.
///
/// # Errors
/// As [`run_in_executor`].
pub fn run_in<T, F>(executor: &dyn Executor, job: F) -> Outcome<Future<T>>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    hand_over(&running_loop()?, executor, job)
}

fn hand_over<T, F>(event_loop: &EventLoop, executor: &dyn Executor, job: F) -> Outcome<Future<T>>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let destination = event_loop.create_future();
    let way_back = Jobs::expect(event_loop, &destination);
    let number = way_back.number();
    let work: Job = Box::new(move || {
        if way_back.begin() {
            let result = catch_unwind(AssertUnwindSafe(job));
            way_back.send(result);
        }
    });
    if let Err(error) = executor.submit(work) {
        Jobs::forget(event_loop, number);
        return Err(error.into());
    }
    destination.add_done_handle(Handle::from_callback(CheckCancel { number }));
    Ok(destination)
}
// ANCHOR_END: run_in_executor

// ANCHOR: to_thread
/// Runs a blocking call on another thread and waits for its result (`asyncio/threads.py`,
/// `to_thread`, line 12 at v3.13.0). The call is handed over when this is first awaited.
///
/// # Errors
/// As [`run_in_executor`]; what the call panicked with; what is thrown into the task meanwhile.
///
/// ```
/// let lines = runner::run(blocking::to_thread(|| {
///     std::fs::read_to_string("Cargo.toml").map_or(0, |text| text.lines().count())
/// }));
/// assert!(lines.unwrap() > 10);
/// ```
pub async fn to_thread<T, F>(job: F) -> Outcome<T>
where
    T: Clone + Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    run_in_executor(job)?.await
}
// ANCHOR_END: to_thread
