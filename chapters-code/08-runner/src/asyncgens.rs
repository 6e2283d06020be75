//! Asynchronous generators: coroutines that stand at a yield with cleaning up still to do. A loop
//! knows the open ones, and closes them at its end.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::pin::Pin;
use std::rc::Rc;

use six_steps::{Attachment, EventLoop, ExceptionContext, LoopError, running_loop};
use wakeup::{Outcome, Tasks, gather_return_exceptions};

use crate::error::RunnerError;

/// What is left to do of a generator that stands at a yield: its `finally`.
///
/// Stable Rust has no generators to write such a thing with, so this is the part of one that a
/// loop has to do with. A loop keeps those that are open, in the order of their opening.
#[derive(Clone)]
pub struct AsyncGenerator {
    inner: Rc<Inner>,
}

struct Inner {
    name: String,
    last: Cell<Option<Last>>,
    running: Cell<bool>,
    // Whether its loop still holds it; once it is closed, only those do who use it.
    open: Cell<bool>,
}

type Last = Pin<Box<dyn Future<Output = Outcome<()>>>>;

/// The generators of a loop (`BaseEventLoop._asyncgens`): those that are open, and those that are
/// closed and still in use, which asyncio's set of weak references has too.
#[derive(Default)]
struct Generators {
    all: RefCell<Vec<AsyncGenerator>>,
}

impl Generators {
    /// Lets go of those that are closed and that nobody else holds.
    fn sweep(&self) {
        let in_use = |generator: &AsyncGenerator| {
            generator.inner.open.get() || Rc::strong_count(&generator.inner) > 1
        };
        self.all.borrow_mut().retain(in_use);
    }
}

impl Attachment for Generators {}

impl AsyncGenerator {
    /// A generator of the running loop that has reached a yield; `last` is what closing it runs.
    ///
    /// # Errors
    /// [`LoopError::NoRunningLoop`] outside of a turn.
    pub fn open(
        name: &str,
        last: impl Future<Output = Outcome<()>> + 'static,
    ) -> Result<Self, LoopError> {
        let inner = Inner {
            name: name.to_owned(),
            last: Cell::new(Some(Box::pin(last))),
            running: Cell::new(false),
            open: Cell::new(true),
        };
        let generator = Self {
            inner: Rc::new(inner),
        };
        let generators = running_loop()?.attachment::<Generators>();
        // Each time their number doubles: at most twice as many stand here as are needed.
        if generators.all.borrow().len().is_power_of_two() {
            generators.sweep();
        }
        generators.all.borrow_mut().push(generator.clone());
        Ok(generator)
    }

    /// Runs what is left of it (`agen.aclose`). Nothing, if it is closed.
    ///
    /// # Errors
    /// What its `finally` ended with; [`RunnerError::GeneratorRunning`] while another task closes
    /// it.
    pub async fn aclose(&self) -> Outcome<()> {
        if self.inner.running.get() {
            return Err(RunnerError::GeneratorRunning.into());
        }
        let Some(last) = self.inner.last.take() else {
            return Ok(());
        };
        self.inner.open.set(false);
        let _running = Running::start(&self.inner.running);
        last.await
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }
}

/// While it lives, a generator's `finally` runs; it may be dropped before its end.
struct Running<'a>(&'a Cell<bool>);

impl<'a> Running<'a> {
    fn start(running: &'a Cell<bool>) -> Self {
        running.set(true);
        Self(running)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl fmt::Debug for AsyncGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<async_generator object {}>", self.inner.name)
    }
}

// ANCHOR: shutdown_asyncgens
/// Closes all generators that are open (`base_events.py`, `shutdown_asyncgens`, line 572 at
/// v3.13.0). None, no turn.
///
/// # Errors
/// What is thrown into the task meanwhile. What goes wrong in a generator is reported.
pub async fn shutdown_asyncgens() -> Outcome<()> {
    let event_loop = running_loop()?;
    let open = event_loop.attachment::<Generators>().all.take();
    if open.is_empty() {
        return Ok(());
    }
    let mut closing = Vec::new();
    for (index, generator) in open.iter().cloned().enumerate() {
        let task = event_loop.create_task(async move { generator.aclose().await })?;
        task.set_name(&format!("aclose.{index}"));
        task.keep_quiet_if_destroyed();
        closing.push(task);
    }
    let results = gather_return_exceptions(closing)?.await?;
    for (generator, result) in open.into_iter().zip(results) {
        report(&event_loop, generator, result);
    }
    Ok(())
}
// ANCHOR_END: shutdown_asyncgens

fn report(event_loop: &EventLoop, generator: AsyncGenerator, result: Outcome<()>) {
    // CPython reports an `Exception`, which a cancellation is not.
    let Err(exception) = result else { return };
    if exception.is_cancelled() || exception.is_exit() {
        return;
    }
    let what = "an error occurred during closing of asynchronous generator";
    let context = ExceptionContext::new(format!("{what} {generator:?}"))
        .with_exception(exception)
        .with_detail("asyncgen", generator);
    event_loop.call_exception_handler(&context);
}
