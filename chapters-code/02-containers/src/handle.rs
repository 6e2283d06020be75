//! A handle: one callback, and the right to cancel it. All that a loop ever runs is handles.
//! Timers ([`TimerHandle`](crate::TimerHandle)) are handles with a deadline; the tasks of floor 5
//! are callbacks that queue themselves again.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;

use crate::closure::{Once, Repeating};
use crate::exception::{Exception, IntoOutcome};

/// Something a loop can run.
///
/// Closures become callbacks through [`Handle::new`] (runs once) and [`Handle::repeating`];
/// implement the trait for a callback that carries a name or queues itself again.
pub trait Callback {
    /// Runs the callback. `handle` is the handle it is being run through, so that it can be
    /// queued again without a new allocation.
    ///
    /// # Errors
    /// The exception the callback ended with.
    fn run(&self, handle: &Handle) -> Result<(), Exception>;

    /// Drops what the callback holds; called when its handle is cancelled. What it leaves is
    /// dropped whenever the handle is, which may be while the loop sweeps its timers: anything
    /// whose own `Drop` calls the loop belongs here.
    fn clear(&self) {}

    /// Told that what the callback waits for has happened. Returns whether it has seen to its
    /// place in the ready queue itself, as a task does, which may stand there already.
    fn wake(&self, _handle: &Handle) -> bool {
        false
    }

    /// The deadline, if the callback is a timer's.
    fn when(&self) -> Option<Duration> {
        None
    }

    /// Where the callback was handed to the loop.
    fn created_at(&self) -> Option<&'static Location<'static>> {
        None
    }

    /// What a report should show in place of the handle, if the callback is only a part of it:
    /// a task, where the callback is its next step.
    fn subject(&self) -> Option<&dyn fmt::Debug> {
        None
    }

    /// Writes what the callback is, as a log line should name it.
    ///
    /// # Errors
    /// The formatter's own.
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

// What crosses threads is boxed: an `Rc` cannot.
impl<C: Callback + ?Sized> Callback for Box<C> {
    fn run(&self, handle: &Handle) -> Result<(), Exception> {
        (**self).run(handle)
    }

    fn clear(&self) {
        (**self).clear();
    }

    fn when(&self) -> Option<Duration> {
        (**self).when()
    }

    fn created_at(&self) -> Option<&'static Location<'static>> {
        (**self).created_at()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).describe(f)
    }
}

// ANCHOR: handle
/// A callback that the loop will run, and that can be cancelled until then
/// (`asyncio/events.py`, `Handle`, line 29 at v3.13.0).
///
/// One allocation holds the flags and the callback side by side. Cloning a handle gives another
/// reference to the same one.
#[derive(Clone)]
pub struct Handle {
    slot: Rc<Slot<dyn Callback>>,
}

/// What a handle refers to. A floor whose callbacks are more than callbacks (a task is a future
/// too) makes the slot itself and shares it under several types.
pub struct Slot<C: ?Sized> {
    cancelled: Cell<bool>,
    // Whether a timer stands on the heap: only then does its cancellation count.
    scheduled: Cell<bool>,
    // Whether its `Debug` says where it was made: only in debug mode, as in asyncio.
    shows_origin: Cell<bool>,
    // Last, so that `Rc<Slot<F>>` coerces to `Rc<Slot<dyn Callback>>`.
    callback: C,
}
// ANCHOR_END: handle

impl<C> Slot<C> {
    /// A slot that nothing refers to yet.
    pub fn new(callback: C) -> Self {
        Self {
            cancelled: Cell::new(false),
            scheduled: Cell::new(false),
            shows_origin: Cell::new(false),
            callback,
        }
    }
}

impl<C: ?Sized> Deref for Slot<C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.callback
    }
}

