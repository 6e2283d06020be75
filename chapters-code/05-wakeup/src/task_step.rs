//! One step of a task: the coroutine runs to its next suspension, or to its end
//! (`asyncio/tasks.py`, `Task.__step`, line 281 at v3.13.0).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use containers::Slot;
use futures_task::waker_ref;
use six_steps::{Callback, Exception, Handle};

use crate::Outcome;
use crate::future::Future;
use crate::step;
use crate::task::Task;
use crate::task_cell::{AnyTask, Coroutine, Next, TaskCell};
use crate::waker::TaskWaker;

impl<T: 'static> Callback for TaskCell<T> {
    fn run(&self, handle: &Handle) -> Outcome<()> {
        self.step(handle)
    }

    /// Puts its wakeup into the ready queue, unless it stands there already.
    fn wake(&self, handle: &Handle) -> bool {
        // A wake during its own step counts once the step is over.
        if self.running.get() {
            self.woken.set(true);
        } else if !self.cell.done() {
            self.schedule(handle, Next::Wakeup);
        }
        true
    }

    fn subject(&self) -> Option<&dyn fmt::Debug> {
        Some(self)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One that is parked stands among a future's callbacks, and will be woken.
        let next = match self.next.get() {
            Next::Step if self.scheduled.get() => "step",
            Next::Step | Next::Wakeup => "wakeup",
        };
        write!(f, "{next}:{}", self.task_name())
    }
}

impl<T: 'static> TaskCell<T> {
    pub(crate) fn this(&self) -> Rc<Slot<Self>> {
        self.this
            .upgrade()
            .expect("a task that is borrowed is alive")
    }

    /// Puts the next step into the ready queue, unless it stands there already. This allocates
    /// nothing: the task is its own handle.
    pub(crate) fn schedule(&self, this: &Handle, next: Next) {
        if !self.scheduled.replace(true) {
            self.next.set(next);
            // A closed loop runs nothing more.
            let _ = self.cell.event_loop.call_soon_handle(this.clone());
        }
    }

    // ANCHOR: step
    fn step(&self, this: &Handle) -> Outcome<()> {
        self.scheduled.set(false);
        let Some(mut coroutine) = self.coroutine.take() else {
            return Ok(());
        };
        self.waiter.take();
        let throw = self.next_throw();
        if let (Some(exception), false) = (&throw, self.started.replace(true)) {
            // Raised before the first line: the coroutine never runs.
            let dropped = drop_coroutine(coroutine);
            return self.finish(Err(dropped.err().unwrap_or_else(|| exception.clone())));
        }
        let (polled, thrown) = self.poll(&mut coroutine, throw);
        match (polled, thrown) {
            (Poll::Pending, None) => {
                self.coroutine.set(Some(coroutine));
                self.park_until_woken(this);
                Ok(())
            }
            // Thrown, and taken by no await: what it awaits is foreign, and knows no exceptions.
            (Poll::Pending, Some(exception)) => {
                let dropped = drop_coroutine(coroutine);
                self.finish(Err(dropped.err().unwrap_or(exception)))
            }
            (Poll::Ready(outcome), thrown) => {
                // Met by no await before the end: it is still asked for.
                if matches!(thrown, Some(Exception::Cancelled)) {
                    self.must_cancel.set(true);
                }
                drop(coroutine);
                self.finish(outcome)
            }
        }
    }
    // ANCHOR_END: step

    /// What this step is to raise: a cancellation, before all else.
    fn next_throw(&self) -> Option<Exception> {
        let other = self.take_thrown();
        if self.must_cancel.replace(false) {
            Some(Exception::Cancelled)
        } else {
            other
        }
    }

    /// Polls the coroutine with the task's own waker, or with one that the loop lends. Returns also
    /// what was thrown, if no await took it.
    fn poll(
        &self,
        coroutine: &mut Coroutine<T>,
        throw: Option<Exception>,
    ) -> (Poll<Outcome<T>>, Option<Exception>) {
        let own = self.waker.take();
        let lent = own.or_else(|| self.registry.spare_waker());
        let waker = lent.unwrap_or_else(|| Arc::new(TaskWaker::new(self.cell.event_loop.hatch())));
        waker.start(self.key());
        let throws = throw.is_some();
        if throws {
            self.with_rare(|rare| rare.throw = throw);
        }
        self.running.set(true);
        let reference = waker_ref(&waker);
        let (polled, throws) = step::during(self.this(), &reference, throws, || {
            let mut context = Context::from_waker(&reference);
            catch_unwind(AssertUnwindSafe(|| coroutine.as_mut().poll(&mut context)))
                .unwrap_or_else(|payload| Poll::Ready(Err(Exception::from_panic(payload))))
        });
        self.running.set(false);
        if waker.woken() {
            self.woken.set(true);
        }
        if !waker.kept() {
            self.registry.take_back(waker);
        } else if polled.is_pending() {
            self.waker.set(Some(waker));
        }
        let thrown = if throws { self.take_thrown() } else { None };
        (polled, thrown)
    }

    // ANCHOR: park
    /// The step is over and the coroutine is not: what has to happen before the next one?
    fn park_until_woken(&self, this: &Handle) {
        if self.yields.replace(false) {
            // A bare yield: the next turn. There it also raises what it cannot await.
            self.schedule(this, Next::Step);
        } else if self.must_cancel.get() {
            // A cancellation asked for during this step is passed on to what it awaits, whose done
            // callback is registered already. A foreign future knows no cancellation.
            match self.waits_for() {
                Some(future) => self.must_cancel.set(!future.cancel()),
                None => self.schedule(this, Next::Step),
            }
        }
        if self.woken.take() {
            self.schedule(this, Next::Wakeup);
        }
    }
    // ANCHOR_END: park

    // ANCHOR: finish
    /// The coroutine has ended: the task is done, and whoever awaits it is told in the next turn.
    fn finish(&self, outcome: Outcome<T>) -> Outcome<()> {
        let exit = outcome
            .as_ref()
            .err()
            .filter(|exception| exception.is_exit())
            .cloned();
        let future = Future::from(Task { slot: self.this() });
        // What it last waited for goes with it, after everything else.
        let _waiter = self.waiter.take();
        let cancelled = matches!(outcome, Err(Exception::Cancelled));
        // A cancellation asked for in the very step that returned wins over the result.
        let callbacks = if cancelled || (outcome.is_ok() && self.must_cancel.replace(false)) {
            self.cell.cancel()
        } else {
            self.cell.finish(outcome).ok()
        };
        self.registry.remove(self.key().place);
        if let Some(callbacks) = callbacks {
            future.schedule_callbacks(callbacks);
        }
        exit.map_or(Ok(()), Err)
    }
    // ANCHOR_END: finish
}

/// Drops a coroutine that has not ended. What it holds may panic as it goes; the task must end
/// all the same.
pub(crate) fn drop_coroutine<T>(coroutine: Coroutine<T>) -> Outcome<()> {
    catch_unwind(AssertUnwindSafe(|| drop(coroutine))).map_err(Exception::from_panic)
}
