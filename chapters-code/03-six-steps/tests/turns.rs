//! What a turn does and in which order: FACTS of the chapter as exact assertions, on the virtual
//! clock.

mod scene;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use scene::{Scene, ms};
use six_steps::{
    EventLoop, Handle, LoopError, MAXIMUM_SELECT_TIMEOUT, Recorder, TurnCounter, VirtualSelector,
};

/// A callback that queues itself again, and counts.
fn reschedule(scene: &Scene) {
    scene.note("again");
    let next = scene.clone();
    scene
        .event_loop
        .call_soon(move || reschedule(&next))
        .unwrap();
}

#[test]
fn a_callback_that_reschedules_itself_does_not_own_the_loop() {
    let scene = Scene::new();
    reschedule(&scene);
    scene.log.take();
    scene.soon("other");
    let stop = scene.event_loop.clone();
    let stopping = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            stopping.note("stop");
            stop.stop();
        })
        .unwrap();
    assert_eq!(scene.run(), [(1, "again"), (1, "other"), (1, "stop")]);
    assert_eq!(scene.event_loop.ready_len(), 1, "its next run still waits");
    scene.event_loop.close().unwrap();
}

#[test]
fn a_callback_that_reschedules_itself_does_not_starve_timers() {
    let scene = Scene::new();
    reschedule(&scene);
    scene.log.take();
    scene.later(ms(0), "timer");
    scene.stop_after(ms(0));
    let expected = [(1, "again"), (1, "timer")];
    assert_eq!(scene.run(), expected);
    scene.event_loop.close().unwrap();
}

#[test]
fn what_a_callback_adds_runs_one_turn_later_each_time() {
    let scene = Scene::new();
    let inner = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            inner.note("a");
            let innermost = inner.clone();
            let next = move || {
                innermost.note("b");
                innermost.soon("c");
                innermost.event_loop.stop();
            };
            inner.event_loop.call_soon(next).unwrap();
        })
        .unwrap();
    scene.soon("d");
    assert_eq!(scene.run(), [(1, "a"), (1, "d"), (2, "b")]);
    scene.event_loop.stop();
    assert_eq!(scene.run(), [(3, "c")]);
}

#[test]
fn the_order_within_a_turn_is_ready_then_descriptors_then_timers() {
    let scene = Scene::new();
    let source = scene.selector.readable_at(ms(5));
    let fd = source.fd();
    let reader = scene.clone();
    scene.later(ms(5), "timer");
    scene
        .event_loop
        .add_reader(source, move || {
            reader.note("descriptor");
            reader.event_loop.remove_reader_fd(fd);
        })
        .unwrap();
    let inner = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            // Blocks until both are due, so that all three meet in the next turn.
            inner.selector.clock().advance(ms(5));
            inner.soon("ready");
            inner.event_loop.stop();
        })
        .unwrap();
    scene.run();
    scene.event_loop.stop();
    let expected = [(2, "ready"), (2, "descriptor"), (2, "timer")];
    assert_eq!(scene.run(), expected);
}

#[test]
fn call_later_zero_runs_in_the_next_turn_behind_every_call_soon() {
    let scene = Scene::new();
    let inner = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            inner.later(Duration::ZERO, "timer");
            inner.soon("soon 1");
        })
        .unwrap();
    let inner = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            inner.soon("soon 2");
            inner.stop_after(Duration::ZERO);
        })
        .unwrap();
    let expected = [(2, "soon 1"), (2, "soon 2"), (2, "timer")];
    assert_eq!(scene.run(), expected);
}

#[test]
fn a_moment_that_has_passed_means_the_next_turn() {
    let scene = Scene::new();
    scene.selector.clock().advance(ms(100));
    scene
        .event_loop
        .call_at(ms(1), scene.noting("past"))
        .unwrap();
    scene.event_loop.stop();
    assert_eq!(scene.run(), [(1, "past")]);
    assert_eq!(scene.event_loop.time(), ms(100));
}

#[test]
fn timers_within_the_clocks_resolution_are_due() {
    let selector = VirtualSelector::new().with_resolution(ms(16));
    let event_loop = EventLoop::with_selector(selector);
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    event_loop.call_later(ms(15), || ()).unwrap();
    event_loop.call_later(ms(16), || ()).unwrap(); // strictly within
    event_loop.stop();
    event_loop.run_forever().unwrap();
    assert_eq!(event_loop.scheduled_len(), 1);
}

#[test]
fn stop_before_a_run_means_one_turn() {
    let scene = Scene::new();
    scene.soon("a");
    scene.later(ms(1), "too late");
    scene.event_loop.stop();
    assert_eq!(scene.run(), [(1, "a")]);
    assert_eq!((scene.turns.count(), scene.event_loop.time()), (1, ms(0)));
}

#[test]
fn stop_in_a_callback_lets_the_turn_end() {
    let scene = Scene::new();
    scene.soon("before");
    let stop = scene.event_loop.clone();
    scene.event_loop.call_soon(move || stop.stop()).unwrap();
    let after = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            after.note("after");
            after.soon("next");
        })
        .unwrap();
    assert_eq!(scene.run(), [(1, "before"), (1, "after")]);
    scene.event_loop.stop();
    assert_eq!(scene.run(), [(2, "next")], "a stop counts for one run");
}

#[test]
fn a_cancelled_handle_is_skipped_in_its_place() {
    let scene = Scene::new();
    let recorder = Rc::new(Recorder::default());
    scene.event_loop.watch(recorder.clone());
    let victim: Rc<RefCell<Option<Handle>>> = Rc::default();
    let cancels = Rc::clone(&victim);
    let stop = scene.event_loop.clone();
    let first = move || {
        cancels.borrow().as_ref().unwrap().cancel();
        stop.stop();
    };
    scene.event_loop.call_soon(first).unwrap();
    let handle = scene.event_loop.call_soon(scene.noting("victim")).unwrap();
    victim.replace(Some(handle));
    scene.soon("last");
    assert_eq!(scene.run(), [(1, "last")]);
    let ran = &recorder.turns()[0].ran;
    assert_eq!((ran.len(), ran[1].as_str()), (3, "cancelled"));
}

#[test]
fn a_sleep_is_never_longer_than_a_day() {
    let scene = Scene::new();
    let recorder = Rc::new(Recorder::default());
    scene.event_loop.watch(recorder.clone());
    scene.stop_after(MAXIMUM_SELECT_TIMEOUT + ms(1));
    scene.run();
    let timeouts: Vec<_> = recorder.turns().iter().map(|turn| turn.timeout).collect();
    assert_eq!(timeouts, [Some(MAXIMUM_SELECT_TIMEOUT), Some(ms(1))]);
}

#[test]
fn one_turn_may_be_run_by_itself() {
    let scene = Scene::new();
    let inner = scene.clone();
    scene
        .event_loop
        .call_soon(move || {
            inner.note("a");
            inner.soon("b");
            assert!(inner.event_loop.is_running());
            assert!(six_steps::running_loop().unwrap().is(&inner.event_loop));
            assert!(matches!(
                inner.event_loop.close(),
                Err(LoopError::CloseWhileRunning)
            ));
        })
        .unwrap();
    scene.event_loop.run_once().unwrap();
    assert_eq!(scene.log.take(), [(1, "a")]);
    assert!(!scene.event_loop.is_running());
    scene.event_loop.run_once().unwrap();
    assert_eq!(scene.log.take(), [(2, "b")]);
}
