//! 03-six-steps.
