//! # Gather two
//!
//! A page needs a customer and their orders, from two services, and asks both at once. The `gather`
//! of floor 5 takes any number of one type; these are two of two types. You build it of what you
//! have: two tasks, a done callback on each, and a future that they end.
//!
//! Write [`gather_two`] with `create_task` and `create_future` of the
//! `six_steps::running_loop`, and `add_done_callback` of a task's `future()`. The
//! first exception, whichever of the two it comes from, arrives at once, and the other one goes on.
//! If that one fails too, its exception is asked for, so that it is not reported as lost. The book
//! explains the counting in chapter 5, "Gather".

use wakeup::Outcome;

/// Runs both as tasks, side by side, and gives their results in the order of the arguments.
///
/// # Errors
/// The first exception of the two, as soon as it is there; no running loop.
pub async fn gather_two<A, B>(
    first: impl std::future::Future<Output = Outcome<A>> + 'static,
    second: impl std::future::Future<Output = Outcome<B>> + 'static,
) -> Outcome<(A, B)>
where
    A: Clone + 'static,
    B: Clone + 'static,
{
    // One after the other: the results are right, and nothing else is.
    let first = first.await?;
    let second = second.await?;
    Ok((first, second))
}
