//! One turn of the loop. Everything else in this crate exists so that this function can be read
//! from top to bottom.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use containers::{Exception, Handle};

use crate::error::LoopError;
use crate::event_loop::EventLoop;
use crate::exception_handler::{ExceptionContext, SourceTraceback};
use crate::run::Turn;
use crate::watch::Step;

/// No sleep is longer than this; a turn that finds nothing to do then goes to sleep again
/// (`base_events.py`, `MAXIMUM_SELECT_TIMEOUT`).
pub const MAXIMUM_SELECT_TIMEOUT: Duration = Duration::from_hours(24);

impl EventLoop {
    // ANCHOR: run_once
    /// One turn, in six steps (`base_events.py`, `_run_once`, lines 1947 to 2028 at v3.13.0).
    ///
    /// # Errors
    /// [`LoopError::AlreadyRunning`] or [`LoopError::AnotherLoopRunning`] from within a turn,
    /// [`LoopError::Selector`] if the selector fails, [`LoopError::Exit`] if a callback leaves the
    /// loop (the handles behind it stay ready), [`LoopError::Closed`] after a close.
    pub fn run_once(&self) -> Result<(), LoopError> {
        let _turn = Turn::enter(self)?;
        let core = &*self.core;
        core.watchers.turn_started(self);

        // Step 1: sweep cancelled timers, so that none of them cuts the sleep short.
        core.watchers.step(self, Step::Sweep);
        core.scheduled.borrow_mut().sweep();

        // Step 2: how long may we sleep?
        core.watchers.step(self, Step::Timeout);
        let timeout = self.timeout();

        // Step 3: sleep, until a descriptor, a deadline or the hatch ends it.
        core.watchers.step(self, Step::Select(timeout));
        let mut events = core.events.borrow_mut();
        core.selector.select(timeout, &mut events)?;

        // Step 4: what came through the hatch, then ready descriptors. Nothing runs yet.
        core.watchers.step(self, Step::Events);
        self.take_from_hatch();
        events.iter().for_each(|event| self.process_event(*event));
        events.clear();
        drop(events);

        // Step 5: timers that are due become ready, behind what is ready already.
        core.watchers.step(self, Step::Timers);
        self.collect_due_timers();

        // Step 6: the only place where callbacks run. The count is taken once: what a callback
        // adds waits for the next turn, or a callback that queues itself would own the loop.
        let ntodo = core.ready.borrow().len();
        core.watchers.step(self, Step::Run(ntodo));
        for _ in 0..ntodo {
            let Some(handle) = self.next_ready() else {
                break;
            };
            self.run_handle(&handle)?;
        }

        core.watchers.turn_ended(self);
        Ok(())
    }
    // ANCHOR_END: run_once

    // ANCHOR: timeout
    /// Step 2: not at all if anything is ready or the loop is to stop; else until the nearest
    /// deadline, never longer than a day; else without end.
    fn timeout(&self) -> Option<Duration> {
        if self.core.stopping.get() || !self.core.ready.borrow().is_empty() {
            return Some(Duration::ZERO);
        }
        let nearest = self.core.scheduled.borrow().nearest()?;
        Some(
            nearest
                .saturating_sub(self.time())
                .min(MAXIMUM_SELECT_TIMEOUT),
        )
    }
    // ANCHOR_END: timeout

    // ANCHOR: collect
    /// Step 5. The clock is read after the sleep: whatever came due during it counts.
    fn collect_due_timers(&self) {
        let mut scheduled = self.core.scheduled.borrow_mut();
        if scheduled.is_empty() {
            return;
        }
        let end = self.time().saturating_add(self.core.selector.resolution());
        let mut ready = self.core.ready.borrow_mut();
        while let Some(handle) = scheduled.pop_due(end) {
            ready.push(handle);
        }
    }
    // ANCHOR_END: collect

    #[inline]
    fn next_ready(&self) -> Option<Handle> {
        self.core.ready.borrow_mut().pop()
    }

    // ANCHOR: run_handle
    /// Runs one handle (`events.py`, `Handle._run`, line 87 at v3.13.0). An error or a panic goes
    /// to the exception handler; only an exit leaves the turn.
    #[inline]
    fn run_handle(&self, handle: &Handle) -> Result<(), LoopError> {
        let watchers = &self.core.watchers;
        if handle.cancelled() {
            watchers.handle_skipped(self, handle);
            return Ok(());
        }
        let told = watchers.handle_about_to_run(self, handle);
        match catch_unwind(AssertUnwindSafe(|| handle.run())) {
            Ok(Ok(())) => {}
            Ok(Err(exception)) => self.callback_failed(handle, exception)?,
            Err(payload) => self.callback_failed(handle, Exception::from_panic(payload))?,
        }
        if let Some(told) = told {
            told.handle_done(self, handle);
        }
        Ok(())
    }
    // ANCHOR_END: run_handle

    // ANCHOR: failed
    #[cold]
    fn callback_failed(&self, handle: &Handle, exception: Exception) -> Result<(), LoopError> {
        if exception.is_exit() {
            return Err(LoopError::Exit(exception));
        }
        let message = format!("Exception in callback {}", handle.callback());
        let mut context = ExceptionContext::new(message)
            .with_exception(exception)
            .with_detail("handle", handle.clone());
        if let Some(at) = handle.shown_origin() {
            context = context.with_detail("source_traceback", SourceTraceback(at));
        }
        self.call_exception_handler(&context);
        Ok(())
    }
    // ANCHOR_END: failed
}
