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
use crate::step::{self, Left, Parked};
use crate::task::Task;
use crate::task_cell::{AnyTask, Coroutine, Next, TaskCell};
use crate::waker::Lent;

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
        let thrown = self.rare(|rare| rare.throw.take());
        let throw = if self.must_cancel.replace(false) {
            Some(Exception::Cancelled)
        } else {
            thrown
        };
        if let (Some(exception), false) = (&throw, self.started.replace(true)) {
            // Raised before the first line: the coroutine never runs.
            let dropped = drop_coroutine(coroutine);
            return self.finish(Err(dropped.err().unwrap_or_else(|| exception.clone())));
        }
        let (polled, parked) = self.poll(this, &mut coroutine, throw);
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
                    self.park(this, parked);
                    Ok(())
                }
            },
        }
    }
    // ANCHOR_END: step

    /// Polls the coroutine with the task's own waker, or with one that the loop lends. Returns
    /// also how the coroutine left its step.
    fn poll(
        &self,
        this: &Handle,
        coroutine: &mut Coroutine<T>,
        throw: Option<Exception>,
    ) -> (Poll<Outcome<T>>, Left) {
        let own = self.rare(|rare| rare.waker.take());
        let waker = own.or_else(|| self.registry.spare_waker());
        let lent = waker.unwrap_or_else(|| Box::new(Lent::new(self.cell.event_loop.hatch())));
        let key = self.key();
        lent.start(key);
        self.running.set(true);
        let (polled, left) = step::during((this.clone(), key), &lent.waker, throw, || {
            let mut context = Context::from_waker(&lent.waker);
            catch_unwind(AssertUnwindSafe(|| coroutine.as_mut().poll(&mut context)))
                .unwrap_or_else(|payload| Poll::Ready(Err(Exception::from_panic(payload))))
        });
        self.running.set(false);
        if lent.woken() {
            self.woken.set(true);
        }
        if polled.is_pending() && lent.kept() {
            self.with_rare(|rare| rare.waker = Some(lent));
        } else {
            self.registry.take_back(lent);
        }
        (polled, left)
    }

    // ANCHOR: park
    /// The step is over and the coroutine is not: what has to happen before the next one?
    fn park(&self, this: &Handle, parked: Parked) {
        match parked {
            // A bare yield: the next turn.
            Parked::Yield => self.schedule(this, Next::Step),
            Parked::Wrong(exception) => {
                self.with_rare(|rare| rare.throw = Some(exception));
                self.schedule(this, Next::Step);
            }
            // Its done callback is registered already; a cancellation asked for during this step
            // is passed on.
            Parked::On(future) => {
                self.waiter.set(Some(Rc::clone(&future)));
                if self.must_cancel.get() && future.cancel() {
                    self.must_cancel.set(false);
                }
            }
            Parked::Foreign if self.must_cancel.get() => self.schedule(this, Next::Step),
            Parked::Foreign => {}
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
        if let Some(own) = self.rare(|rare| rare.waker.take()) {
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
