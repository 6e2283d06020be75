//! A runner: one loop, many runs, and the three phases of its end.

use std::mem;
use std::rc::Rc;

use blocking::shutdown_default_executor;
use debug_mode::{DebugMode, debug_from_environment};
use film::{Film, film_from_environment};
use six_steps::{EventLoop, Exception, ExceptionContext, with_running_loop};
use wakeup::{Outcome, Task, Tasks, all_tasks, gather_any};

use crate::asyncgens::shutdown_asyncgens;
use crate::error::{Interrupted, RunnerError};
use crate::interrupt::{Interrupt, Interrupts};

/// Runs coroutines on one loop, and closes it in order (`asyncio/runners.py`, `Runner`).
///
/// Dropping it closes it; call [`close`](Self::close) to see what goes wrong then.
pub struct Runner {
    state: State,
    debug: Option<bool>,
    // Films the loop, if the environment asks for it.
    film: Option<Rc<Film>>,
}

enum State {
    Created(Box<dyn FnOnce() -> EventLoop>),
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
    /// A runner that will make its own loop; in debug mode if the environment asks for it, and
    /// filmed likewise ([`FILM_VARIABLE`](film::FILM_VARIABLE)).
    pub fn new() -> Self {
        Self {
            state: State::Created(Box::new(EventLoop::new)),
            debug: None,
            film: None,
        }
    }

    /// The same runner, in debug mode or not, whatever the environment or its loop says.
    #[must_use]
    pub fn with_debug(mut self, debug: bool) -> Self {
        self.debug = Some(debug);
        if let State::Initialized(event_loop) = &self.state {
            event_loop.set_debug(debug);
        }
        self
    }

    /// The same runner with another way to make its loop (`loop_factory`); one that has its loop
    /// keeps it.
    #[must_use]
    pub fn with_loop_factory(mut self, make: impl FnOnce() -> EventLoop + 'static) -> Self {
        if let State::Created(default) = &mut self.state {
            *default = Box::new(make);
        }
        self
    }

    /// A runner on a loop that exists already. The environment does not change its debug mode.
    pub fn with_loop(event_loop: EventLoop) -> Self {
        Self {
            state: State::Initialized(event_loop),
            debug: None,
            film: None,
        }
    }

    /// The runner's loop, made at the first call (`Runner.get_loop`).
    ///
    /// # Errors
    /// [`RunnerError::Closed`] after a close.
    pub fn get_loop(&mut self) -> Result<EventLoop, RunnerError> {
        let event_loop = match mem::replace(&mut self.state, State::Closed) {
            State::Closed => return Err(RunnerError::Closed),
            State::Initialized(event_loop) => event_loop,
            State::Created(make) => {
                let event_loop = make();
                match self.debug {
                    Some(debug) => event_loop.set_debug(debug),
                    None if debug_from_environment() => event_loop.set_debug(true),
                    None => {}
                }
                self.film = film_from_environment(&event_loop);
                event_loop
            }
        };
        self.state = State::Initialized(event_loop.clone());
        Ok(event_loop)
    }

    // ANCHOR: run
    /// Runs a coroutine to its end (`Runner.run`, `runners.py`, line 86 at v3.13.0). On the main
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
        check_outside("Runner.run()")?;
        let main = self.get_loop()?.create_task(coroutine)?;
        self.run_task(main)
    }

    /// Runs a task of the runner's loop to its end, as [`run`](Self::run) does.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_task<T: Clone + 'static>(&mut self, main: Task<T>) -> Outcome<T> {
        check_outside("Runner.run()")?;
        let event_loop = self.get_loop()?;
        self.film_of(&main);
        let interrupts = Interrupts::cancel(&event_loop, &main);
        let outcome = event_loop.run_until_complete(main);
        match (interrupts.end(), outcome) {
            (Interrupt::CancelledMain | Interrupt::TooLate, Err(Exception::Cancelled))
            | (Interrupt::TooLate, Ok(_)) => Err(Exception::exit(Interrupted)),
            // A main task that took the cancellation and went on has the last word.
            (_, outcome) => outcome,
        }
    }
    // ANCHOR_END: run

    /// Tells the film, if there is one, whose run begins.
    fn film_of<T: 'static>(&self, main: &Task<T>) {
        // A task's name costs an allocation, which a run that nobody films does not pay for.
        if let Some(film) = &self.film {
            film.set_phase(&format!("run:{}", main.name()));
        }
    }

    /// Ends in order: cancels what is left, closes asynchronous generators, joins the default
    /// executor, closes the loop (`Runner.close`). Does nothing the second time, nor before the
    /// first run.
    ///
    /// # Errors
    /// What ended a phase early; the loop is closed all the same. [`RunnerError::InRunningLoop`]
    /// from within a turn, and then nothing was done.
    pub fn close(&mut self) -> Outcome<()> {
        self.close_observed(|_| ())
    }

    // ANCHOR: close
    /// [`close`](Self::close), which tells as each phase begins.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub fn close_observed(&mut self, observe: impl FnMut(Phase)) -> Outcome<()> {
        let State::Initialized(event_loop) = &self.state else {
            return Ok(());
        };
        check_outside("Runner.close()")?;
        let event_loop = event_loop.clone();
        self.state = State::Closed;
        let mut observe = in_a_film(self.film.take(), observe);
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

/// Tells a film of the phases as well; there they are called as in the traces.
fn in_a_film(film: Option<Rc<Film>>, mut observe: impl FnMut(Phase)) -> impl FnMut(Phase) {
    move |phase| {
        if let Some(film) = &film {
            film.set_phase(match phase {
                Phase::Cancel => "cancel",
                Phase::AsyncGenerators => "asyncgens",
                Phase::DefaultExecutor => "executor",
            });
        }
        observe(phase);
    }
}

fn check_outside(function: &'static str) -> Result<(), RunnerError> {
    with_running_loop(|_| Err(RunnerError::InRunningLoop(function))).unwrap_or(Ok(()))
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
        let State::Initialized(event_loop) = &self.state else {
            return;
        };
        let event_loop = event_loop.clone();
        if with_running_loop(|_| ()).is_some() {
            // Nothing can be run to its end within a turn. Tasks that are left are reported; if the
            // turn is of this very loop, there is nothing to close yet.
            let _ = event_loop.close();
        } else if let Err(exception) = self.close() {
            report(
                &event_loop,
                "unhandled exception in the closing of a dropped Runner",
                exception,
            );
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
    check_outside("run()")?;
    let mut runner = Runner::new();
    let event_loop = runner.get_loop()?;
    let outcome = runner.run(main);
    if let Err(closing) = runner.close() {
        // Python raises the later of two exceptions and shows the earlier one beside it.
        if let Err(earlier) = outcome {
            report(
                &event_loop,
                "unhandled exception before the closing of the loop failed",
                earlier,
            );
        }
        return Err(closing);
    }
    outcome
}

fn report(event_loop: &EventLoop, message: &str, exception: Exception) {
    let context = ExceptionContext::new(message).with_exception(exception);
    event_loop.call_exception_handler(&context);
}
