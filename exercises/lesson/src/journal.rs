//! What happened, in order: the list that callbacks and coroutines of a test write to.

use std::cell::RefCell;
use std::rc::Rc;

/// What happened, in order. Its clones write to the same list.
///
/// ```
/// let journal = lesson::Journal::new();
/// let copy = journal.clone();
/// copy.note("A1");
/// journal.note("B1");
/// assert_eq!(journal.text(), "A1 B1");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Journal {
    entries: Rc<RefCell<Vec<String>>>,
}

impl Journal {
    /// An empty journal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes down one thing that happened.
    pub fn note(&self, entry: impl Into<String>) {
        self.entries.borrow_mut().push(entry.into());
    }

    /// What happened so far, in order.
    pub fn entries(&self) -> Vec<String> {
        self.entries.borrow().clone()
    }

    /// What happened so far, in one line.
    pub fn text(&self) -> String {
        self.entries.borrow().join(" ")
    }

    /// How many things happened so far.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes out what happened so far and starts anew.
    pub fn take(&self) -> Vec<String> {
        self.entries.take()
    }
}
