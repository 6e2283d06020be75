//! The counter's contract: the rule, the order of turns, the worked example, the sleep.

use std::cell::RefCell;
use std::iter;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use counter::{Clock, Closed, RealClock, ToyLoop};

const ZERO: Duration = Duration::ZERO;
const SECOND: Duration = Duration::from_secs(1);

fn ends(toy: &mut ToyLoop) -> Vec<(u64, String)> {
    toy.run()
        .into_iter()
        .map(|end| (end.at.as_secs(), end.name))
        .collect()
}

#[test]
fn two_workers_alternate() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let mut toy = ToyLoop::new();
    for name in ["A", "B"] {
        let log = Rc::clone(&log);
        toy.spawn(
            name,
            (1..=2).map(move |step| {
                log.borrow_mut().push(format!("{name}{step}"));
                ZERO
            }),
        );
    }
    toy.run();
    assert_eq!(*log.borrow(), ["A1", "B1", "A2", "B2"]);
}

#[test]
fn tasks_end_in_order_of_their_total_sleep() {
    let mut toy = ToyLoop::new();
    toy.spawn("A", [SECOND * 3]);
    toy.spawn("B", [SECOND]);
    toy.spawn("C", [SECOND, SECOND]);
    assert_eq!(
        ends(&mut toy),
        [(1, "B".into()), (2, "C".into()), (3, "A".into())]
    );
}

#[test]
fn equal_deadlines_come_out_first_in_first_out() {
    let mut toy = ToyLoop::new();
    for name in ["a", "b", "c", "d"] {
        toy.spawn(name, [SECOND]);
    }
    let names: Vec<_> = ends(&mut toy).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn a_task_that_comes_back_during_a_round_waits_for_the_next() {
    let steps = Rc::new(RefCell::new(0));
    let mut toy = ToyLoop::new();
    let counted = Rc::clone(&steps);
    toy.spawn(
        "selfish",
        iter::repeat_with(move || {
            *counted.borrow_mut() += 1;
            ZERO
        }),
    );
    for round in 1..=5 {
        assert!(toy.round());
        assert_eq!(*steps.borrow(), round, "one step a round");
    }
}

#[test]
fn a_slip_added_during_a_round_runs_in_the_next() {
    let (clock, hatch) = RealClock::with_hatch();
    let (log, read) = channel();
    let mut toy = ToyLoop::with_clock(clock);

    let (posted, first) = (log.clone(), log.clone());
    toy.spawn(
        "first",
        iter::once_with(move || {
            first.send("first").unwrap();
            let added = iter::once_with(move || {
                posted.send("added").unwrap();
                ZERO
            });
            hatch.post("added", added).unwrap();
            ZERO
        }),
    );
    toy.spawn(
        "second",
        iter::once_with(move || {
            log.send("second").unwrap();
            ZERO
        }),
    );

    toy.round();
    assert_eq!(read.try_iter().collect::<Vec<_>>(), ["first", "second"]);
    toy.round();
    assert_eq!(read.try_iter().collect::<Vec<_>>(), ["added"]);
}

#[test]
fn the_hatch_is_heard_while_a_task_is_always_ready() {
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("selfish", iter::repeat(ZERO));
    hatch.post("letter", []).unwrap();
    assert_eq!(toy.ready(), 1);
    toy.round();
    assert_eq!(
        toy.ready(),
        1,
        "the letter ran and ended; the selfish task is back"
    );
    assert_eq!(
        toy.clock().wakes(),
        0,
        "with a task ready the loop never slept"
    );
}

#[test]
fn a_fake_clock_stands_still_while_a_task_is_ready() {
    let mut toy = ToyLoop::new();
    toy.spawn("selfish", iter::repeat(ZERO));
    toy.spawn("nap", [SECOND]);
    for _ in 0..1_000 {
        toy.round();
    }
    assert_eq!((toy.clock().now(), toy.waiting()), (ZERO, 1));
}

#[test]
fn a_real_clock_goes_on_while_a_task_is_ready() {
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("selfish", iter::repeat(ZERO));
    toy.spawn("nap", [Duration::from_millis(1)]);
    toy.round();
    assert_eq!(toy.waiting(), 1);
    while toy.waiting() > 0 {
        toy.round();
    }
    assert_eq!(
        toy.clock().wakes(),
        0,
        "the alarm was heard without a sleep"
    );
    drop(hatch);
}

#[test]
fn of_equal_totals_the_alarm_that_was_set_first_rings_first() {
    let mut toy = ToyLoop::new();
    toy.spawn("twice one", [SECOND, SECOND]);
    toy.spawn("once two", [SECOND * 2]);
    assert_eq!(
        ends(&mut toy),
        [(2, "once two".into()), (2, "twice one".into())]
    );
}

#[test]
fn one_alarm_is_one_wake() {
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("nap", [Duration::from_millis(1)]);
    toy.round();
    toy.round();
    assert_eq!((toy.clock().wakes(), toy.ready(), toy.waiting()), (1, 0, 0));
    drop(hatch);
}

#[test]
fn one_alarm_is_one_wake_when_nobody_can_post_any_more() {
    let (clock, hatch) = RealClock::with_hatch();
    drop(hatch);
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("nap", [Duration::from_millis(1)]);
    assert_eq!(toy.run().len(), 1);
    assert_eq!(toy.clock().wakes(), 1);
}

#[test]
fn one_post_is_one_wake() {
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    let poster = thread::spawn(move || hatch.post("letter", []));
    let ended = toy.run();
    poster.join().unwrap().unwrap();
    assert_eq!(ended[0].name, "letter");
    assert_eq!(toy.clock().wakes(), 1);
}

#[test]
fn a_post_ends_a_sleep_before_its_alarm() {
    let (clock, hatch) = RealClock::with_hatch();
    let mut toy = ToyLoop::with_clock(clock);
    toy.spawn("an hour", [SECOND * 3600]);
    toy.round();
    let poster = thread::spawn(move || hatch.post("letter", []).map(|()| hatch));
    toy.round();
    assert_eq!(
        (toy.waiting(), toy.clock().wakes()),
        (1, 1),
        "the hour is not over"
    );
    drop(poster.join().unwrap().unwrap());
}

#[test]
fn posting_to_a_loop_that_is_gone_is_an_error() {
    let (clock, hatch) = RealClock::with_hatch();
    drop(ToyLoop::with_clock(clock));
    let error = hatch.post("letter", []).unwrap_err();
    assert_eq!(error, Closed);
    assert!(error.to_string().contains("post before you drop it"));
}

#[test]
fn a_deadline_past_the_end_of_time_is_the_end_of_time() {
    let mut toy = ToyLoop::new();
    toy.spawn("A", [SECOND, Duration::MAX]);
    let ended = toy.run();
    assert_eq!(ended[0].at, Duration::MAX);
}
