//! Watching a loop turn: what a watcher is told and in which order, and what the recorder makes of
//! it. Everything higher up that times, traces or draws a turn stands on this.

mod scene;

use std::cell::RefCell;
use std::rc::Rc;

use scene::{Scene, ms};
use six_steps::{EventLoop, Handle, Recorder, Step, TurnRecord, Watch};

/// Tells every moment it sees as one word, the argument included where there is one.
#[derive(Default)]
struct Witness(RefCell<Vec<String>>);

impl Witness {
    fn saw(&self, what: impl Into<String>) {
        self.0.borrow_mut().push(what.into());
    }
}

impl Watch for Witness {
    fn turn_started(&self, _: &EventLoop) {
        self.saw("turn started");
    }
    fn step_entered(&self, _: &EventLoop, step: Step) {
        self.saw(format!("{step:?}"));
    }
    fn handle_about_to_run(&self, _: &EventLoop, _: &Handle) {
        self.saw("about to run");
    }
    fn handle_done(&self, _: &EventLoop, _: &Handle) {
        self.saw("done");
    }
    fn handle_skipped(&self, _: &EventLoop, _: &Handle) {
        self.saw("skipped");
    }
    fn turn_ended(&self, _: &EventLoop) {
        self.saw("turn ended");
    }
}

#[test]
fn a_watcher_sees_six_steps_in_order() {
    let scene = Scene::new();
    let witness = Rc::new(Witness::default());
    scene.event_loop.watch(witness.clone());
    scene.soon("a");
    let skipped = scene.event_loop.call_soon(|| ()).unwrap();
    skipped.cancel();
    scene.event_loop.stop();
    scene.run();
    let expected = [
        "turn started",
        "Sweep",
        "Timeout",
        "Select(Some(0ns))",
        "Events",
        "Timers",
        "Run(2)",
        "about to run",
        "done",
        "skipped",
        "turn ended",
    ];
    assert_eq!(*witness.0.borrow(), expected);
}

#[test]
fn a_watcher_that_was_removed_sees_nothing() {
    let scene = Scene::new();
    let witness = Rc::new(Witness::default());
    let watcher: Rc<dyn Watch> = witness.clone();
    scene.event_loop.watch(Rc::clone(&watcher));
    assert!(scene.event_loop.unwatch(&watcher));
    assert!(!scene.event_loop.unwatch(&watcher));
    scene.event_loop.stop();
    scene.run();
    assert!(witness.0.borrow().is_empty());
    assert_eq!(scene.turns.count(), 1, "the other one goes on");
}

/// A callback may add a watcher in the middle of a turn.
#[test]
fn a_watcher_sees_everything_from_the_next_moment_on() {
    let scene = Scene::new();
    let witness = Rc::new(Witness::default());
    let (event_loop, watcher) = (scene.event_loop.clone(), witness.clone());
    let add = move || event_loop.watch(watcher);
    scene.event_loop.call_soon(add).unwrap();
    scene.soon("a");
    scene.event_loop.stop();
    scene.run();
    // The end of the handle that added it is for those who were told of its beginning.
    let expected = ["about to run", "done", "turn ended"];
    assert_eq!(*witness.0.borrow(), expected);
}

#[test]
fn the_recorder_writes_down_what_each_turn_did() {
    let scene = Scene::new();
    let recorder = Rc::new(Recorder::default());
    scene.event_loop.watch(recorder.clone());
    let clock = scene.selector.clock();
    let block = move || clock.advance(ms(7));
    scene.event_loop.call_later(ms(10), block).unwrap();
    scene.event_loop.call_later(ms(1), || ()).unwrap().cancel();
    scene.stop_after(ms(20));
    scene.run();
    let turns = recorder.turns();
    let first = TurnRecord {
        started: ms(0),
        timeout: Some(ms(10)),
        woke: Some(ms(10)),
        heap: (3, 2),
        cancelled_count: (1, 0),
        ran: vec!["watch::the_recorder_writes_down_what_each_turn_did::{{closure}}()".to_owned()],
        ended: Some(ms(17)),
    };
    assert_eq!(turns[0], first);
    let second = &turns[1];
    assert_eq!((second.started, second.timeout), (ms(17), Some(ms(3))));
    assert_eq!((second.heap, second.ended), ((1, 1), Some(ms(20))));
    assert_eq!(turns.len(), 2);
}