impl Handle {
    /// A handle of a closure that runs once.
    ///
    /// ```
    /// let handle = containers::Handle::new(|| println!("run me"));
    /// assert!(!handle.cancelled());
    /// ```
    #[track_caller]
    pub fn new<F, R>(callback: F) -> Self
    where
        F: FnOnce() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        let slot = Rc::new(Slot::new(Once {
            callback: Cell::new(None),
            at: Location::caller(),
        }));
        // The closure goes straight into its place. Handed to `Rc::new` it would first be put
        // together on the stack and then copied, which a chain of `call_soon` feels.
        slot.callback.callback.set(Some(callback));
        Self { slot }
    }

    /// A handle of a closure that can run many times: a descriptor's reader or writer.
    #[track_caller]
    pub fn repeating<F, R>(callback: F) -> Self
    where
        F: FnMut() -> R + 'static,
        R: IntoOutcome + 'static,
    {
        Self::from_callback(Repeating::new(callback, Location::caller()))
    }

    /// A handle of any [`Callback`].
    pub fn from_callback(callback: impl Callback + 'static) -> Self {
        Self {
            slot: Rc::new(Slot::new(callback)),
        }
    }

    /// The handle of a slot that exists already; it allocates nothing.
    pub fn from_slot(slot: Rc<Slot<dyn Callback>>) -> Self {
        Self { slot }
    }

    /// Cancels the callback: the loop will skip it. Does nothing the second time.
    pub fn cancel(&self) {
        if !self.slot.cancelled.replace(true) {
            self.slot.callback.clear();
        }
    }

    /// Whether the callback was cancelled.
    #[inline]
    pub fn cancelled(&self) -> bool {
        self.slot.cancelled.get()
    }

    /// Runs the callback, cancelled or not; a loop asks [`cancelled`](Self::cancelled) first.
    ///
    /// # Errors
    /// The exception the callback ended with. A panic goes through.
    #[inline]
    pub fn run(&self) -> Result<(), Exception> {
        self.slot.callback.run(self)
    }

    /// Tells the callback that what it waits for has happened: see [`Callback::wake`].
    #[inline]
    pub fn wake(&self) -> bool {
        self.slot.callback.wake(self)
    }

    /// The deadline, if this is a timer's handle.
    pub fn when(&self) -> Option<Duration> {
        self.slot.callback.when()
    }

    /// Where the callback was handed to the loop, where that is known.
    pub fn created_at(&self) -> Option<&'static Location<'static>> {
        self.slot.callback.created_at()
    }

    /// Has reports say where the callback was handed to the loop; debug mode does, since a report
    /// without it is shorter.
    pub fn show_origin(&self) {
        self.slot.shows_origin.set(true);
    }

    /// Where the callback was handed to the loop, if reports are to say so.
    pub fn shown_origin(&self) -> Option<&'static Location<'static>> {
        if self.slot.shows_origin.get() {
            self.created_at()
        } else {
            None
        }
    }

    /// What a report should show in place of this handle.
    pub fn subject(&self) -> Option<&dyn fmt::Debug> {
        self.slot.callback.subject()
    }

    /// What the callback is, without the handle around it.
    pub fn callback(&self) -> impl fmt::Display + '_ {
        struct Described<'a>(&'a dyn Callback);
        impl fmt::Display for Described<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.describe(f)
            }
        }
        Described(&self.slot.callback)
    }

    /// Where the callback stands in memory, to tell it from others.
    pub fn as_ptr(&self) -> *const () {
        Rc::as_ptr(&self.slot).cast()
    }

    /// Whether both are the same handle.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.slot, &other.slot)
    }

    pub(crate) fn scheduled(&self) -> &Cell<bool> {
        &self.slot.scheduled
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.when().is_some() {
            "<TimerHandle"
        } else {
            "<Handle"
        })?;
        if self.cancelled() {
            f.write_str(" cancelled")?;
        }
        if let Some(when) = self.when() {
            // `{:?}` keeps the fraction of a whole number, as Python does: 1.0.
            write!(f, " when={:?}", when.as_secs_f64())?;
        }
        write!(f, " {}", self.callback())?;
        if let Some(at) = self.shown_origin() {
            write!(f, " created at {}:{}", at.file(), at.line())?;
        }
        f.write_str(">")
    }
}
