//! A loop taken turn by turn, and what it has to say meanwhile: the calls that most tests of
//! futures and tasks begin with.

use std::rc::Rc;

use six_steps::{EventLoop, ExceptionContext, TurnCounter};

use crate::journal::Journal;

/// Runs one turn of a loop, and no more: what that turn queues stays in the queue.
///
/// ```
/// let (event_loop, _) = lesson::virtual_loop();
/// let again = event_loop.clone();
/// event_loop.call_soon(move || again.call_soon(|| ()).map(drop))?;
/// lesson::turn(&event_loop);
/// assert_eq!(event_loop.ready_len(), 1);
/// # Ok::<(), six_steps::LoopError>(())
/// ```
///
/// # Panics
/// If the loop cannot run, because it is closed for example.
#[track_caller]
pub fn turn(event_loop: &EventLoop) {
    event_loop.stop();
    if let Err(error) = event_loop.run_forever() {
        panic!("the loop ended with an error: {error}");
    }
}

/// Counts the turns of a loop from here on.
///
/// ```
/// let (event_loop, _) = lesson::virtual_loop();
/// let turns = lesson::count_turns(&event_loop);
/// lesson::turn(&event_loop);
/// assert_eq!(turns.count(), 1);
/// ```
pub fn count_turns(event_loop: &EventLoop) -> Rc<TurnCounter> {
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    turns
}

/// Everything that is reported to the loop's exception handler from here on, as
/// `message: exception`.
///
/// ```
/// let (event_loop, _) = lesson::virtual_loop();
/// let reports = lesson::reports(&event_loop);
/// event_loop.call_soon(|| Err::<(), _>("out of tea"))?;
/// lesson::turn(&event_loop);
/// assert!(reports.text().ends_with(": out of tea"));
/// # Ok::<(), six_steps::LoopError>(())
/// ```
pub fn reports(event_loop: &EventLoop) -> Journal {
    let reports = Journal::new();
    let to = reports.clone();
    event_loop.set_exception_handler(Some(move |_: &EventLoop, context: &ExceptionContext| {
        let message = &context.message;
        to.note(match &context.exception {
            Some(exception) => format!("{message}: {exception}"),
            None => message.clone(),
        });
    }));
    reports
}
