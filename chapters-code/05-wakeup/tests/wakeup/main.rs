//! The floor's contract, on the virtual clock: what runs, in which order, in which turn. Each
//! module is one idea; `stage.rs` is the loop they all play on.

mod cancel;
mod chain;
mod foreign;
mod future;
mod gather;
mod hostile;
mod listeners;
mod reports;
mod run;
mod sleep;
mod stage;
mod task;
mod threads;
mod together;
mod wakers;
