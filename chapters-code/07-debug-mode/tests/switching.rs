//! Switching debug mode while the loop runs, and what a report of one's own may do.

mod common;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use common::{ms, text, texts, virtual_loop};
use debug_mode::{DebugMode, SlowCallback, asks_for_debug};
use log::Level;
use six_steps::{EventLoop, Exception, ExceptionContext, Recorder, VirtualClock};
use wakeup::{Tasks, yield_now};

fn one_turn(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

/// Three handles in one turn; the second one runs `switch` and then blocks. Each blocks for its
/// own time, so that the lines say which of them were timed.
fn blocks(before: bool, switch: impl Fn(&EventLoop) + 'static) -> Vec<String> {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(before);
    let block = |millis, clock: &VirtualClock| {
        let clock = clock.clone();
        move || clock.advance(ms(millis))
    };
    event_loop.call_soon(block(100, &clock)).unwrap();
    let (inner, second) = (event_loop.clone(), block(200, &clock));
    let switching = move || {
        switch(&inner);
        second();
    };
    event_loop.call_soon(switching).unwrap();
    event_loop.call_soon(block(300, &clock)).unwrap();
    one_turn(&event_loop);
    let took = |text: String| text.rsplit("> took ").next().unwrap().to_owned();
    texts(Level::Warn).into_iter().map(took).collect()
}

#[test]
fn on_within_a_handle_counts_from_the_next_one() {
    let timed = blocks(false, |event_loop| event_loop.set_debug(true));
    assert_eq!(timed, ["0.300 seconds"]);
}

#[test]
fn off_within_a_handle_counts_from_the_next_one() {
    let timed = blocks(true, |event_loop| event_loop.set_debug(false));
    assert_eq!(timed, ["0.100 seconds", "0.200 seconds"]);
}

#[test]
fn off_and_on_within_a_handle_leaves_it_timed() {
    let timed = blocks(true, |event_loop| {
        event_loop.set_debug(false);
        event_loop.set_debug(true);
    });
    assert_eq!(timed, ["0.100 seconds", "0.200 seconds", "0.300 seconds"]);
}

#[test]
fn on_and_off_within_a_handle_leaves_it_untimed() {
    let timed = blocks(false, |event_loop| {
        event_loop.set_debug(true);
        event_loop.set_debug(false);
    });
    assert_eq!(timed, [""; 0]);
}

/// The threshold is read when the handle is done.
#[test]
fn a_threshold_set_within_a_handle_counts_for_it() {
    let timed = blocks(true, |event_loop| {
        event_loop.set_slow_callback_duration(ms(250));
    });
    assert_eq!(timed, ["0.100 seconds", "0.300 seconds"]);
}

/// `set_debug` in a running loop queues one handle, as `_set_coroutine_origin_tracking`; it does so
/// whether or not anything changes.
#[test]
fn in_a_running_loop_it_queues_one_more_handle() {
    for enabled in [true, false] {
        let (event_loop, _) = virtual_loop();
        let recorder = Rc::new(Recorder::default());
        event_loop.watch(recorder.clone());
        let inner = event_loop.clone();
        let main = async move {
            inner.set_debug(enabled);
            yield_now().await
        };
        event_loop.run_until_complete(main).unwrap();
        let ran: Vec<Vec<String>> = recorder.turns().into_iter().map(|turn| turn.ran).collect();
        assert_eq!(
            ran,
            [
                vec!["step:Task-1"],
                vec!["set_debug", "step:Task-1"],
                vec!["run_done:Task-1"]
            ],
            "{enabled}"
        );
    }
}

#[test]
fn outside_of_a_run_it_queues_nothing() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.set_debug(false);
    assert_eq!(event_loop.ready_len(), 0);
}

#[test]
fn setting_it_twice_times_once() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.set_debug(true);
    event_loop
        .call_soon(move || clock.advance(ms(250)))
        .unwrap();
    one_turn(&event_loop);
    assert_eq!(texts(Level::Warn).len(), 1);
}

#[test]
fn a_handle_that_fails_is_slow_too() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_exception_handler(Some(|_: &EventLoop, _: &ExceptionContext| ()));
    event_loop.set_debug(true);
    let fails = move || {
        clock.advance(ms(250));
        Err::<(), _>(Exception::error("no tea"))
    };
    event_loop.call_soon(fails).unwrap();
    one_turn(&event_loop);
    assert_eq!(texts(Level::Warn).len(), 1);
}

/// A handle that leaves the loop has no line, and the next one is not charged with its time.
#[test]
fn a_handle_that_leaves_the_loop_is_not_reported() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    let leaves = move || {
        clock.advance(ms(250));
        Err::<(), _>(Exception::exit("leave"))
    };
    event_loop.call_soon(leaves).unwrap();
    event_loop.run_forever().unwrap_err();
    event_loop.call_soon(|| ()).unwrap();
    one_turn(&event_loop);
    assert_eq!(texts(Level::Warn), [""; 0]);
}

#[test]
fn a_report_of_ones_own_takes_the_lines_place() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&seen);
    event_loop.on_slow_callback(Some(move |slow: &SlowCallback<'_>| {
        kept.borrow_mut().push(slow.duration);
    }));
    let again = clock.clone();
    event_loop
        .call_soon(move || clock.advance(ms(250)))
        .unwrap();
    one_turn(&event_loop);
    assert_eq!(*seen.borrow(), [ms(250)]);
    assert_eq!(texts(Level::Warn), [""; 0]);
    event_loop.on_slow_callback(None::<fn(&SlowCallback<'_>)>);
    event_loop
        .call_soon(move || again.advance(ms(250)))
        .unwrap();
    one_turn(&event_loop);
    assert_eq!(texts(Level::Warn).len(), 1);
}

#[test]
fn a_report_may_change_the_report_and_the_mode() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    let calls = Rc::new(Cell::new(0));
    let (counted, inner) = (Rc::clone(&calls), event_loop.clone());
    event_loop.on_slow_callback(Some(move |_: &SlowCallback<'_>| {
        counted.set(counted.get() + 1);
        inner.on_slow_callback(None::<fn(&SlowCallback<'_>)>);
        inner.set_debug(false);
    }));
    for _ in 0..2 {
        let clock = clock.clone();
        event_loop
            .call_soon(move || clock.advance(ms(250)))
            .unwrap();
    }
    one_turn(&event_loop);
    assert_eq!(calls.get(), 1);
    assert_eq!(texts(Level::Warn), [""; 0]);
}

#[test]
fn a_report_that_panics_does_not_end_the_loop() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.on_slow_callback(Some(|_: &SlowCallback<'_>| panic!("the pager is down")));
    event_loop
        .call_soon(move || clock.advance(ms(250)))
        .unwrap();
    one_turn(&event_loop);
    let text = text(Level::Error);
    let first = text.lines().next().unwrap();
    assert_eq!(first, "Exception in the report of a slow callback");
    assert!(text.ends_with("\nthe pager is down"), "{text}");
}

#[test]
fn the_variable_asks_unless_it_is_empty() {
    for (value, asks) in [
        (None, false),
        (Some(""), false),
        (Some("1"), true),
        (Some("0"), true),
    ] {
        assert_eq!(asks_for_debug(value.map(AsRef::as_ref)), asks, "{value:?}");
    }
}

#[test]
fn a_closed_loop_can_be_asked_and_told() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.close().unwrap();
    event_loop.set_debug(false);
    event_loop.set_slow_callback_duration(Duration::ZERO);
    assert!(!event_loop.debug());
}
