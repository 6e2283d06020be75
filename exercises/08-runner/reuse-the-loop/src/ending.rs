//! The parts of an end, each a run of its own on a loop that is not running. Not yours to change.

use blocking::shutdown_default_executor;
use six_steps::EventLoop;
use wakeup::{Outcome, TaskRef, Tasks, all_tasks, gather_any};

/// Cancels every task that is left and waits for all of them. No task, no turn.
///
/// # Errors
/// What left the loop meanwhile.
pub fn cancel_what_is_left(event_loop: &EventLoop) -> Outcome<()> {
    let left = all_tasks(event_loop);
    if left.is_empty() {
        return Ok(());
    }
    for task in &left {
        task.cancel();
    }
    let left = left.iter().map(TaskRef::future).collect();
    event_loop.run_until_complete(gather_any(event_loop, left))
}

/// Waits for the jobs on other threads; the loop takes no more of them. Two turns if there are none.
///
/// # Errors
/// What left the loop meanwhile.
pub fn join_the_threads(event_loop: &EventLoop) -> Outcome<()> {
    event_loop.run_until_complete(shutdown_default_executor())
}
