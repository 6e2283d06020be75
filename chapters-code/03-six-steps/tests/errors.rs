//! What goes wrong, and where it is told: in the exception handler if a callback failed, as an
//! error value if the loop itself was asked for something it cannot do.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::{Rc, Weak};
use std::time::Duration;

use six_steps::{
    EventLoop, Exception, ExceptionContext, Handle, LoopClosed, LoopError, VirtualSelector,
    running_loop,
};

fn new_loop() -> EventLoop {
    EventLoop::with_selector(VirtualSelector::new())
}

/// A callback that panics.
fn boo() {
    panic!("boo");
}

/// A handler that panics.
fn me_too(_: &EventLoop, _: &ExceptionContext) {
    panic!("me too");
}

/// Runs what is ready, and no more.
fn run(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

/// Collects what reaches the loop's exception handler: the message and the exception's text.
fn collect(event_loop: &EventLoop) -> Rc<RefCell<Vec<(String, String)>>> {
    let reports = Rc::new(RefCell::new(Vec::new()));
    let collected = Rc::clone(&reports);
    event_loop.set_exception_handler(Some(move |_: &EventLoop, context: &ExceptionContext| {
        let exception = context.exception.as_ref().map(ToString::to_string);
        let report = (context.message.clone(), exception.unwrap_or_default());
        collected.borrow_mut().push(report);
    }));
    reports
}

#[test]
fn a_callback_that_fails_is_reported_and_the_turn_goes_on() {
    let event_loop = new_loop();
    let reports = collect(&event_loop);
    let ran = Rc::new(Cell::new(0));
    let count = || {
        let ran = Rc::clone(&ran);
        move || ran.set(ran.get() + 1)
    };
    event_loop.call_soon(count()).unwrap();
    event_loop
        .call_soon(|| Err::<(), _>(io::Error::other("out of tea")))
        .unwrap();
    event_loop.call_soon(count()).unwrap();
    event_loop
        .call_soon(|| Err::<(), _>(Exception::Cancelled))
        .unwrap();
    event_loop.call_soon(count()).unwrap();
    run(&event_loop);
    assert_eq!(ran.get(), 3);
    let reports = reports.borrow();
    let name = "errors::a_callback_that_fails_is_reported_and_the_turn_goes_on";
    let message = format!("Exception in callback {name}::{{{{closure}}}}()");
    let texts = ["out of tea", "cancelled"];
    assert_eq!(*reports, texts.map(|text| (message.clone(), text.into())));
}

#[test]
fn a_callback_that_panics_is_reported_and_the_turn_goes_on() {
    let event_loop = new_loop();
    let reports = collect(&event_loop);
    let ran = Rc::new(Cell::new(false));
    let after = Rc::clone(&ran);
    event_loop.call_soon(boo).unwrap();
    event_loop.call_soon(move || after.set(true)).unwrap();
    run(&event_loop);
    assert!(ran.get());
    assert_eq!(reports.borrow()[0].1, "boo");
    assert_eq!(event_loop.ready_len(), 0);
}

#[test]
fn the_handler_is_given_the_loop_and_the_handle() {
    let event_loop = new_loop();
    let seen = Rc::new(RefCell::new(None));
    let given = Rc::clone(&seen);
    event_loop.set_exception_handler(Some(move |of: &EventLoop, context: &ExceptionContext| {
        let handle: Handle = context.detail::<Handle>("handle").unwrap().clone();
        assert!(context.detail::<String>("handle").is_none());
        assert!(context.detail::<Handle>("task").is_none());
        *given.borrow_mut() = Some((of.clone(), handle));
    }));
    let handle = event_loop.call_soon(|| Err::<(), _>("boo")).unwrap();
    run(&event_loop);
    let (of, given) = seen.take().unwrap();
    assert!(of.is(&event_loop) && given.is(&handle));
}

#[test]
fn a_handler_that_panics_does_not_end_the_turn() {
    let event_loop = new_loop();
    event_loop.set_exception_handler(Some(me_too));
    let ran = Rc::new(Cell::new(false));
    let after = Rc::clone(&ran);
    event_loop.call_soon(boo).unwrap();
    event_loop.call_soon(move || after.set(true)).unwrap();
    run(&event_loop);
    assert!(ran.get());
}

#[test]
fn a_handler_may_replace_itself_and_use_the_loop() {
    let event_loop = new_loop();
    let reports = Rc::new(Cell::new(0));
    let count = Rc::clone(&reports);
    event_loop.set_exception_handler(Some(move |of: &EventLoop, _: &ExceptionContext| {
        count.set(count.get() + 1);
        let count = Rc::clone(&count);
        of.set_exception_handler(Some(move |_: &EventLoop, _: &ExceptionContext| {
            count.set(count.get() + 10);
        }));
        of.call_soon(boo).unwrap();
    }));
    event_loop.call_soon(boo).unwrap();
    run(&event_loop);
    run(&event_loop);
    assert_eq!(reports.get(), 11);
}

#[test]
fn an_exit_leaves_at_once_and_the_rest_stays_ready() {
    let event_loop = new_loop();
    let reports = collect(&event_loop);
    let ran = Rc::new(Cell::new(false));
    let after = Rc::clone(&ran);
    event_loop
        .call_soon(|| Err::<(), _>(Exception::exit("bye")))
        .unwrap();
    event_loop.call_soon(move || after.set(true)).unwrap();
    event_loop.call_soon(|| ()).unwrap();
    let error = event_loop.run_forever().unwrap_err();
    assert!(matches!(&error, LoopError::Exit(_)));
    assert_eq!(error.to_string(), "a callback left the loop: bye");
    assert_eq!((ran.get(), event_loop.ready_len()), (false, 2));
    assert!(!event_loop.is_running() && running_loop().is_err());
    assert!(reports.borrow().is_empty());
    run(&event_loop);
    assert!(ran.get(), "the loop can go on");
}

#[test]
fn a_selector_that_fails_ends_the_run() {
    let event_loop = new_loop();
    let error = event_loop.run_forever().unwrap_err();
    let LoopError::Selector(inner) = &error else {
        panic!("{error}")
    };
    assert_eq!(inner.kind(), io::ErrorKind::Deadlock);
    assert!(!event_loop.is_running());
    run(&event_loop);
}

/// Runs `inner` in a callback of a running loop, and gives back what it gave.
fn within<T: 'static>(event_loop: &EventLoop, inner: impl FnOnce() -> T + 'static) -> T {
    let result = Rc::new(RefCell::new(None));
    let set = Rc::clone(&result);
    event_loop
        .call_soon(move || drop(set.replace(Some(inner()))))
        .unwrap();
    run(event_loop);
    result.take().expect("the callback ran to its end")
}

