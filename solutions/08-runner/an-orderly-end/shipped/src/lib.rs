//! # An orderly end
//!
//! A shop closes. Guests are shown out and pay, the till is counted, the dishwasher runs to its end,
//! and then the door is locked. In this program some guests leave without paying, the till is counted
//! by chance, and nobody hears of the soup that was spilt. It works on quiet days: a guest who pays at
//! once gets out in time, by an accident of the turns.
//!
//! Mend [`end`], which is given a loop that is not running:
//! * Every task that is left is cancelled, in the order of their making, and **waited for**: each may
//!   clean up with further awaits, wait for a thread, or open a generator. If none is left, the loop
//!   is not run for this part.
//! * A task that ended with an exception is reported to the loop's exception handler, under
//!   [`UNHANDLED`], with the exception. One that ended as cancelled is not.
//! * Then generators are closed; their last lines may wait for a thread as well. Then the threads
//!   are joined.
//! * If a part fails, those behind it are left out and the error is returned. The loop is closed all
//!   the same, last.
//!
//! You need `wakeup::all_tasks`, `TaskRef::future`, `wakeup::gather_any(event_loop, futures)`, which
//! waits for futures of any kind and takes their exceptions for results, and `ExceptionContext::new`.
//! The book gives the order and its reasons in chapter 8, "The end, in order".

use blocking::shutdown_default_executor;
use runner::shutdown_asyncgens;
use six_steps::EventLoop;
use wakeup::{Outcome, Tasks, all_tasks};

/// What the report of a task's exception says.
pub const UNHANDLED: &str = "unhandled exception in the end";

/// Ends everything that is on a loop, in order, and closes the loop.
///
/// # Errors
/// What ended a part early; the loop is closed all the same.
pub fn end(event_loop: &EventLoop) -> Outcome<()> {
    event_loop.run_until_complete(shutdown_default_executor())?;
    for task in all_tasks(event_loop) {
        task.cancel();
    }
    event_loop.run_until_complete(shutdown_asyncgens())?;
    Ok(event_loop.close()?)
}
