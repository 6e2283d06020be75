//! A rule of the loop, and what a test says when something breaks it.

use std::fmt::{Debug, Display};

/// A rule of the loop: one sentence, and where the book explains it.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The rule, in one or two sentences.
    pub says: &'static str,
    /// The section to read again, such as `chapter 1, "How long is a round?"`.
    pub reread: &'static str,
}

impl Rule {
    /// Compares what should be with what is.
    ///
    /// # Panics
    /// If they differ, with both, the rule, and the section to read again.
    #[track_caller]
    pub fn same<E, G>(&self, what: impl Display, expected: E, got: G)
    where
        G: PartialEq<E> + Debug,
        E: Debug,
    {
        if got != expected {
            self.broken(format_args!(
                "{what} should be\n    {expected:?}\nbut came out as\n    {got:?}"
            ));
        }
    }

    /// Demands that something holds; `otherwise` says what was expected and what happened.
    ///
    /// # Panics
    /// If it does not hold.
    #[track_caller]
    pub fn holds(&self, holds: bool, otherwise: impl Display) {
        if !holds {
            self.broken(otherwise);
        }
    }

    /// Fails the test: says what happened, the rule that it breaks, and where to read again.
    ///
    /// # Panics
    /// Always.
    #[track_caller]
    pub fn broken(&self, what: impl Display) -> ! {
        panic!(
            "\n{what}\n\nThe rule: {}\nRead again: {}\n",
            self.says, self.reread
        );
    }
}
