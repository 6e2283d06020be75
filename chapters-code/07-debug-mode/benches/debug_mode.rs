//! What debug mode costs a handle: 1,000 handles in one turn, that do nothing. The rows are those
//! of `rows.toml`.
//!
//! The handles are made beforehand, so that a row is queue, call and watching alone.

use std::hint::black_box;
use std::time::Duration;

use debug_mode::{DebugMode, SlowCallback};
use rows::{Rows, each};
use six_steps::{EventLoop, Handle};

const HANDLES: u64 = 1_000;

fn turns(set: impl FnOnce(&EventLoop)) -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    set(&event_loop);
    let handles: Vec<Handle> = (0..HANDLES).map(|_| Handle::repeating(|| ())).collect();
    each(move || {
        for handle in &handles {
            event_loop
                .call_soon_handle(handle.clone())
                .expect("an open loop");
        }
        event_loop.run_once().expect("a turn of callbacks");
    })
}

/// A loop that has never heard of debug mode.
fn floor_3() -> impl FnMut(u64) -> Duration {
    turns(|_| ())
}

/// Reproduces "off" (A17): debug mode was on, and is off again. It has to equal floor 3.
fn off() -> impl FnMut(u64) -> Duration {
    turns(|event_loop| {
        event_loop.set_debug(true);
        event_loop.set_debug(false);
    })
}

/// Reproduces "on" (A17): the clock is read twice a handle, and no handle is slow.
fn on() -> impl FnMut(u64) -> Duration {
    turns(|event_loop| event_loop.set_debug(true))
}

/// Reproduces "on, every handle slow" (A17): each gives a line, which is written and thrown away.
fn on_slow() -> impl FnMut(u64) -> Duration {
    turns(|event_loop| {
        event_loop.set_debug(true);
        event_loop.set_slow_callback_duration(Duration::ZERO);
        event_loop.on_slow_callback(Some(|slow: &SlowCallback<'_>| {
            black_box(slow.to_string());
        }));
    })
}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("debug-mode", include_str!("../rows.toml"))
        .batched("off/floor-3", HANDLES, floor_3)
        .batched("off", HANDLES, off)
        .batched("on", HANDLES, on)
        .batched("on-slow", HANDLES, on_slow)
}

fn main() {
    rows().main();
}
