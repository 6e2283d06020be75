//! Blocking calls on the virtual clock, and other threads on which they do no harm. A job runs at
//! once, on the loop's own thread, and its result comes back when the time that it held is over.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use blocking::{Executor, ExecutorError, Job, set_default_executor};
use containers::VirtualClock;
use six_steps::EventLoop;

thread_local! {
    static CLOCK: RefCell<VirtualClock> = RefCell::default();
    /// Within a job: how long it has held its thread so far.
    static IN_JOB: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// From here on this thread's blocking calls move this clock.
pub(crate) fn held_on(clock: VirtualClock) {
    CLOCK.set(clock);
}

/// Holds the thread that it is called on, on the virtual clock: what a query without a timeout, a
/// printer's driver or a long computation does. In a job of [`OtherThreads`] the loop's own thread
/// stays free.
///
/// ```
/// use std::time::Duration;
///
/// let (event_loop, _) = lesson::virtual_loop();
/// lesson::hold(Duration::from_millis(80));
/// assert_eq!(event_loop.time(), Duration::from_millis(80));
/// ```
pub fn hold(time: Duration) {
    match IN_JOB.get() {
        Some(held) => IN_JOB.set(Some(held.saturating_add(time))),
        None => CLOCK.with_borrow(|clock| clock.advance(time)),
    }
}

/// An executor of threads that are always free, on the virtual clock: a job takes as long as the
/// calls of [`hold`] in it say.
///
/// ```
/// use std::time::Duration;
/// use wakeup::Tasks;
///
/// let (event_loop, clock) = lesson::virtual_loop();
/// let threads = lesson::OtherThreads::of(&event_loop);
/// let job = || lesson::hold(Duration::from_millis(80));
/// event_loop.run_until_complete(blocking::to_thread(job)).unwrap();
/// assert_eq!((threads.jobs(), clock.time()), (1, Duration::from_millis(80)));
/// ```
pub struct OtherThreads {
    event_loop: EventLoop,
    state: Rc<State>,
}

#[derive(Default)]
struct State {
    jobs: Cell<usize>,
    out: Cell<usize>,
    shut_down: Cell<bool>,
    when_done: RefCell<Vec<Box<dyn FnOnce() + Send>>>,
}

impl OtherThreads {
    /// Makes such threads the default executor of a loop.
    pub fn of(event_loop: &EventLoop) -> Rc<Self> {
        let threads = Rc::new(Self {
            event_loop: event_loop.clone(),
            state: Rc::default(),
        });
        set_default_executor(event_loop, Rc::clone(&threads) as Rc<dyn Executor>);
        threads
    }

    /// How many jobs were handed over so far.
    pub fn jobs(&self) -> usize {
        self.state.jobs.get()
    }

    /// Whether they were shut down and all their jobs are done.
    pub fn joined(&self) -> bool {
        self.state.shut_down.get() && self.state.out.get() == 0
    }
}

impl State {
    fn tell_if_done(&self) {
        if self.shut_down.get() && self.out.get() == 0 {
            for done in self.when_done.take() {
                done();
            }
        }
    }
}

/// A job that is out; it is back when this is dropped, be its result told or swept away.
struct Out(Rc<State>);

impl Drop for Out {
    fn drop(&mut self) {
        self.0.out.set(self.0.out.get() - 1);
        self.0.tell_if_done();
    }
}

impl Executor for OtherThreads {
    fn submit(&self, mut job: Job) -> Result<(), ExecutorError> {
        if self.state.shut_down.get() {
            return Err(ExecutorError::ShutDown);
        }
        self.state.jobs.set(self.state.jobs.get() + 1);
        self.state.out.set(self.state.out.get() + 1);
        let out = Out(Rc::clone(&self.state));
        IN_JOB.set(Some(Duration::ZERO));
        job.work(); // catches a panic of the job
        let takes = IN_JOB.take().unwrap_or_default();
        self.event_loop.call_later(takes, move || {
            let _back_when_told = out;
            job.tell();
        })?;
        Ok(())
    }

    fn shutdown(&self, done: Box<dyn FnOnce() + Send>) {
        self.state.shut_down.set(true);
        self.state.when_done.borrow_mut().push(done);
        self.state.tell_if_done();
    }
}
