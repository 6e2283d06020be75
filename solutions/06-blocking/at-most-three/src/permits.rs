//! Permits: so many may do something at once, and the others wait in the order in which they came.
//! Two words and no guard; whoever has acquired one releases it. Not yours to change.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use six_steps::running_loop;
use wakeup::{Future, Outcome, Tasks};

/// A number of permits.
#[derive(Debug)]
pub struct Permits {
    free: Cell<usize>,
    waiting: RefCell<VecDeque<Future<()>>>,
}

impl Permits {
    /// So many, all of them free.
    pub fn new(free: usize) -> Self {
        Self {
            free: Cell::new(free),
            waiting: RefCell::default(),
        }
    }

    /// How many nobody has.
    pub fn free(&self) -> usize {
        self.free.get()
    }

    /// Waits for a permit and takes it.
    ///
    /// # Errors
    /// What is thrown into the task meanwhile; it has no permit then.
    pub async fn acquire(&self) -> Outcome<()> {
        if let Some(left) = self.free.get().checked_sub(1) {
            self.free.set(left);
            return Ok(());
        }
        let handed_over = running_loop()?.create_future();
        self.waiting.borrow_mut().push_back(handed_over.clone());
        let outcome = handed_over.clone().await;
        if outcome.is_err() && handed_over.result().is_ok() {
            // Cancelled between the handing over and its own next step: it goes to the next.
            self.release();
        }
        outcome
    }

    /// Gives a permit back: to whoever has waited longest, if anybody waits.
    pub fn release(&self) {
        loop {
            let Some(next) = self.waiting.borrow_mut().pop_front() else {
                self.free.set(self.free.get() + 1);
                return;
            };
            // One that was cancelled meanwhile takes nothing.
            if next.set_result(()).is_ok() {
                return;
            }
        }
    }
}
