//! Wrong on purpose: a future that says `Pending` and keeps no waker.
//! By hand it works; a driver that waits to be woken never comes back to it.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

// ANCHOR: forgetful
/// A future that reads its slot and forgets who asked.
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited or polled"]
pub struct Forgetful<T> {
    slot: Rc<RefCell<Option<T>>>,
}

impl<T> Future for Forgetful<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        match self.slot.borrow_mut().take() {
            Some(value) => Poll::Ready(value),
            None => Poll::Pending,
        }
    }
}
// ANCHOR_END: forgetful

/// Makes a slot and the future that reads it.
///
/// ```
/// use std::sync::Arc;
/// use suspension::{Step, Woken, forgetful, step, step_if_woken};
///
/// let (slot, future) = forgetful();
/// let mut coro = Box::pin(future);
/// let woken = Arc::new(Woken::new());
/// assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
/// *slot.borrow_mut() = Some("tea");
/// assert_eq!(step_if_woken(&mut coro, &woken), None, "nobody was told");
/// assert_eq!(step(&mut coro), Step::Returned("tea"), "by hand it looks right");
/// ```
pub fn forgetful<T>() -> (Rc<RefCell<Option<T>>>, Forgetful<T>) {
    let slot = Rc::new(RefCell::new(None));
    (Rc::clone(&slot), Forgetful { slot })
}
