//! Running turn after turn, and which loop is running on this thread.

use std::cell::RefCell;

use crate::error::LoopError;
use crate::event_loop::EventLoop;

thread_local! {
    static RUNNING: RefCell<Option<EventLoop>> = const { RefCell::new(None) };
}

/// The loop that is running on this thread (`asyncio.get_running_loop`).
///
/// # Errors
/// [`LoopError::NoRunningLoop`] outside of a turn.
///
/// ```
/// assert!(six_steps::running_loop().is_err());
/// ```
pub fn running_loop() -> Result<EventLoop, LoopError> {
    RUNNING
        .with_borrow(Clone::clone)
        .ok_or(LoopError::NoRunningLoop)
}

/// Gives `look` the loop that is running on this thread, without a new reference to it; `None` if
/// there is none.
pub fn with_running_loop<R>(look: impl FnOnce(&EventLoop) -> R) -> Option<R> {
    RUNNING.with_borrow(|running| running.as_ref().map(look))
}

impl EventLoop {
    // ANCHOR: run_forever
    /// Runs turns until [`stop`](Self::stop) is called (`base_events.py`, `run_forever`, line 674
    /// at v3.13.0). The turn in which it is called runs to its end.
    ///
    /// # Errors
    /// [`LoopError::AlreadyRunning`] or [`LoopError::AnotherLoopRunning`] from within a callback,
    /// and whatever ends a turn early: see [`run_once`](Self::run_once).
    pub fn run_forever(&self) -> Result<(), LoopError> {
        let _running = Running::enter(self)?;
        loop {
            self.run_once()?;
            if self.core.stopping.get() {
                return Ok(());
            }
        }
    }
    // ANCHOR_END: run_forever

    /// Ends [`run_forever`](Self::run_forever) after the current turn, or, if the loop is not
    /// running, after the first turn of the next run (`loop.stop`).
    pub fn stop(&self) {
        self.core.stopping.set(true);
    }

    /// Whether [`run_forever`](Self::run_forever) could start now.
    ///
    /// # Errors
    /// Why it could not: closed, running already, or another loop runs on this thread.
    pub fn check_runnable(&self) -> Result<(), LoopError> {
        self.check_open()?;
        if self.is_running() {
            return Err(LoopError::AlreadyRunning);
        }
        with_running_loop(|_| Err(LoopError::AnotherLoopRunning)).unwrap_or(Ok(()))
    }

    /// Whether the loop is running now (`loop.is_running`).
    pub fn is_running(&self) -> bool {
        self.core.running.get()
    }
}

/// While it lives, the loop is running. Its `Drop` is the clean-up of `run_forever`, whichever
/// way a turn ends.
struct Running<'a>(&'a EventLoop);

impl<'a> Running<'a> {
    fn enter(event_loop: &'a EventLoop) -> Result<Self, LoopError> {
        event_loop.check_runnable()?;
        RUNNING.set(Some(event_loop.clone()));
        event_loop.core.running.set(true);
        Ok(Self(event_loop))
    }
}

/// While it lives, a turn is going on; there is never one inside another. Outside of
/// `run_forever` a turn is a run of its own, so that a callback finds the same world in both.
pub(crate) struct Turn<'a> {
    event_loop: &'a EventLoop,
    _run_of_one_turn: Option<Running<'a>>,
}

impl<'a> Turn<'a> {
    #[inline]
    pub(crate) fn enter(event_loop: &'a EventLoop) -> Result<Self, LoopError> {
        if event_loop.core.in_turn.get() {
            return Err(LoopError::AlreadyRunning);
        }
        let run_of_one_turn = if event_loop.is_running() {
            None
        } else {
            Some(Running::enter(event_loop)?)
        };
        event_loop.core.in_turn.set(true);
        Ok(Self {
            event_loop,
            _run_of_one_turn: run_of_one_turn,
        })
    }
}

impl Drop for Turn<'_> {
    #[inline]
    fn drop(&mut self) {
        self.event_loop.core.in_turn.set(false);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.core.running.set(false);
        self.0.core.stopping.set(false);
        RUNNING.set(None);
    }
}
