//! Who does blocking work, and the default one of each loop.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use six_steps::{Attachment, EventLoop, running_loop};
use wakeup::{Outcome, Tasks};

use crate::offload::Jobs;
use crate::thread_pool::ThreadPool;

/// A piece of work.
pub type Job = Box<dyn FnOnce() + Send>;

/// Does jobs somewhere else (`concurrent.futures.Executor`).
pub trait Executor {
    /// Has a job done, soon.
    ///
    /// # Errors
    /// [`ExecutorError::ShutDown`] after [`shutdown`](Self::shutdown), or that no thread could be
    /// started.
    fn submit(&self, job: Job) -> Result<(), ExecutorError>;

    /// Takes no more jobs, finishes those it has, and then calls `done`, on any thread.
    fn shutdown(&self, done: Job);
}

/// A job could not be handed over.
#[derive(Debug, thiserror::Error)]
pub enum ExecutorError {
    /// `shutdown_default_executor` was called (CPython's `RuntimeError`).
    #[error("Executor shutdown has been called")]
    ShutDown,
    /// The system has no thread to give.
    #[error("no thread can be started: {0}")]
    NoThread(#[from] std::io::Error),
}

/// The default executor of a loop, made when it is first needed.
#[derive(Default)]
pub(crate) struct Default {
    executor: RefCell<Option<Rc<dyn Executor>>>,
    shut_down: Cell<bool>,
}

impl Attachment for Default {}

impl Default {
    pub(crate) fn get(&self) -> Result<Rc<dyn Executor>, ExecutorError> {
        if self.shut_down.get() {
            return Err(ExecutorError::ShutDown);
        }
        let mut executor = self.executor.borrow_mut();
        let made = executor.get_or_insert_with(|| Rc::new(ThreadPool::new()));
        Ok(Rc::clone(made))
    }
}

/// Has this loop's [`run_in_executor`](crate::run_in_executor) use another executor
/// (`loop.set_default_executor`).
pub fn set_default_executor(event_loop: &EventLoop, executor: Rc<dyn Executor>) {
    event_loop
        .attachment::<Default>()
        .executor
        .replace(Some(executor));
}

// ANCHOR: shutdown
/// Takes no more jobs and waits until those at work are done (`base_events.py`,
/// `shutdown_default_executor`, line 597 at v3.13.0). Nothing to wait for, no turn.
///
/// # Errors
/// What is thrown into the task meanwhile; no running loop.
pub async fn shutdown_default_executor() -> Outcome<()> {
    let event_loop = running_loop()?;
    let default = event_loop.attachment::<Default>();
    default.shut_down.set(true);
    let Some(executor) = default.executor.take() else {
        return Ok(());
    };
    let all_done = event_loop.create_future();
    let finish = Jobs::expect(&event_loop, &all_done);
    executor.shutdown(Box::new(move || finish.post(())));
    all_done.await
}
// ANCHOR_END: shutdown
