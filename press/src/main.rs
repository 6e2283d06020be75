//! The press.

fn main() {}
