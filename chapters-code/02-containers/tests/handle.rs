//! Handles and the ready queue: what runs, in which order, and what a cancellation lets go of.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

use containers::{Exception, Handle, Panicked, Ready, Scheduled, once};

/// Something a closure can capture whose end can be seen.
fn captured() -> (Rc<()>, Weak<()>) {
    let value = Rc::new(());
    let seen = Rc::downgrade(&value);
    (value, seen)
}

fn is_dropped(seen: &Weak<()>) -> bool {
    seen.strong_count() == 0
}

#[test]
fn ready_is_first_in_first_out() {
    let mut ready = Ready::new();
    let handles: Vec<Handle> = (0..5).map(|_| Handle::new(|| ())).collect();
    handles.iter().cloned().for_each(|h| ready.push(h));
    assert_eq!((ready.len(), ready.is_empty()), (5, false));
    for expected in &handles[..3] {
        assert!(ready.pop().unwrap().is(expected));
    }
    ready.push(handles[0].clone()); // behind those that wait
    for expected in [&handles[3], &handles[4], &handles[0]] {
        assert!(ready.pop().unwrap().is(expected));
    }
    assert!(ready.pop().is_none() && ready.is_empty());
}

#[test]
fn a_drained_queue_gives_everything_in_order() {
    let mut ready = Ready::new();
    let handles: Vec<Handle> = (0..3).map(|_| Handle::new(|| ())).collect();
    handles.iter().cloned().for_each(|h| ready.push(h));
    let drained: Vec<Handle> = ready.drain().collect();
    assert!(drained.iter().zip(&handles).all(|(a, b)| a.is(b)));
    assert!(ready.is_empty());
}

#[test]
fn a_handle_runs_its_closure_once() {
    let runs = Rc::new(Cell::new(0));
    let handle = Handle::new({
        let runs = Rc::clone(&runs);
        move || runs.set(runs.get() + 1)
    });
    handle.run().unwrap();
    handle.run().unwrap();
    assert_eq!(runs.get(), 1);
}

#[test]
fn running_drops_what_the_closure_held() {
    let (value, seen) = captured();
    let handle = Handle::new(move || drop(value));
    handle.run().unwrap();
    assert!(is_dropped(&seen));
    drop(handle);
}

#[test]
fn cancelling_drops_the_closure_at_once() {
    let (value, seen) = captured();
    let handle = Handle::new(move || drop(value));
    let other = handle.clone();
    assert!(!is_dropped(&seen));
    handle.cancel();
    assert!(is_dropped(&seen), "the closure outlived its cancellation");
    assert!(other.cancelled(), "a clone is the same handle");
    other.cancel(); // the second time does nothing
}

#[test]
fn cancelling_a_timer_drops_its_closure_while_it_stands_on_the_heap() {
    let (value, seen) = captured();
    let mut scheduled = Scheduled::new();
    let timer = scheduled.push(std::time::Duration::ZERO, once(move || drop(value)));
    timer.unwrap().cancel();
    assert_eq!(scheduled.len(), 1);
    assert!(is_dropped(&seen));
}

/// What the closure drops may cancel the same handle again.
#[test]
fn cancelling_again_from_the_closures_drop_is_harmless() {
    struct CancelsOnDrop(Rc<RefCell<Option<Handle>>>);
    impl Drop for CancelsOnDrop {
        fn drop(&mut self) {
            if let Some(handle) = self.0.borrow().as_ref() {
                handle.cancel();
            }
        }
    }
    let own = Rc::new(RefCell::new(None));
    let value = CancelsOnDrop(Rc::clone(&own));
    let handle = Handle::new(move || drop(value));
    own.replace(Some(handle.clone()));
    handle.cancel();
    assert!(handle.cancelled());
}

#[test]
fn a_repeating_callback_runs_each_time_until_it_is_cancelled() {
    let runs = Rc::new(Cell::new(0));
    let (value, seen) = captured();
    let handle = Handle::repeating({
        let runs = Rc::clone(&runs);
        move || {
            Rc::strong_count(&value);
            runs.set(runs.get() + 1);
        }
    });
    (0..3).for_each(|_| handle.run().unwrap());
    assert_eq!(runs.get(), 3);
    handle.cancel();
    assert!(is_dropped(&seen));
    handle.run().unwrap();
    assert_eq!(runs.get(), 3);
}

#[test]
fn a_repeating_callback_that_cancels_itself_ends_first_and_is_dropped_then() {
    let own: Rc<RefCell<Option<Handle>>> = Rc::default();
    let log = Rc::new(RefCell::new(Vec::new()));
    let (value, seen) = captured();
    let handle = Handle::repeating({
        let (own, log, seen) = (Rc::clone(&own), Rc::clone(&log), seen.clone());
        move || {
            Rc::strong_count(&value);
            own.borrow().as_ref().unwrap().cancel();
            log.borrow_mut().push(is_dropped(&seen));
        }
    });
    own.replace(Some(handle.clone()));
    handle.run().unwrap();
    assert_eq!(
        *log.borrow(),
        [false],
        "it stood in a closure that was gone"
    );
    assert!(is_dropped(&seen));
    handle.run().unwrap();
    assert_eq!(log.borrow().len(), 1, "it ran after it was cancelled");
}

/// A reader that panics is reported each time its descriptor is ready, as in CPython. If the
/// closure were lost the loop would turn on a ready descriptor for ever, silently.
#[test]
fn a_repeating_callback_that_panics_is_kept() {
    let runs = Rc::new(Cell::new(0));
    let handle = Handle::repeating({
        let runs = Rc::clone(&runs);
        move || {
            runs.set(runs.get() + 1);
            assert!(runs.get() > 1, "the first run panics");
        }
    });
    assert!(catch_unwind(AssertUnwindSafe(|| handle.run())).is_err());
    handle.run().unwrap();
    assert_eq!(runs.get(), 2);
}

#[test]
fn a_handle_says_what_and_from_where_it_is() {
    let handle = Handle::new(|| ());
    let line = line!() - 1;
    let at = handle.created_at().unwrap();
    assert_eq!((at.file(), at.line()), (file!(), line));

    let name = "handle::a_handle_says_what_and_from_where_it_is::{{closure}}()";
    assert_eq!(handle.callback().to_string(), name);
    assert_eq!(format!("{handle:?}"), format!("<Handle {name}>"));
    handle.cancel();
    assert_eq!(format!("{handle:?}"), format!("<Handle cancelled {name}>"));

    let mut scheduled = Scheduled::new();
    let timer = scheduled.push(std::time::Duration::from_millis(250), once(|| ()));
    let text = format!("{:?}", timer.unwrap());
    assert!(
        text.starts_with("<TimerHandle when=0.25 handle::"),
        "{text}"
    );
}

#[test]
fn a_callback_may_end_with_any_error() {
    let handle = Handle::new(|| "twelve".parse::<u8>().map(drop));
    let exception = handle.run().unwrap_err();
    assert!(
        exception
            .downcast_ref::<std::num::ParseIntError>()
            .is_some()
    );
    assert!(!exception.is_exit() && !exception.is_cancelled());
    assert!(Exception::exit("bye").is_exit());
    assert!(Exception::Cancelled.is_cancelled());
}

#[test]
fn a_panic_keeps_its_message() {
    let panicked = |payload| {
        let exception = Exception::from_panic(payload);
        let Panicked(text) = exception.downcast_ref().unwrap();
        text.clone()
    };
    assert_eq!(panicked(Box::new("boo")), "boo");
    assert_eq!(panicked(Box::new(String::from("boo"))), "boo");
    assert_eq!(panicked(Box::new(7)), "a panic without a message");
}
