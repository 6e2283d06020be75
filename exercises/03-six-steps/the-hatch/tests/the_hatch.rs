//! Reports from other threads. Each thread is joined where it is started, while the virtual clock
//! stands still, so that the runs are the same every time.

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use lesson::{Limit, Rule};
use six_steps::{EventLoop, ExceptionContext, LoopClosed, LoopError, TurnCounter, running_loop};
use the_hatch::{Reporter, Reports};

const WAKE: Rule = Rule {
    says: "A post through the hatch rings: it ends the sleep that goes on, and runs in the turn that this begins. A queue beside the loop wakes nobody.",
    reread: "chapter 3, \"How does another thread get in?\"",
};
const NEXT: Rule = Rule {
    says: "What came through the hatch is collected in step 4 of the next turn and runs in its step 6.",
    reread: "chapter 3, \"How does another thread get in?\"",
};
const ORDER: Rule = Rule {
    says: "What came through the hatch becomes ready in the order in which it came, all of it in one turn.",
    reread: "chapter 3, \"How does another thread get in?\"",
};
const IDLE: Rule = Rule {
    says: "A loop on which nothing happens sleeps. Looking again and again whether something came is work.",
    reread: "chapter 3, \"Where it goes wrong\"",
};
const FAILED: Rule = Rule {
    says: "A callback that fails does not end the others: each is a handle of its own.",
    reread: "chapter 3, \"What if a callback fails?\"",
};
const CLOSED: Rule = Rule {
    says: "Nothing runs on a closed loop any more, and whoever posts to it is told so.",
    reread: "chapter 3, \"How it differs from asyncio\"",
};

/// What happened, in order, for closures that cross threads.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().join(", ")
    }
}

/// Reports from a thread of its own that has ended when this returns. The report notes its name
/// and the loop's time.
fn report(reporter: &Reporter, notes: &Notes, name: &'static str) -> Result<(), LoopClosed> {
    let (reporter, notes) = (reporter.clone(), notes.clone());
    let worker = thread::spawn(move || {
        reporter.report(move || {
            let time = running_loop().map(|here| here.time().as_millis());
            match time {
                Ok(ms) => notes.add(format!("{name} at {ms} ms")),
                Err(error) => notes.add(format!("{name}: {error}")),
            }
        })
    });
    worker.join().unwrap()
}

fn service(rule: Rule) -> (EventLoop, Rc<TurnCounter>, Reports, Notes) {
    let (event_loop, _) = lesson::virtual_loop();
    Limit::on(&event_loop, 100, rule);
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let reports = Reports::new(&event_loop).unwrap();
    (event_loop, turns, reports, Notes::default())
}

fn stop_at(event_loop: &EventLoop, ms: u64) {
    let stop = event_loop.clone();
    event_loop
        .call_at(Duration::from_millis(ms), move || stop.stop())
        .unwrap();
}

#[track_caller]
fn run(rule: Rule, event_loop: &EventLoop) {
    if let Err(error) = event_loop.run_forever() {
        rule.broken(format_args!("run_forever failed: {error}"));
    }
}

#[track_caller]
fn turn(rule: Rule, event_loop: &EventLoop) {
    if let Err(error) = event_loop.run_once() {
        rule.broken(format_args!("the turn failed: {error}"));
    }
}

#[test]
fn a_report_ends_the_sleep() {
    let (event_loop, turns, reports, notes) = service(WAKE);
    for (ms, name) in [(7, "first"), (40, "second")] {
        let (reporter, notes) = (reports.reporter(), notes.clone());
        let work = move || report(&reporter, &notes, name).unwrap();
        event_loop.call_at(Duration::from_millis(ms), work).unwrap();
    }
    stop_at(&event_loop, 240);
    run(WAKE, &event_loop);
    WAKE.same(
        "the reports",
        "first at 7 ms, second at 40 ms",
        notes.text(),
    );
    WAKE.same(
        "the number of turns: two works, two reports, one stop",
        5,
        turns.count(),
    );
    lesson::passed();
}

