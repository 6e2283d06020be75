//! One step of a task: the coroutine runs to its next suspension, or to its end
//! (`asyncio/tasks.py`, `Task.__step`, line 281 at v3.13.0).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::{Context, Poll};

use containers::Slot;
use six_steps::{Callback, Exception, Handle};

use crate::Outcome;
use crate::future::Future;
use crate::step::{self, Parked, Step};
use crate::task::{AnyTask, Coroutine, Next, Task, TaskCell};
use crate::waker::Lent;

impl<T: 'static> Callback for TaskCell<T> {
    fn run(&self, _: &Handle) -> Outcome<()> {
        self.step()
    }

    fn subject(&self) -> Option<&dyn fmt::Debug> {
        Some(self)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = match self.next.get() {
            Next::Step => "step",
            Next::Wakeup => "wakeup",
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
    pub(crate) fn schedule(&self, next: Next) {
        if !self.scheduled.replace(true) {
            self.next.set(next);
            let handle = Handle::from_slot(self.this() as Rc<Slot<dyn Callback>>);
            // A closed loop runs nothing more.
            let _ = self.cell.event_loop.call_soon_handle(handle);
        }
    }

    // ANCHOR: step
    fn step(&self) -> Outcome<()> {
        self.scheduled.set(false);
        let Some(mut coroutine) = self.coroutine.take() else {
            return Ok(());
        };
        self.waiter.take();
        let throw = if self.must_cancel.replace(false) {
            self.throw.take();
            Some(Exception::Cancelled)
        } else {
            self.throw.take().map(|exception| *exception)
        };
        if let (Some(exception), false) = (&throw, self.started.replace(true)) {
            // Raised before the first line: the coroutine never runs.
            let dropped = drop_coroutine(coroutine);
            return self.finish(Err(dropped.err().unwrap_or_else(|| exception.clone())));
        }
        let (polled, parked) = self.poll(&mut coroutine, throw);
        match polled {
            Poll::Ready(outcome) => {
                // Thrown, and met by no await before the end: it is still asked for.
                if matches!(parked, Err(Exception::Cancelled)) {
                    self.must_cancel.set(true);
                }
                drop(coroutine);
                self.finish(outcome)
            }
            Poll::Pending => match parked {
                // Nobody took what was thrown: what it awaits is foreign, and knows no exceptions.
                Err(exception) => {
                    let dropped = drop_coroutine(coroutine);
                    self.finish(Err(dropped.err().unwrap_or(exception)))
                }
                Ok(parked) => {
                    self.coroutine.set(Some(coroutine));
                    self.park(parked);
                    Ok(())
                }
            },
        }
    }
    // ANCHOR_END: step

    /// Polls the coroutine with the task's own waker, or with one that the loop lends. Returns
    /// also what it waits for, or what was thrown in vain.
    fn poll(
        &self,
        coroutine: &mut Coroutine<T>,
        throw: Option<Exception>,
    ) -> (Poll<Outcome<T>>, Result<Parked, Exception>) {
        let waker = self.waker.take().or_else(|| self.registry.spare_waker());
        let lent = waker.unwrap_or_else(|| Box::new(Lent::new(self.cell.event_loop.hatch())));
        let task: Rc<Slot<dyn AnyTask>> = self.this();
        lent.start(task.key());
        self.running.set(true);
        let before = Step {
            task,
            waker: lent.waker.data(),
            throw,
            parked: Parked::Foreign,
        };
        let (polled, after) = step::during(before, || {
            let mut context = Context::from_waker(&lent.waker);
            catch_unwind(AssertUnwindSafe(|| coroutine.as_mut().poll(&mut context)))
                .unwrap_or_else(|payload| Poll::Ready(Err(Exception::from_panic(payload))))
        });
        self.running.set(false);
        if lent.woken() {
            self.woken.set(true);
        }
        if polled.is_pending() && lent.kept() {
            self.waker.set(Some(lent));
        } else {
            self.registry.take_back(lent);
        }
        let parked = after.throw.map_or(Ok(after.parked), Err);
        (polled, parked)
    }

    // ANCHOR: park
    /// The step is over and the coroutine is not: what has to happen before the next one?
    fn park(&self, parked: Parked) {
        match parked {
            // A bare yield: the next turn.
            Parked::Yield => self.schedule(Next::Step),
            Parked::Wrong(exception) => {
                self.throw.set(Some(Box::new(exception)));
                self.schedule(Next::Step);
            }
            // Its done callback is registered already; a cancellation asked for during this step
            // is passed on.
            Parked::On(future) => {
                self.waiter.replace(Some(Rc::clone(&future)));
                if self.must_cancel.get() && future.cancel() {
                    self.must_cancel.set(false);
                }
            }
            Parked::Foreign if self.must_cancel.get() => self.schedule(Next::Step),
            Parked::Foreign => {}
        }
        if self.woken.take() {
            self.schedule(Next::Wakeup);
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
        let cancelled = matches!(outcome, Err(Exception::Cancelled));
        // A cancellation asked for in the very step that returned wins over the result.
        let callbacks = if cancelled || (outcome.is_ok() && self.must_cancel.replace(false)) {
            self.cell.cancel()
        } else {
            self.cell.finish(outcome).ok()
        };
        self.registry.remove(self.place());
        if let Some(callbacks) = callbacks {
            future.schedule_callbacks(callbacks);
        }
        if let Some(own) = self.waker.take() {
            self.registry.take_back(own);
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
