//! The way back of a result. A future cannot leave its loop's thread, so it stays there, under a
//! number; the number goes out with the job, and comes back through the hatch once the result lies
//! in the one place that both threads see.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use six_steps::{Attachment, Callback, EventLoop, Exception, Handle, Hatch, with_running_loop};
use wakeup::{Future, Outcome};

/// The jobs of a loop that are out.
#[derive(Default)]
pub(crate) struct Jobs {
    out: RefCell<HashMap<u64, Box<dyn Expected>>>,
    handed_out: Cell<u64>,
}

impl Attachment for Jobs {}

// ANCHOR: source
/// What both threads hold of a job (`concurrent.futures.Future`).
struct Source<T> {
    // Raised once: by the thread that begins the job, or by a cancellation that is earlier.
    taken: AtomicBool,
    // A std mutex: held to put the result in and to take it out, and by one thread at a time.
    result: Mutex<Option<thread::Result<T>>>,
}

/// What the loop's thread keeps: where a result is to go, and where it will lie.
struct Chain<T: 'static> {
    source: Arc<Source<T>>,
    destination: Future<T>,
}

/// What goes out with the job.
pub(crate) struct WayBack<T> {
    source: Arc<Source<T>>,
    hatch: Hatch,
    number: u64,
}
// ANCHOR_END: source

impl<T> Source<T> {
    /// Whether the caller is the first to take the job.
    fn take_job(&self) -> bool {
        !self.taken.swap(true, Ordering::AcqRel)
    }

    fn place(&self) -> MutexGuard<'_, Option<thread::Result<T>>> {
        // Nobody panics while holding it.
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A [`Chain`], whatever its result.
trait Expected {
    fn set_state(self: Box<Self>);
    fn unwanted(&self) -> bool;
    fn cancel_source(&self) -> bool;
}

impl Jobs {
    /// Keeps a future until its result comes through the hatch.
    pub(crate) fn expect<T: Send + 'static>(
        event_loop: &EventLoop,
        destination: &Future<T>,
    ) -> WayBack<T> {
        let jobs = event_loop.attachment::<Self>();
        let number = jobs.handed_out.get();
        jobs.handed_out.set(number + 1);
        let source = Arc::new(Source {
            taken: AtomicBool::new(false),
            result: Mutex::new(None),
        });
        let chain = Chain {
            source: Arc::clone(&source),
            destination: destination.clone(),
        };
        jobs.out.borrow_mut().insert(number, Box::new(chain));
        WayBack {
            source,
            hatch: event_loop.hatch(),
            number,
        }
    }

    /// Forgets a future whose result nobody will send or wants. The caller drops it: what it
    /// holds may call the loop.
    #[must_use]
    fn take(&self, number: u64) -> Option<Box<dyn Expected>> {
        self.out.borrow_mut().remove(&number)
    }

    /// Takes back an [`expect`](Self::expect) whose job could not be handed over.
    pub(crate) fn forget(event_loop: &EventLoop, number: u64) {
        drop(event_loop.attachment::<Self>().take(number));
    }
}

impl<T: Send + 'static> WayBack<T> {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Whether the job may begin (`set_running_or_notify_cancel`).
    pub(crate) fn begin(&self) -> bool {
        self.source.take_job()
    }

    // ANCHOR: send
    /// Lays the result down and posts the number. On the job's thread.
    pub(crate) fn send(self, result: thread::Result<T>) {
        *self.source.place() = Some(result);
        // A loop that was closed meanwhile wants no result.
        let _ = self.hatch.call_soon_threadsafe(set_state(self.number));
    }
    // ANCHOR_END: send
}

// ANCHOR: set_state
/// What comes through the hatch (`futures.py`, `_chain_future`, `_set_state`, line 380 at v3.13.0).
fn set_state(number: u64) -> impl FnOnce() + Send {
    move || {
        let job = with_running_loop(|event_loop| event_loop.attachment::<Jobs>().take(number));
        if let Some(job) = job.flatten() {
            job.set_state();
        }
    }
}
// ANCHOR_END: set_state

