//! # The starving loop
//!
//! A newsletter service sends letters from a queue. Sending one takes 2 ms. On the same loop a timer
//! tells the supervisor every 50 ms that the service is alive. Since the list of subscribers has
//! grown, the supervisor kills the service in the middle of every mailing: for seconds it hears
//! nothing. Each letter is as quick as ever, and the processor is not even busy afterwards.
//!
//! Find what starves the timers in [`Outbox`] and repair it, so that
//!
//! * the loop gets a turn of its own between any two letters: timers that are due ring there;
//! * letters go out in the order in which they were handed in, and all of them;
//! * an outbox without letters leaves nothing on the loop, which can then sleep.
//!
//! The book has the cause in chapter 3, "A wrong turn: run until the queue is empty", although no
//! loop of a program stands in its `run_once`.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use six_steps::{EventLoop, LoopError};

type Letter = Box<dyn FnOnce()>;

/// Letters that wait to be sent, and the loop that sends them. Clones share the letters.
#[derive(Clone)]
pub struct Outbox {
    event_loop: EventLoop,
    letters: Rc<RefCell<VecDeque<Letter>>>,
    // Whether a callback that sends is queued on the loop.
    sending: Rc<Cell<bool>>,
}

impl Outbox {
    /// An empty outbox on this loop.
    pub fn new(event_loop: &EventLoop) -> Self {
        Self {
            event_loop: event_loop.clone(),
            letters: Rc::default(),
            sending: Rc::default(),
        }
    }

    /// Hands in a letter. It is sent by the loop, behind the letters that wait already; what
    /// `letter` does is the sending.
    ///
    /// # Errors
    /// [`LoopError::Closed`] if the loop was closed.
    pub fn hand_in(&self, letter: impl FnOnce() + 'static) -> Result<(), LoopError> {
        self.letters.borrow_mut().push_back(Box::new(letter));
        if self.sending.get() {
            return Ok(());
        }
        self.queue_send()
    }

    /// How many letters wait.
    pub fn waiting(&self) -> usize {
        self.letters.borrow().len()
    }

    /// Queues the callback that sends.
    fn queue_send(&self) -> Result<(), LoopError> {
        let outbox = self.clone();
        self.event_loop.call_soon(move || outbox.send())?;
        self.sending.set(true);
        Ok(())
    }

    /// Sends the letters. One callback for all of them: queueing one for each letter would cost a
    /// handle and a place in the ready queue every time.
    fn send(&self) {
        while let Some(letter) = self.next_letter() {
            letter();
        }
        self.sending.set(false);
    }

    fn next_letter(&self) -> Option<Letter> {
        self.letters.borrow_mut().pop_front()
    }
}
