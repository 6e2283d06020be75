//! Out to another thread and back: the two calls that a program makes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use six_steps::{EventLoop, Handle, running_loop};
use wakeup::{Future, Outcome, Tasks};

use crate::executor::{DefaultExecutor, Executor, Job, Parts};
use crate::way_back::{CheckCancel, Jobs, WayBack};

// ANCHOR: run_in_executor
/// Has `job` done by the loop's default executor (`base_events.py`, `run_in_executor`, line 883 at
/// v3.13.0). The future is done when the result has come back; a panic comes back as an exception.
/// Cancelling it keeps a job that has not begun by the next turn from running; one that has begun
/// runs to its end, and its result is dropped.
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
    let work = Offloaded {
        job: Some(job),
        result: None,
        way_back,
    };
    if let Err(error) = executor.submit(Job::of(work)) {
        Jobs::forget(event_loop, number);
        return Err(error.into());
    }
    destination.add_done_handle(Handle::from_callback(CheckCancel { number }));
    Ok(destination)
}
// ANCHOR_END: run_in_executor

/// What goes out.
struct Offloaded<T, F> {
    job: Option<F>,
    result: Option<thread::Result<T>>,
    way_back: WayBack<T>,
}

// ANCHOR: offloaded
impl<T: Send + 'static, F: FnOnce() -> T> Parts for Offloaded<T, F> {
    fn work(&mut self) {
        // A job that was cancelled in time is dropped as it is.
        if let Some(job) = self.job.take()
            && self.way_back.begin()
        {
            self.result = Some(catch_unwind(AssertUnwindSafe(job)));
        }
    }

    fn tell(self: Box<Self>) {
        if let Some(result) = self.result {
            self.way_back.send(result);
        }
    }
}
// ANCHOR_END: offloaded

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
