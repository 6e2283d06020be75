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

use std::cell::Cell;
use std::rc::Rc;

use six_steps::running_loop;
use wakeup::{Future, Outcome, Task, Tasks};

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
    let event_loop = running_loop()?;
    let first = event_loop.create_task(first)?;
    let second = event_loop.create_task(second)?;
    let both = event_loop.create_future();
    let left = Rc::new(Cell::new(2));
    count(&first, &both, &left);
    count(&second, &both, &left);
    both.await?;
    Ok((first.result()?, second.result()?))
}

/// Has a task end `both` with its exception, or with nothing if it is the last one.
fn count<T: 'static>(task: &Task<T>, both: &Future<()>, left: &Rc<Cell<u32>>) {
    let (both, left) = (both.clone(), Rc::clone(left));
    task.future().add_done_callback(move |task| {
        left.set(left.get() - 1);
        // Asked for even if nobody is there to be told, so that it is not reported as lost.
        let failed = match task.exception() {
            Ok(exception) => exception,
            Err(cancelled) => Some(cancelled),
        };
        if both.done() {
            return Ok(());
        }
        match failed {
            Some(exception) => both.set_exception(exception),
            None if left.get() == 0 => both.set_result(()),
            None => Ok(()),
        }
    });
}