#[test]
fn a_loop_cannot_run_inside_itself() {
    let event_loop = new_loop();
    let own = event_loop.clone();
    let error = within(&event_loop, move || own.run_forever()).unwrap_err();
    assert!(matches!(&error, LoopError::AlreadyRunning));
    assert_eq!(error.to_string(), "this event loop is already running");
}

#[test]
fn a_turn_cannot_run_inside_a_turn() {
    let event_loop = new_loop();
    let own = event_loop.clone();
    let ran = Rc::new(Cell::new(false));
    let after = Rc::clone(&ran);
    let error = within(&event_loop, move || {
        own.call_soon(move || after.set(true)).unwrap();
        own.run_once()
    });
    assert!(matches!(error, Err(LoopError::AlreadyRunning)));
    assert!(!ran.get());
}

#[test]
fn a_loop_cannot_run_inside_another() {
    let (event_loop, other) = (new_loop(), new_loop());
    let inner = other.clone();
    let errors = within(&event_loop, move || [inner.run_forever(), inner.run_once()]);
    for error in errors {
        let error = error.unwrap_err();
        assert!(matches!(&error, LoopError::AnotherLoopRunning), "{error}");
    }
    run(&other);
}

#[test]
fn two_loops_may_run_one_after_the_other_and_on_two_threads() {
    run(&new_loop());
    let event_loop = new_loop();
    let elsewhere = || std::thread::spawn(|| run(&new_loop())).join();
    within(&event_loop, elsewhere).unwrap();
}