impl<T: 'static> Expected for Chain<T> {
    fn set_state(self: Box<Self>) {
        let result = self.source.place().take();
        // Whoever ended the future meanwhile wants no result.
        let _ = match result {
            Some(Ok(value)) => self.destination.set_result(value),
            Some(Err(payload)) => {
                let exception = Exception::from_panic(payload);
                self.destination.set_exception(exception)
            }
            None => Ok(()),
        };
    }

    fn unwanted(&self) -> bool {
        self.destination.cancelled()
    }

    fn cancel_source(&self) -> bool {
        self.source.take_job()
    }
}

// ANCHOR: check_cancel
/// The destination's first done callback, which passes a cancellation on to the job
/// (`_chain_future`, `_call_check_cancel`, line 386). It knows the number and not the future, or
/// the future would hold itself.
pub(crate) struct CheckCancel {
    pub(crate) number: u64,
}

impl Callback for CheckCancel {
    fn run(&self, _: &Handle) -> Outcome<()> {
        let Some(Some((cancelled, event_loop))) = with_running_loop(|event_loop| {
            let jobs = event_loop.attachment::<Jobs>();
            let unwanted = jobs.out.borrow().get(&self.number)?.unwanted();
            let cancelled = if unwanted {
                jobs.take(self.number)
            } else {
                None
            };
            Some((cancelled?, event_loop.clone()))
        }) else {
            return Ok(());
        };
        if cancelled.cancel_source() {
            // The job was still waiting. CPython's source is done with that, and tells its
            // destination, which has no use for it: a handle in the next turn.
            event_loop.call_soon(set_state(self.number))?;
        }
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("check_cancel")
    }
}
// ANCHOR_END: check_cancel

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::mpsc::channel;

    use six_steps::EventLoop;
    use wakeup::{Tasks, yield_now};

    use super::Jobs;
    use crate::{ThreadPool, run_in_executor, set_default_executor, shutdown_default_executor};

    fn out(event_loop: &EventLoop) -> usize {
        event_loop.attachment::<Jobs>().out.borrow().len()
    }

    fn on_one_thread() -> EventLoop {
        let event_loop = EventLoop::new();
        set_default_executor(&event_loop, Rc::new(ThreadPool::with_threads(1)));
        event_loop
    }

    #[test]
    fn a_job_that_came_back_is_forgotten() {
        let event_loop = on_one_thread();
        let here = event_loop.clone();
        let during = event_loop.run_until_complete(async move {
            let job = run_in_executor(|| 1)?;
            let during = out(&here);
            job.await?;
            shutdown_default_executor().await?;
            Ok(during)
        });
        assert_eq!((during.unwrap(), out(&event_loop)), (1, 0));
        event_loop.close().unwrap();
    }

    #[test]
    fn a_job_that_panicked_is_forgotten() {
        let event_loop = on_one_thread();
        let failed = event_loop.run_until_complete(async {
            let job = run_in_executor(|| assert_eq!(1, 2))?;
            job.await
        });
        assert!(failed.is_err());
        assert_eq!(out(&event_loop), 0);
        event_loop.close().unwrap();
    }

    #[test]
    fn a_cancelled_job_is_forgotten_at_once_begun_or_not() {
        let event_loop = on_one_thread();
        let here = event_loop.clone();
        let (open, gate) = channel::<()>();
        let (begun, has_begun) = channel();
        let counts = event_loop.run_until_complete(async move {
            let running = run_in_executor(move || {
                begun.send(()).unwrap();
                gate.recv().unwrap();
            })?;
            let waiting = run_in_executor(|| ())?;
            has_begun.recv().unwrap();
            running.cancel();
            waiting.cancel();
            let before = out(&here);
            yield_now().await?;
            let after = out(&here);
            open.send(())?;
            shutdown_default_executor().await?;
            Ok((before, after))
        });
        assert_eq!((counts.unwrap(), out(&event_loop)), ((2, 0), 0));
        event_loop.close().unwrap();
    }

    #[test]
    fn a_job_that_was_refused_is_forgotten() {
        let event_loop = on_one_thread();
        let here = event_loop.clone();
        let refused = event_loop.run_until_complete(async move {
            let pool = ThreadPool::new();
            crate::Executor::shutdown(&pool, Box::new(|| ()));
            let refused = crate::run_in(&pool, || ()).is_err();
            Ok((refused, out(&here)))
        });
        assert_eq!(refused.unwrap(), (true, 0));
        event_loop.close().unwrap();
    }
}
