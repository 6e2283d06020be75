//! The service, and how a line of its log is read.

pub(crate) mod reading;
pub(crate) mod service;
