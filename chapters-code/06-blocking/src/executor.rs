//! Who does blocking work, and the default one of each loop. The pool of threads and the virtual
//! executor are the two that there are.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use six_steps::{Attachment, EventLoop, LoopError, running_loop};
use wakeup::{Outcome, Tasks};

use crate::thread_pool::ThreadPool;
use crate::way_back::Jobs;

// ANCHOR: job
/// A piece of work, in two parts: the work itself, and the way back of its result. Between the
/// two a thread can say that it is free, so that whoever hears of the result finds it so.
pub struct Job(Box<dyn Parts + Send>);

/// What a [`Job`] is made of.
pub(crate) trait Parts {
    /// Does the work. Called once.
    fn work(&mut self);
    /// Tells whoever waits for it.
    fn tell(self: Box<Self>);
}
// ANCHOR_END: job

impl Job {
    /// Work of which nobody waits to hear.
    ///
    /// ```
    /// use blocking::{Executor, Job, ThreadPool};
    ///
    /// let (tell, told) = std::sync::mpsc::channel();
    /// ThreadPool::new().submit(Job::new(move || tell.send(2 * 21).unwrap()))?;
    /// assert_eq!(told.recv(), Ok(42));
    /// # Ok::<(), blocking::ExecutorError>(())
    /// ```
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self::of(Untold(Some(work)))
    }

    pub(crate) fn of(parts: impl Parts + Send + 'static) -> Self {
        Self(Box::new(parts))
    }

    /// Does the work: an executor calls this first, and once.
    pub fn work(&mut self) {
        self.0.work();
    }

    /// Tells whoever waits for it.
    pub fn tell(self) {
        self.0.tell();
    }
}

struct Untold<F>(Option<F>);

impl<F: FnOnce()> Parts for Untold<F> {
    fn work(&mut self) {
        if let Some(work) = self.0.take() {
            work();
        }
    }

    fn tell(self: Box<Self>) {}
}

// ANCHOR: executor
/// Does jobs somewhere else (`concurrent.futures.Executor`).
pub trait Executor {
    /// Has a job done, soon.
    ///
    /// # Errors
    /// [`ExecutorError::ShutDown`] after [`shutdown`](Self::shutdown), or that the job could not
    /// be taken; it is dropped then.
    fn submit(&self, job: Job) -> Result<(), ExecutorError>;

    /// Takes no more jobs, finishes those it has, and then calls `done`, on any thread.
    fn shutdown(&self, done: Box<dyn FnOnce() + Send>);
}
// ANCHOR_END: executor

/// A job could not be handed over.
#[derive(Debug, thiserror::Error)]
pub enum ExecutorError {
    /// The loop's default executor was shut down (CPython's `RuntimeError`, in its words).
    #[error("Executor shutdown has been called")]
    DefaultShutDown,
    /// This executor was shut down (the same, in the words of `concurrent.futures`).
    #[error("cannot schedule new futures after shutdown")]
    ShutDown,
    /// The system has no thread to give.
    #[error("can't start new thread: {0}")]
    NoThread(#[from] std::io::Error),
    /// The loop that a virtual executor stands on took no timer.
    #[error(transparent)]
    Loop(#[from] LoopError),
}

/// The default executor of a loop, made when it is first needed.
#[derive(Default)]
pub(crate) struct DefaultExecutor {
    executor: RefCell<Option<Rc<dyn Executor>>>,
    shut_down: Cell<bool>,
}

impl Attachment for DefaultExecutor {}

impl DefaultExecutor {
    pub(crate) fn get(&self) -> Result<Rc<dyn Executor>, ExecutorError> {
        if self.shut_down.get() {
            return Err(ExecutorError::DefaultShutDown);
        }
        let mut executor = self.executor.borrow_mut();
        let made = executor.get_or_insert_with(|| Rc::new(ThreadPool::new()));
        Ok(Rc::clone(made))
    }
}

/// Has this loop's [`run_in_executor`](crate::run_in_executor) use another executor
/// (`loop.set_default_executor`).
///
/// ```
/// use blocking::{ThreadPool, set_default_executor, to_thread};
/// use six_steps::EventLoop;
/// use std::rc::Rc;
/// use wakeup::Tasks;
///
/// let event_loop = EventLoop::new();
/// set_default_executor(&event_loop, Rc::new(ThreadPool::with_threads(1)));
/// let two = event_loop.run_until_complete(to_thread(|| 1 + 1));
/// assert_eq!(two.unwrap(), 2);
/// event_loop.close().unwrap();
/// ```
pub fn set_default_executor(event_loop: &EventLoop, executor: Rc<dyn Executor>) {
    event_loop
        .attachment::<DefaultExecutor>()
        .executor
        .replace(Some(executor));
}

// ANCHOR: shutdown
/// Takes no more jobs and waits until those at work are done and their threads have ended
/// (`base_events.py`, `shutdown_default_executor`, line 597 at v3.13.0). No executor, no turn.
///
/// # Errors
/// What is thrown into the task meanwhile; no running loop.
pub async fn shutdown_default_executor() -> Outcome<()> {
    let event_loop = running_loop()?;
    let default = event_loop.attachment::<DefaultExecutor>();
    default.shut_down.set(true);
    let Some(executor) = default.executor.borrow().clone() else {
        return Ok(());
    };
    let all_done = event_loop.create_future();
    let way_back = Jobs::expect(&event_loop, &all_done);
    executor.shutdown(Box::new(move || way_back.send(Ok(()))));
    all_done.await
}
// ANCHOR_END: shutdown
