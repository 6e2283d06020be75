//! One thing that is wrong in the book: the page, the line where it can be known, what it is and
//! what to do about it. The listings and every check report in this form.

use std::fmt;

/// A fault of a page or of a built file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    /// The markdown file from the project's folder, or the built file where no markdown is to blame.
    pub(crate) page: String,
    /// The line in `page`, from 1.
    pub(crate) line: Option<usize>,
    /// What is wrong, as a clause.
    pub(crate) what: String,
    /// What to do, as a clause.
    pub(crate) remedy: String,
}

impl Fault {
    pub(crate) fn new(
        page: &str,
        line: impl Into<Option<usize>>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            page: page.to_owned(),
            line: line.into(),
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            page,
            line,
            what,
            remedy,
        } = self;
        match line {
            Some(line) => write!(f, "{page}:{line}: {what}\n    {remedy}"),
            None => write!(f, "{page}: {what}\n    {remedy}"),
        }
    }
}
