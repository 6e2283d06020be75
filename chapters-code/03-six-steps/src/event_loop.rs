//! The loop as an object: the three containers, and the calls that put handles into them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use containers::{
    Callback, Cancellations, Event, Handle, IntoOutcome, Ready, Scheduled, Selector,
    SystemSelector, TimerHandle, once,
};

use crate::descriptors::Descriptors;
use crate::error::LoopError;
use crate::exception_handler::Handler;
use crate::hatch::{Hatch, Posted, Shared};
use crate::watch::Watchers;

/// An event loop (`asyncio/base_events.py`, `BaseEventLoop`). Clones are the same loop.
///
/// It belongs to the thread that made it; what other threads may hold is its [`Hatch`].
#[derive(Clone)]
pub struct EventLoop {
    pub(crate) core: Rc<Core>,
}

// ANCHOR: core
/// Three containers, and what a turn has to remember.
pub(crate) struct Core {
    pub(crate) ready: RefCell<Ready>,
    pub(crate) scheduled: RefCell<Scheduled>,
    cancellations: Cancellations,
    pub(crate) selector: Box<dyn Selector>,
    pub(crate) descriptors: RefCell<Descriptors>,
    pub(crate) hatch: Arc<Shared>,
    pub(crate) stopping: Cell<bool>,
    pub(crate) running: Cell<bool>,
    pub(crate) in_turn: Cell<bool>,
    pub(crate) closed: Cell<bool>,
    // Kept from turn to turn for their capacity.
    pub(crate) events: RefCell<Vec<Event>>,
    pub(crate) posts: RefCell<Vec<Posted>>,
    pub(crate) watchers: Watchers,
    pub(crate) exception_handler: RefCell<Option<Handler>>,
    attachments: RefCell<Vec<Rc<dyn Attachment>>>,
}
// ANCHOR_END: core

/// What a higher floor keeps with a loop: see [`EventLoop::attachment`].
pub trait Attachment: Any {
    /// The loop was closed: nothing of it will run again.
    fn loop_closed(&self) {}
}

/// A loop that is dropped without a close takes no more posts: nobody would run them.
impl Drop for Core {
    fn drop(&mut self) {
        self.hatch.close();
    }
}

