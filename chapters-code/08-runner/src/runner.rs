//! A runner: one loop, many runs, and the three phases of its end.

use blocking::shutdown_default_executor;
use debug_mode::{DebugMode, debug_from_environment};
use six_steps::{EventLoop, Exception, ExceptionContext, with_running_loop};
use wakeup::{Outcome, Task, Tasks, all_tasks, gather_any};

use crate::asyncgens::shutdown_asyncgens;
use crate::error::{Interrupted, RunnerError};
use crate::interrupt::Interrupts;

/// Runs coroutines on one loop, and closes it in order (`asyncio/runners.py`, `Runner`).
///
/// Dropping it closes it; call [`close`](Self::close) to see what goes wrong then.
pub struct Runner {
    state: State,
    debug: Option<bool>,
    loop_factory: fn() -> EventLoop,
}

enum State {
    Created,
    Initialized(EventLoop),
    Closed,
}

/// A part of the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Tasks that are left are cancelled and waited for; only if there are any.
    Cancel,
    /// Asynchronous generators are closed.
    AsyncGenerators,
    /// The default executor's threads are joined.
    DefaultExecutor,
}

impl Default for Runner {
    fn default() -> Self {
        Self::new()
    }
}

impl Runner {
    /// A runner that will make its own loop; in debug mode if the environment asks for it.
    pub fn new() -> Self {
        Self {
            state: State::Created,
            debug: None,
            loop_factory: EventLoop::new,
        }
    }

    /// The same runner, in debug mode or not, whatever the environment says.
    #[must_use]
    pub fn with_debug(mut self, debug: bool) -> Self {
        self.debug = Some(debug);
        self
    }

    /// The same runner with another way to make its loop (`loop_factory`).
    #[must_use]
    pub fn with_loop_factory(mut self, loop_factory: fn() -> EventLoop) -> Self {
        self.loop_factory = loop_factory;
        self
    }

    /// A runner on a loop that exists already.
    pub fn with_loop(event_loop: EventLoop) -> Self {
        Self {
            state: State::Initialized(event_loop),
            debug: None,
            loop_factory: EventLoop::new,
        }
    }

    /// The runner's loop, made at the first call (`Runner.get_loop`).
    ///
    /// # Errors
    /// [`RunnerError::Closed`] after a close.
    pub fn get_loop(&mut self) -> Result<EventLoop, RunnerError> {
        if matches!(self.state, State::Created) {
            let event_loop = (self.loop_factory)();
            if self.debug.unwrap_or_else(debug_from_environment) {
                event_loop.set_debug(true);
            }
            self.state = State::Initialized(event_loop);
        }
        match &self.state {
            State::Initialized(event_loop) => Ok(event_loop.clone()),
            State::Created | State::Closed => Err(RunnerError::Closed),
        }
    }

    // ANCHOR: run
    /// Runs a coroutine to its end (`Runner.run`, `runners.py`, line 84 at v3.13.0). On the main
    /// thread, Ctrl-C cancels it, so that it can clean up; a second Ctrl-C ends the process.
    ///
    /// # Errors
    /// What the coroutine ended with; [`Interrupted`] after a Ctrl-C; a [`RunnerError`].
    #[track_caller]
    pub fn run<T, F>(&mut self, coroutine: F) -> Outcome<T>
    where
        T: Clone + 'static,
        F: Future<Output = Outcome<T>> + 'static,
    {
        check_outside()?;
        let main = self.get_loop()?.create_task(coroutine)?;
        self.run_task(main)
    }

    /// Runs a task of the runner's loop to its end, as [`run`](Self::run) does.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_task<T: Clone + 'static>(&mut self, main: Task<T>) -> Outcome<T> {
        check_outside()?;
        let event_loop = self.get_loop()?;
        let interrupts = Interrupts::cancel(&event_loop, &main);
        let outcome = event_loop.run_until_complete(main);
        match outcome {
            Err(Exception::Cancelled) if interrupts.any() => Err(Exception::exit(Interrupted)),
            outcome => outcome,
        }
    }
    // ANCHOR_END: run

    /// Ends in order: cancels what is left, closes asynchronous generators, joins the default
    /// executor, closes the loop (`Runner.close`). Does nothing the second time.
    ///
    /// # Errors
    /// What ended a phase early; the loop is closed all the same.
    pub fn close(&mut self) -> Outcome<()> {
        self.close_observed(|_| ())
    }

    // ANCHOR: close
    /// [`close`](Self::close), which tells as each phase begins.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub fn close_observed(&mut self, mut observe: impl FnMut(Phase)) -> Outcome<()> {
        let State::Initialized(event_loop) = std::mem::replace(&mut self.state, State::Closed)
        else {
            return Ok(());
        };
        let ended = (|| {
            cancel_all_tasks(&event_loop, &mut observe)?;
            observe(Phase::AsyncGenerators);
            run_library_task(&event_loop, "shutdown_asyncgens", shutdown_asyncgens())?;
            observe(Phase::DefaultExecutor);
            let last = shutdown_default_executor();
            run_library_task(&event_loop, "shutdown_default_executor", last)
        })();
        let closed = event_loop.close();
        ended?;
        Ok(closed?)
    }
    // ANCHOR_END: close
}

fn check_outside() -> Result<(), RunnerError> {
    with_running_loop(|_| Err(RunnerError::InRunningLoop)).unwrap_or(Ok(()))
}

/// `run_until_complete` of a coroutine, whose task gets a name.
fn run_library_task(
    event_loop: &EventLoop,
    name: &str,
    coroutine: impl Future<Output = Outcome<()>> + 'static,
) -> Outcome<()> {
    let task = event_loop.create_task(coroutine)?;
    task.set_name(name);
    task.keep_quiet_if_destroyed();
    event_loop.run_until_complete(task)
}

/// Cancels what is left and waits for it (`runners.py`, `_cancel_all_tasks`).
fn cancel_all_tasks(event_loop: &EventLoop, observe: &mut impl FnMut(Phase)) -> Outcome<()> {
    let left = all_tasks(event_loop);
    if left.is_empty() {
        return Ok(());
    }
    observe(Phase::Cancel);
    for task in &left {
        task.cancel();
    }
    let children = left.iter().map(wakeup::TaskRef::future).collect();
    event_loop.run_until_complete(gather_any(event_loop, children))?;
    for task in left {
        if let Ok(Some(exception)) = task.future().exception() {
            let message = "unhandled exception during asyncio.run() shutdown";
            let context = ExceptionContext::new(message)
                .with_exception(exception)
                .with_detail("task", task);
            event_loop.call_exception_handler(&context);
        }
    }
    Ok(())
}

impl Drop for Runner {
    fn drop(&mut self) {
        // Within a turn nothing can be run to its end; the loop goes with its last clone.
        if with_running_loop(|_| ()).is_none()
            && let Err(exception) = self.close()
        {
            log::error!(target: "asyncio", "closing a runner: {exception}");
        }
    }
}

/// Runs one coroutine on a loop of its own, from the first step to an orderly end
/// (`asyncio.run`).
///
/// # Errors
/// As [`Runner::run`].
#[track_caller]
pub fn run<T, F>(main: F) -> Outcome<T>
where
    T: Clone + 'static,
    F: Future<Output = Outcome<T>> + 'static,
{
    let mut runner = Runner::new();
    let outcome = runner.run(main);
    runner.close()?;
    outcome
}
