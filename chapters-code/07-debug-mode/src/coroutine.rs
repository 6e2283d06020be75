//! A coroutine that was made and never polled. Rust's compiler warns of most of them
//! (`#[must_use]`); the ones that hide in a variable or a collection are found here, as CPython's
//! interpreter finds all of them.

use std::fmt::Write as _;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use six_steps::with_running_loop;

use crate::debug::DebugMode;
use crate::warn::warn;

/// A coroutine that says so when it is dropped without ever having been polled.
#[must_use = "a coroutine does nothing unless it is awaited"]
pub struct Coroutine<F> {
    inner: Pin<Box<F>>,
    polled: bool,
    // Known only in debug mode (origin tracking).
    created_at: Option<&'static Location<'static>>,
}

/// Wraps a coroutine, so that forgetting it is reported: `coroutine 'shop::order' was never
/// awaited`, at level warning under the target `asyncio`, and in debug mode with the place where it
/// was made.
///
/// ```
/// let forgotten = debug_mode::coroutine(async { 42 });
/// drop(forgotten); // a warning
/// ```
#[track_caller]
pub fn coroutine<F: Future>(inner: F) -> Coroutine<F> {
    let debug = with_running_loop(DebugMode::debug).unwrap_or_else(crate::debug_from_environment);
    // Read here: a closure's caller would be whoever calls the closure.
    let here = Location::caller();
    Coroutine {
        inner: Box::pin(inner),
        polled: false,
        created_at: debug.then_some(here),
    }
}

impl<F: Future> Future for Coroutine<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.polled = true;
        self.inner.as_mut().poll(context)
    }
}

impl<F> Drop for Coroutine<F> {
    fn drop(&mut self) {
        if self.polled {
            return;
        }
        let name = std::any::type_name::<F>().trim_end_matches("::{{closure}}");
        let mut text = format!("coroutine '{name}' was never awaited");
        if let Some(at) = self.created_at {
            let (file, line) = (at.file(), at.line());
            let _ = write!(
                text,
                "\nCoroutine created at (most recent call last)\n  File \"{file}\", line {line}"
            );
        }
        warn(&text);
    }
}
