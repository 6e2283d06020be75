//! # Set the result
//!
//! A future is a result that is not there yet, and a list of those who want to know. Whoever sets
//! the result may be in the middle of something, so it runs nobody's code: it queues their
//! callbacks, and the loop runs them in the next turn. The rule keeps each step whole, and the
//! stack flat.
//!
//! Complete [`Future::set_result`] and [`Future::add_done_callback`]. The loop is the one of chapter
//! 3: its `call_soon` is all you need. The book explains the rule in chapter 5, "What is a future
//! when it is done?".

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use six_steps::{EventLoop, Exception};

/// Takes the result.
type DoneCallback<T> = Box<dyn FnOnce(T)>;

/// A result that is not there yet. Clones are the same future.
pub struct Future<T> {
    shared: Rc<Shared<T>>,
}

struct Shared<T> {
    event_loop: EventLoop,
    result: RefCell<Option<T>>,
    callbacks: RefCell<Vec<DoneCallback<T>>>,
}

/// A result was set on a future that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidState;

impl fmt::Display for InvalidState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid state")
    }
}

impl std::error::Error for InvalidState {}

impl<T: Clone + 'static> Future<T> {
    /// A future of this loop, not done.
    pub fn new(event_loop: &EventLoop) -> Self {
        Self {
            shared: Rc::new(Shared {
                event_loop: event_loop.clone(),
                result: RefCell::default(),
                callbacks: RefCell::default(),
            }),
        }
    }

    /// The loop that it queues its callbacks on.
    pub fn event_loop(&self) -> &EventLoop {
        &self.shared.event_loop
    }

    /// The result, once it is done.
    pub fn result(&self) -> Option<T> {
        self.shared.result.borrow().clone()
    }

    /// How many callbacks wait for the result.
    pub fn waiting(&self) -> usize {
        self.shared.callbacks.borrow().len()
    }

    /// Stores the result and queues each callback on the loop, in the order in which they were
    /// added. It runs none of them.
    ///
    /// # Errors
    /// [`InvalidState`] if it is done: the result stays as it is. What the loop refuses.
    pub fn set_result(&self, result: T) -> Result<(), Exception> {
        self.shared.result.replace(Some(result));
        todo!("what if it was done before? and who tells those who wait?")
    }

    /// Runs `callback` with the result when the future is done: in the turn after. If it is done
    /// already, the callback is queued at once.
    ///
    /// # Errors
    /// What the loop refuses.
    pub fn add_done_callback(&self, callback: impl FnOnce(T) + 'static) -> Result<(), Exception> {
        self.shared.callbacks.borrow_mut().push(Box::new(callback));
        todo!("what if it is done already?")
    }
}

impl<T> Clone for Future<T> {
    fn clone(&self) -> Self {
        Self {
            shared: Rc::clone(&self.shared),
        }
    }
}
