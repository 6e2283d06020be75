//! # Sleep
//!
//! A sleep is a future, a timer and an await, and nothing else. What makes it hard is the way out: a
//! sleeper that is cancelled or dropped must not leave its timer on the loop, or a thousand
//! cancelled requests are a thousand timers that ring for nobody.
//!
//! Write [`sleep`] with what the loop has: `six_steps::running_loop`, and its
//! `create_future` and `call_later`. Leave the `sleep` of floor 5 aside; its
//! `yield_now` is there for a sleep of zero. The book explains it in chapter 5,
//! "Sleep".

use std::time::Duration;

use wakeup::{Outcome, yield_now};

/// Waits for `delay`. No delay is a bare yield: no future, no timer, one turn.
///
/// However the sleeper leaves, its timer is cancelled.
///
/// # Errors
/// What is thrown into the task meanwhile, a cancellation for example; no running loop; a delay
/// beyond the loop's clock.
pub async fn sleep(delay: Duration) -> Outcome<()> {
    // Right for no delay, and for no other.
    yield_now().await?;
    todo!("sleep for {delay:?}: a future, a timer and an await")
}