impl EventLoop {
    /// A loop on the system's selector and clock.
    #[expect(
        clippy::new_without_default,
        reason = "a loop is an object, not a value"
    )]
    pub fn new() -> Self {
        Self::with_selector(SystemSelector::new())
    }

    /// A loop on any selector; with a [`VirtualSelector`](crate::VirtualSelector) its time is
    /// virtual.
    ///
    /// ```
    /// use six_steps::{EventLoop, VirtualSelector};
    /// use std::time::Duration;
    ///
    /// let event_loop = EventLoop::with_selector(VirtualSelector::new());
    /// let stop = event_loop.clone();
    /// event_loop.call_later(Duration::from_secs(3600), move || stop.stop())?;
    /// event_loop.run_forever()?; // returns at once
    /// assert_eq!(event_loop.time(), Duration::from_secs(3600));
    /// # Ok::<(), six_steps::LoopError>(())
    /// ```
    pub fn with_selector(selector: impl Selector + 'static) -> Self {
        let hatch = Arc::new(Shared::new(selector.interrupter()));
        let scheduled = Scheduled::new();
        Self {
            core: Rc::new(Core {
                ready: RefCell::default(),
                cancellations: scheduled.cancellations(),
                scheduled: RefCell::new(scheduled),
                selector: Box::new(selector),
                descriptors: RefCell::default(),
                hatch,
                stopping: Cell::new(false),
                running: Cell::new(false),
                in_turn: Cell::new(false),
                closed: Cell::new(false),
                events: RefCell::default(),
                posts: RefCell::default(),
                watchers: Watchers::default(),
                exception_handler: RefCell::default(),
                attachments: RefCell::default(),
            }),
        }
    }

    /// Runs `callback` in the next turn (`loop.call_soon`). Called within a turn it makes no
    /// difference how early: what is added during a turn waits for the next one.
    ///
    /// # Errors
    /// [`LoopError::Closed`] after [`close`](Self::close).
    #[track_caller]
    #[inline]
    pub fn call_soon<F, R>(&self, callback: F) -> Result<Handle, LoopError>
    where
        F: FnOnce() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        self.check_open()?;
        let handle = Handle::new(callback);
        self.core.ready.borrow_mut().push(handle.clone());
        Ok(handle)
    }

    /// [`call_soon`](Self::call_soon) of a handle that exists already: it allocates nothing.
    ///
    /// # Errors
    /// [`LoopError::Closed`] after [`close`](Self::close).
    #[inline]
    pub fn call_soon_handle(&self, handle: Handle) -> Result<(), LoopError> {
        self.check_open()?;
        self.core.ready.borrow_mut().push(handle);
        Ok(())
    }

    /// Runs `callback` when `delay` has passed (`loop.call_later`).
    ///
    /// # Errors
    /// [`LoopError::Deadline`] if the moment is not representable, [`LoopError::Closed`] after
    /// [`close`](Self::close).
    #[track_caller]
    pub fn call_later<F, R>(&self, delay: Duration, callback: F) -> Result<TimerHandle, LoopError>
    where
        F: FnOnce() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        // A sum beyond `Duration` lies beyond the clock too, which `call_at` will say.
        self.call_at(self.time().saturating_add(delay), callback)
    }

    /// Runs `callback` at a moment of [`time`](Self::time) (`loop.call_at`); a moment that has
    /// passed means the next turn.
    ///
    /// # Errors
    /// As [`call_later`](Self::call_later).
    #[track_caller]
    pub fn call_at<F, R>(&self, when: Duration, callback: F) -> Result<TimerHandle, LoopError>
    where
        F: FnOnce() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        self.call_at_callback(when, once(callback))
    }

    /// [`call_at`](Self::call_at) of any [`Callback`].
    ///
    /// # Errors
    /// As [`call_later`](Self::call_later).
    pub fn call_at_callback(
        &self,
        when: Duration,
        callback: impl Callback + 'static,
    ) -> Result<TimerHandle, LoopError> {
        self.check_open()?;
        Ok(self.core.scheduled.borrow_mut().push(when, callback)?)
    }

    /// [`call_at`](Self::call_at) of a handle that exists already and knows its deadline
    /// ([`Callback::when`]).
    ///
    /// # Errors
    /// As [`call_later`](Self::call_later).
    pub fn call_at_handle(&self, handle: Handle) -> Result<TimerHandle, LoopError> {
        self.check_open()?;
        Ok(self.core.scheduled.borrow_mut().push_handle(handle)?)
    }

    /// The timer handle of a handle that [`call_at_handle`](Self::call_at_handle) was given, for
    /// those who have no room for both.
    pub fn timer_handle(&self, handle: Handle) -> TimerHandle {
        self.core.cancellations.timer_handle(handle)
    }

    /// The loop's clock: the time since an origin of its own (`loop.time`).
    pub fn time(&self) -> Duration {
        self.core.selector.time()
    }

    /// What other threads use to reach the loop.
    pub fn hatch(&self) -> Hatch {
        Hatch {
            shared: Arc::clone(&self.core.hatch),
        }
    }

    /// Whether `hatch` leads into this loop.
    pub fn is_reached_by(&self, hatch: &Hatch) -> bool {
        Arc::ptr_eq(&self.core.hatch, &hatch.shared)
    }

    /// Drops everything that waits and lets go of all descriptors (`loop.close`). Does nothing
    /// the second time.
    ///
    /// # Errors
    /// [`LoopError::CloseWhileRunning`] from within a turn.
    pub fn close(&self) -> Result<(), LoopError> {
        if self.is_running() {
            return Err(LoopError::CloseWhileRunning);
        }
        if self.core.closed.replace(true) {
            return Ok(());
        }
        self.core.hatch.close();
        self.remove_all_descriptors();
        // What a handle drops may call the loop: no container may be borrowed meanwhile.
        let ready = self.core.ready.borrow_mut().drain();
        drop(ready);
        let scheduled = self.core.scheduled.borrow_mut().drain();
        scheduled.for_each(drop);
        let attachments = self.core.attachments.take();
        for attachment in attachments {
            attachment.loop_closed();
        }
        Ok(())
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.core.closed.get()
    }

    #[inline]
    pub(crate) fn check_open(&self) -> Result<(), LoopError> {
        if self.core.closed.get() {
            Err(LoopError::Closed)
        } else {
            Ok(())
        }
    }

    /// How many handles are due now.
    pub fn ready_len(&self) -> usize {
        self.core.ready.borrow().len()
    }

    /// How many timers stand on the heap, cancelled ones included.
    pub fn scheduled_len(&self) -> usize {
        self.core.scheduled.borrow().len()
    }

    /// Shows the handles that are due now. A watcher may look, and nothing else: whatever `look`
    /// calls must leave the loop alone.
    pub fn look_at_ready<R>(&self, look: impl FnOnce(&Ready) -> R) -> R {
        look(&self.core.ready.borrow())
    }

    /// Shows the timers on the heap, under the same condition.
    pub fn look_at_scheduled<R>(&self, look: impl FnOnce(&Scheduled) -> R) -> R {
        look(&self.core.scheduled.borrow())
    }

    /// The count of cancelled timers (`loop._timer_cancelled_count`).
    pub fn timer_cancelled_count(&self) -> usize {
        self.core.scheduled.borrow().cancelled_count()
    }

    /// The one object of type `T` that a higher floor keeps with this loop, made at the first
    /// call.
    pub fn attachment<T: Attachment + Default>(&self) -> Rc<T> {
        let mut attachments = self.core.attachments.borrow_mut();
        // A handful at most: a search beats a map.
        for attachment in attachments.iter() {
            let attachment: Rc<dyn Any> = Rc::clone(attachment) as Rc<dyn Any>;
            if let Ok(found) = attachment.downcast() {
                return found;
            }
        }
        let made = Rc::new(T::default());
        attachments.push(Rc::clone(&made) as Rc<dyn Attachment>);
        made
    }

    /// Whether both are the same loop.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.core, &other.core)
    }
}

impl fmt::Debug for EventLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (running, closed) = (self.is_running(), self.is_closed());
        write!(f, "<EventLoop running={running} closed={closed}>")
    }
}
