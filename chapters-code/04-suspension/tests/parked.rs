//! The registered waker: setting a value wakes the latest poller, once, and resumes nothing by
//! itself. A future that registers none is never woken.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Wake, Waker};

use suspension::{Step, Woken, forgetful, parked, step, step_if_woken, step_with, suspend_once};

fn lowered() -> Arc<Woken> {
    let woken = Arc::new(Woken::new());
    woken.take();
    woken
}

#[test]
fn setting_the_value_wakes_and_does_not_resume() {
    let resumed = Cell::new(false);
    let woken = Arc::new(Woken::new());
    let (setter, future) = parked();
    let mut coro = Box::pin(async {
        let value = future.await;
        resumed.set(true);
        value
    });
    assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
    assert_eq!(
        step_if_woken(&mut coro, &woken),
        None,
        "parked: there is nothing to do"
    );
    setter.set("tea");
    assert!(!resumed.get(), "set stores and wakes; only a poll resumes");
    assert_eq!(
        step_if_woken(&mut coro, &woken),
        Some(Step::Returned("tea"))
    );
    assert!(resumed.get());
}

#[test]
fn a_value_set_before_the_first_poll_suspends_nobody() {
    let (setter, future) = parked();
    setter.set("tea");
    assert_eq!(step(&mut Box::pin(future)), Step::Returned("tea"));
}

#[test]
fn only_the_latest_poller_is_woken() {
    let (first, second) = (lowered(), lowered());
    let (setter, future) = parked();
    let mut coro = Box::pin(future);
    assert_eq!(
        step_with(&mut coro, &Waker::from(Arc::clone(&first))),
        Step::Yielded
    );
    assert_eq!(
        step_with(&mut coro, &Waker::from(Arc::clone(&second))),
        Step::Yielded
    );
    setter.set(());
    assert!(!first.take(), "the waker of an earlier poll is forgotten");
    assert!(second.take());
}

#[test]
fn a_poll_too_many_is_harmless_while_it_waits() {
    let (setter, future) = parked();
    let mut coro = Box::pin(future);
    for _ in 0..3 {
        assert_eq!(step(&mut coro), Step::Yielded);
    }
    setter.set(7);
    assert_eq!(step(&mut coro), Step::Returned(7));
}

#[test]
fn a_poll_after_the_value_was_given_away_panics() {
    let (setter, future) = parked();
    let mut coro = Box::pin(future);
    setter.set(7);
    assert_eq!(step(&mut coro), Step::Returned(7));
    let panic = catch_unwind(AssertUnwindSafe(|| step(&mut coro))).expect_err("it panics");
    assert_eq!(
        panic.downcast_ref(),
        Some(&"`Parked` polled after it returned its value")
    );
}

#[test]
fn a_dropped_setter_wakes_nobody_and_a_dropped_future_takes_the_value_with_it() {
    let woken = Arc::new(Woken::new());
    let (setter, future) = parked::<u8>();
    let mut coro = Box::pin(future);
    assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
    drop(setter);
    assert_eq!(step_if_woken(&mut coro, &woken), None);

    let value = Arc::new(());
    let (setter, future) = parked();
    drop(future);
    setter.set(Arc::clone(&value));
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_waker_that_polls_at_once_finds_the_value() {
    // `set` must let go of its borrow before it wakes: this waker comes straight back.
    thread_local!(static SEEN: Cell<Option<Step<u8>>> = const { Cell::new(None) });
    thread_local!(static CORO: std::cell::RefCell<Option<std::pin::Pin<Box<suspension::Parked<u8>>>>> =
        const { std::cell::RefCell::new(None) });
    struct AtOnce;
    impl Wake for AtOnce {
        fn wake(self: Arc<Self>) {
            CORO.with_borrow_mut(|coro| {
                SEEN.set(coro.as_mut().map(step));
            });
        }
    }
    let (setter, future) = parked();
    let mut coro = Box::pin(future);
    assert_eq!(
        step_with(&mut coro, &Waker::from(Arc::new(AtOnce))),
        Step::Yielded
    );
    CORO.set(Some(coro));
    setter.set(9);
    assert_eq!(SEEN.get(), Some(Step::Returned(9)));
}

#[test]
fn a_wake_during_the_step_is_not_lost() {
    let woken = Arc::new(Woken::new());
    let mut coro = Box::pin(async {
        suspend_once().await;
        "end"
    });
    assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
    assert_eq!(
        step_if_woken(&mut coro, &woken),
        Some(Step::Returned("end"))
    );
}

#[test]
fn a_wake_from_another_thread_counts() {
    let woken = lowered();
    let waker = Waker::from(Arc::clone(&woken));
    std::thread::spawn(move || waker.wake()).join().unwrap();
    assert!(woken.take());
}

#[test]
fn a_future_that_registers_no_waker_is_never_woken() {
    let woken = Arc::new(Woken::new());
    let (slot, future) = forgetful();
    let mut coro = Box::pin(future);
    assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
    assert_eq!(Arc::strong_count(&woken), 1, "it kept no waker");
    *slot.borrow_mut() = Some("tea");
    for _ in 0..1_000 {
        assert_eq!(step_if_woken(&mut coro, &woken), None);
    }
    assert_eq!(
        step(&mut coro),
        Step::Returned("tea"),
        "the value was there all along"
    );
}

#[test]
fn a_future_that_registers_its_waker_keeps_it_until_the_value_is_set() {
    let woken = Arc::new(Woken::new());
    let (setter, future) = parked();
    let mut coro = Box::pin(future);
    assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
    assert_eq!(Arc::strong_count(&woken), 2, "ours and the registered one");
    setter.set(());
    assert_eq!(Arc::strong_count(&woken), 1, "used once and gone");
}