#[test]
fn a_report_can_be_all_that_ever_happens() {
    let (event_loop, turns, reports, notes) = service(WAKE);
    report(&reports.reporter(), &notes, "only").unwrap();
    let reporter = reports.reporter();
    let stopper = thread::spawn(move || {
        reporter.report(|| {
            if let Ok(here) = running_loop() {
                here.stop();
            }
        })
    });
    stopper.join().unwrap().unwrap();
    run(WAKE, &event_loop);
    WAKE.same("the reports", "only at 0 ms", notes.text());
    WAKE.same("the number of turns", 1, turns.count());
    lesson::passed();
}

#[test]
fn a_report_of_a_report_runs_in_the_next_turn() {
    let (event_loop, _, reports, notes) = service(NEXT);
    let (reporter, outer, inner) = (reports.reporter(), notes.clone(), notes.clone());
    let again = reporter.clone();
    let first = move || {
        outer.add("first");
        again.report(move || inner.add("again")).unwrap();
    };
    reporter.report(first).unwrap();
    NEXT.same("what ran before the first turn", "", notes.text());
    turn(NEXT, &event_loop);
    NEXT.same("after turn 1", "first", notes.text());
    turn(NEXT, &event_loop);
    NEXT.same("after turn 2", "first, again", notes.text());
    lesson::passed();
}

#[test]
fn reports_run_in_the_order_they_came() {
    let (event_loop, _, reports, notes) = service(ORDER);
    let (one, other) = (reports.reporter(), reports.reporter());
    for (reporter, name) in [(&one, "a"), (&other, "b"), (&one, "c"), (&other, "d")] {
        report(reporter, &notes, name).unwrap();
    }
    turn(ORDER, &event_loop);
    let expected = "a at 0 ms, b at 0 ms, c at 0 ms, d at 0 ms";
    ORDER.same("the reports after one turn", expected, notes.text());
    lesson::passed();
}

#[test]
fn without_reports_the_loop_sleeps() {
    let (event_loop, turns, reports, notes) = service(IDLE);
    let left = (event_loop.ready_len(), event_loop.scheduled_len());
    IDLE.same("handles and timers of a new service", (0, 0), left);
    report(&reports.reporter(), &notes, "a").unwrap();
    turn(IDLE, &event_loop);
    let left = (event_loop.ready_len(), event_loop.scheduled_len());
    IDLE.same("handles and timers after a report", (0, 0), left);
    stop_at(&event_loop, 3_600_000);
    run(IDLE, &event_loop);
    IDLE.same("the number of turns in an hour", 2, turns.count());
    lesson::passed();
}

#[test]
fn a_report_that_panics_takes_no_other_with_it() {
    let (event_loop, _, reports, notes) = service(FAILED);
    let handler = notes.clone();
    event_loop.set_exception_handler(Some(move |_: &EventLoop, _: &ExceptionContext| {
        handler.add("handler");
    }));
    let reporter = reports.reporter();
    report(&reporter, &notes, "a").unwrap();
    reporter.report(|| panic!("the picture is broken")).unwrap();
    report(&reporter, &notes, "b").unwrap();
    turn(FAILED, &event_loop);
    FAILED.same(
        "what happened",
        "a at 0 ms, handler, b at 0 ms",
        notes.text(),
    );
    lesson::passed();
}

#[test]
fn a_report_to_a_closed_loop_is_an_error() {
    let (event_loop, _, reports, notes) = service(CLOSED);
    let reporter = reports.reporter();
    event_loop.close().unwrap();
    let told = report(&reporter, &notes, "late");
    CLOSED.same("what report returns", Err(LoopClosed), told);
    CLOSED.same("what ran", "", notes.text());
    let opened = Reports::new(&event_loop).map(drop);
    let closed = matches!(opened, Err(LoopError::Closed));
    CLOSED.holds(
        closed,
        format!("Reports::new on a closed loop should say so, and says {opened:?}"),
    );
    lesson::passed();
}