#[test]
fn the_running_loop_is_known_within_its_turns_only() {
    let event_loop = new_loop();
    let error = running_loop().unwrap_err();
    assert_eq!(error.to_string(), "no running event loop");
    let found = within(&event_loop, || running_loop().unwrap());
    assert!(found.is(&event_loop));
    assert!(running_loop().is_err());
    let elsewhere = || std::thread::spawn(|| running_loop().is_err()).join();
    assert!(within(&event_loop, elsewhere).unwrap());
}

#[test]
fn a_panic_out_of_a_watcher_leaves_no_loop_running() {
    struct Panics;
    impl six_steps::Watch for Panics {
        fn turn_ended(&self, _: &EventLoop) {
            panic!("a watcher is not a callback");
        }
    }
    let event_loop = new_loop();
    let watcher: Rc<dyn six_steps::Watch> = Rc::new(Panics);
    event_loop.watch(Rc::clone(&watcher));
    event_loop.stop();
    let run_it = std::panic::AssertUnwindSafe(|| event_loop.run_forever());
    assert!(std::panic::catch_unwind(run_it).is_err());
    assert!(!event_loop.is_running() && running_loop().is_err());
    event_loop.unwatch(&watcher);
    run(&event_loop);
}

#[test]
fn a_closed_loop_refuses_every_call() {
    let selector = VirtualSelector::new();
    let source = selector.readable_at(Duration::ZERO);
    let event_loop = EventLoop::with_selector(selector);
    let hatch = event_loop.hatch();
    let handle = Handle::new(|| ());
    event_loop.close().unwrap();
    assert!(event_loop.is_closed());

    let refused = [
        event_loop.call_soon(|| ()).map(drop),
        event_loop.call_soon_handle(handle.clone()),
        event_loop.call_later(Duration::ZERO, || ()).map(drop),
        event_loop.call_at(Duration::ZERO, || ()).map(drop),
        event_loop
            .call_at_callback(Duration::ZERO, six_steps::once(|| ()))
            .map(drop),
        event_loop.add_reader(source.clone(), || ()).map(drop),
        event_loop.add_writer(source.clone(), || ()).map(drop),
        event_loop.add_reader_handle(source, handle).map(drop),
        event_loop.run_forever(),
        event_loop.run_once(),
        hatch.call_soon_threadsafe(|| ()).map_err(LoopError::from),
    ];
    for (call, result) in refused.into_iter().enumerate() {
        let error = result.expect_err("the loop is closed");
        assert!(matches!(&error, LoopError::Closed), "call {call}: {error}");
        assert_eq!(error.to_string(), LoopClosed.to_string());
    }
    assert!(!event_loop.remove_reader_fd(0));
    assert_eq!((event_loop.ready_len(), event_loop.scheduled_len()), (0, 0));
    event_loop.close().unwrap(); // the second time does nothing
}

#[test]
fn a_running_loop_cannot_be_closed() {
    let event_loop = new_loop();
    let own = event_loop.clone();
    let error = within(&event_loop, move || own.close()).unwrap_err();
    assert_eq!(error.to_string(), "cannot close a running event loop");
    assert!(!event_loop.is_closed());
}

#[test]
fn a_deadline_beyond_the_clock_is_an_error() {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    clock.advance(Duration::from_secs(1));
    let range = Duration::from_nanos(u64::MAX);
    let (value, seen) = captured();
    let error = event_loop.call_later(Duration::MAX, move || drop(value));
    assert!(matches!(error, Err(LoopError::Deadline(_))));
    assert!(seen.upgrade().is_none(), "the callback is dropped");
    for result in [
        event_loop.call_later(range, || ()),
        event_loop.call_at(range + Duration::from_nanos(1), || ()),
        event_loop.call_at(Duration::MAX, || ()),
    ] {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("584 years"), "{error}");
    }
    assert_eq!(event_loop.scheduled_len(), 0);
    event_loop.call_at(range, || ()).unwrap();
}

fn captured() -> (Rc<()>, Weak<()>) {
    let value = Rc::new(());
    let seen = Rc::downgrade(&value);
    (value, seen)
}
