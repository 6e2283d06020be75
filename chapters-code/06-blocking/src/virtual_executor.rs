//! An executor for the virtual clock: a job takes a time that is known beforehand, and no thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use six_steps::EventLoop;

use crate::executor::{Executor, ExecutorError, Job, set_default_executor};

/// Runs each job on the loop's own thread, `takes` after it was handed over, as if it had run on
/// another one meanwhile. With it, tests of offloaded work are exact. All jobs run side by side.
///
/// ```
/// use blocking::{VirtualExecutor, to_thread};
/// use six_steps::{EventLoop, VirtualSelector};
/// use std::time::Duration;
/// use wakeup::Tasks;
///
/// let event_loop = EventLoop::with_selector(VirtualSelector::new());
/// let hour = Duration::from_secs(3600);
/// VirtualExecutor::make_default(&event_loop, hour);
/// event_loop.run_until_complete(to_thread(|| ())).unwrap();
/// assert_eq!(event_loop.time(), hour);
/// event_loop.close().unwrap();
/// ```
pub struct VirtualExecutor {
    event_loop: EventLoop,
    takes: Duration,
    state: Rc<State>,
}

#[derive(Default)]
struct State {
    out: Cell<usize>,
    shut_down: Cell<bool>,
    when_done: RefCell<Vec<Box<dyn FnOnce() + Send>>>,
}

impl VirtualExecutor {
    /// An executor whose jobs take this long on the loop's clock.
    pub fn new(event_loop: &EventLoop, takes: Duration) -> Self {
        Self {
            event_loop: event_loop.clone(),
            takes,
            state: Rc::default(),
        }
    }

    /// Makes one the default executor of its loop.
    pub fn make_default(event_loop: &EventLoop, takes: Duration) {
        set_default_executor(event_loop, Rc::new(Self::new(event_loop, takes)));
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

/// A job that is out; it is back when this is dropped, be the job done, panicked or swept away.
struct Out(Rc<State>);

impl Drop for Out {
    fn drop(&mut self) {
        self.0.out.set(self.0.out.get() - 1);
        self.0.tell_if_done();
    }
}

impl Executor for VirtualExecutor {
    fn submit(&self, mut job: Job) -> Result<(), ExecutorError> {
        if self.state.shut_down.get() {
            return Err(ExecutorError::ShutDown);
        }
        self.state.out.set(self.state.out.get() + 1);
        let out = Out(Rc::clone(&self.state));
        self.event_loop.call_later(self.takes, move || {
            let _back_when_done = out;
            job.work();
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
