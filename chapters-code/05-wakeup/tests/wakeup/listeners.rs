//! Done callbacks: who is told, through the ready queue, and in which order.

use std::io;
use std::rc::Rc;

use six_steps::Handle;
use wakeup::{Future, Tasks};

use crate::stage::{Notes, Stage};

fn noting(notes: &Notes, text: &'static str) -> impl FnOnce(Future<u32>) + 'static {
    let notes = notes.clone();
    move |future| notes.add(format!("{text} {:?}", future.result().ok()))
}

#[test]
fn they_run_in_the_next_turn_in_the_order_they_came() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    for text in ["a", "b", "c"] {
        future.add_done_callback(noting(&notes, text));
    }
    let setter = future.clone();
    let while_setting = notes.clone();
    let set = move || {
        setter.set_result(7).unwrap();
        while_setting.add("set");
    };
    stage.event_loop.call_soon(set).unwrap();
    stage.turn(2);
    let expected = ["1: set", "2: a Some(7)", "2: b Some(7)", "2: c Some(7)"];
    assert_eq!(stage.noted(), expected);
}

#[test]
fn one_added_to_a_done_future_runs_in_the_next_turn_too() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    future.set_result(7).unwrap();
    future.add_done_callback(noting(&notes, "late"));
    assert!(stage.noted().is_empty(), "not at once");
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: late Some(7)"]);
}

#[test]
fn exceptions_and_cancellations_tell_them_as_well() {
    let stage = Stage::new();
    let notes = stage.notes();
    let (failing, cancelled) = (
        stage.event_loop.create_future(),
        stage.event_loop.create_future(),
    );
    for future in [&failing, &cancelled] {
        future.add_done_callback(noting(&notes, "told"));
    }
    failing.set_exception(io::Error::other("no tea")).unwrap();
    cancelled.cancel();
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: told None", "1: told None"]);
}

#[test]
fn a_removed_one_does_not_run() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    let _first = future.add_done_callback(noting(&notes, "first"));
    let removed = future.add_done_callback(noting(&notes, "removed"));
    let _last = future.add_done_callback(noting(&notes, "last"));
    assert_eq!(future.remove_done_callback(&removed), 1);
    assert_eq!(future.remove_done_callback(&removed), 0, "it is gone");
    future.set_result(1).unwrap();
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: first Some(1)", "1: last Some(1)"]);
}

#[test]
fn one_that_is_ready_already_is_not_removed_but_can_be_cancelled() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    let ready = future.add_done_callback(noting(&notes, "ready"));
    let cancelled = future.add_done_callback(noting(&notes, "cancelled"));
    future.set_result(1).unwrap();
    assert_eq!(future.remove_done_callback(&ready), 0);
    cancelled.cancel();
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: ready Some(1)"]);
    assert!(
        stage.trace()[0].contains(" cancelled "),
        "its place is skipped"
    );
}

#[test]
fn a_handle_added_twice_runs_twice_and_goes_as_one() {
    let stage = Stage::new();
    let notes = stage.notes();
    let handle = Handle::repeating(move || notes.add("rung"));
    let future: Future<()> = stage.event_loop.create_future();
    future.add_done_handle(handle.clone());
    future.add_done_handle(handle.clone());
    future.set_result(()).unwrap();
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: rung", "1: rung"]);

    let future: Future<()> = stage.event_loop.create_future();
    future.add_done_handle(handle.clone());
    future.add_done_handle(handle.clone());
    assert_eq!(future.remove_done_callback(&handle), 2);
}

#[test]
fn one_that_fails_or_panics_is_reported_and_the_others_run() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    future.add_done_callback(|_| Err::<(), _>(io::Error::other("spilt")));
    future.add_done_callback(|_| -> () { panic!("the cup fell") });
    future.add_done_callback(noting(&notes, "last"));
    future.set_result(1).unwrap();
    stage.turn(1);
    assert_eq!(stage.noted(), ["1: last Some(1)"]);
    let reports = stage.reports();
    assert_eq!(reports.len(), 2);
    assert!(
        reports[0].starts_with("Exception in callback "),
        "{}",
        reports[0]
    );
    assert!(reports[0].ends_with("\nspilt") && reports[1].ends_with("\nthe cup fell"));
}

#[test]
fn one_added_by_another_waits_a_turn_more() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    let inner = notes.clone();
    future.add_done_callback(move |future: Future<u32>| {
        inner.add("outer");
        future.add_done_callback(noting(&inner, "inner"));
    });
    future.set_result(1).unwrap();
    stage.turn(2);
    assert_eq!(stage.noted(), ["1: outer", "2: inner Some(1)"]);
}

#[test]
fn a_future_dropped_with_listeners_drops_them_untold() {
    let stage = Stage::new();
    let told = Rc::new(());
    let kept = Rc::clone(&told);
    let future: Future<()> = stage.event_loop.create_future();
    future.add_done_callback(move |_| drop(kept));
    assert_eq!(Rc::strong_count(&told), 2);
    drop(future);
    assert_eq!(Rc::strong_count(&told), 1);
    stage.turn(1);
    assert_eq!(stage.trace().len(), 1);
}

#[test]
fn on_a_closed_loop_a_future_still_ends_and_tells_nobody() {
    let stage = Stage::new();
    let notes = stage.notes();
    let future = stage.event_loop.create_future();
    future.add_done_callback(noting(&notes, "told"));
    stage.event_loop.close().unwrap();
    future.set_result(1).unwrap();
    assert_eq!(future.result().unwrap(), 1);
    assert!(stage.noted().is_empty());
}
