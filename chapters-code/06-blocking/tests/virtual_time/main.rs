//! What blocking does to a loop, on the virtual clock, where every figure is exact.

mod n_tasks;
mod pulse;
mod virtual_executor;
mod whole_run;
