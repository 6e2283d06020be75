//! Gives something else than it should.

use std::collections::VecDeque;

/// A slip: when it is served, it may put further slips on the counter.
pub type Slip = Box<dyn FnOnce(&mut Counter)>;

/// The counter with its stack of slips, the oldest in front.
#[derive(Default)]
pub struct Counter {
    stack: VecDeque<Slip>,
}

impl Counter {
    /// A counter without slips.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a slip behind the others.
    pub fn put(&mut self, slip: impl FnOnce(&mut Counter) + 'static) {
        self.stack.push_back(Box::new(slip));
    }

    /// How many slips lie on the counter.
    pub fn waiting(&self) -> usize {
        self.stack.len()
    }

    /// Serves one round: the slips that lay on the counter when it began, the oldest first. What
    /// they put on the counter waits for the next round.
    ///
    /// Returns how many slips were served.
    pub fn round(&mut self) -> Vec<usize> {
        let count = self.stack.len();
        for _ in 0..count {
            let slip = self.stack.pop_front().expect("only this loop takes slips");
            slip(self);
        }
        vec![count]
    }
}
