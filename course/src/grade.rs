//! `cargo course grade`: what submissions are worth, and why.

pub(crate) mod intake;
pub(crate) mod outcome;
pub(crate) mod report;
