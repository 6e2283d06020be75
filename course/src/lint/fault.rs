//! What is wrong with the course: one line each, with what to do about it.

use std::fmt;

use serde_json::{Value, json};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    /// The exercise, or the file that belongs to none.
    pub(crate) place: String,
    /// What is wrong, as a clause.
    pub(crate) what: String,
    /// What to do, as a clause.
    pub(crate) remedy: String,
}

impl Fault {
    pub(crate) fn new(
        place: impl Into<String>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            place: place.into(),
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({"place": self.place, "what": self.what, "remedy": self.remedy})
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.what, self.remedy)
    }
}
