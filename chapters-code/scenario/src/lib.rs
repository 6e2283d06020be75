//! Programs as data: run on the loop, traced, compared with `CPython`.

pub mod random;
