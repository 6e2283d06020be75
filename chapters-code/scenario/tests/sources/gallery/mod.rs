//! The Rust of the gallery, a file for each program. Written by
//! `cargo run -p scenario --example run_files -- --rust DIR`.

mod two_workers;
mod rude_task;
mod rude_offloaded;
mod six_steps;
mod empty;
mod sleep;
mod sleep_zero;
mod chain;
mod waiter_and_setter;
mod gather;
mod cancellation;
mod pulse_blocking;
mod pulse_yielding;
mod pulse_cooperative;
mod pulse_offloaded;
mod slow_callback;
mod runner_twice;
mod closing;
mod ties;
mod starving;
mod swept;
mod await_chain;
