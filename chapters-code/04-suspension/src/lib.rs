//! 04-suspension.
