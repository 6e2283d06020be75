//! A future: what setting its result does, and what it leaves to the loop.

use lesson::{Journal, Limit, Rule};
use set_result::{Future, InvalidState};
use six_steps::EventLoop;

const QUEUES: Rule = Rule {
    says: "set_result stores a value and queues callbacks; when it returns, none of them has run.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};
const ORDER: Rule = Rule {
    says: "One call_soon a callback, in the order in which they were added.",
    reread: "chapter 5, \"In CPython\", link 5",
};
const ONCE: Rule = Rule {
    says: "A future that is done stays as it is: nobody can change its result.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};
const LATE: Rule = Rule {
    says: "A callback that is added to a future that is done already goes to call_soon as well.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};
const STEP: Rule = Rule {
    says: "Whoever sets the result finishes its own step undisturbed; those who wait come in the turn after.",
    reread: "chapter 5, \"The future that resumes its waiter\"",
};

/// A loop of at most 20 turns, a future of it, and a journal.
fn stage() -> (EventLoop, Future<u32>, Journal) {
    let (event_loop, _) = lesson::virtual_loop();
    Limit::on(&event_loop, 20, QUEUES);
    let future = Future::new(&event_loop);
    (event_loop, future, Journal::new())
}

fn add(future: &Future<u32>, journal: &Journal, name: &'static str) {
    let journal = journal.clone();
    let added = future.add_done_callback(move |result| journal.note(format!("{name}={result}")));
    LATE.holds(added.is_ok(), "add_done_callback refused a callback.");
}

#[test]
fn a_callback_waits_for_the_result() {
    let (event_loop, future, journal) = stage();
    add(&future, &journal, "A");
    add(&future, &journal, "B");
    lesson::turn(&event_loop);
    QUEUES.same("what ran before there is a result", "", journal.text());
    QUEUES.same("the number of callbacks that wait", 2, future.waiting());
    QUEUES.same("the result", None, future.result());
    lesson::passed();
}

#[test]
fn set_result_runs_nothing_itself() {
    let (event_loop, future, journal) = stage();
    add(&future, &journal, "A");
    add(&future, &journal, "B");
    QUEUES.holds(
        future.set_result(7).is_ok(),
        "The first set_result should be accepted.",
    );
    QUEUES.same("what ran within set_result", "", journal.text());
    QUEUES.same("the result after it", Some(7), future.result());
    ORDER.same(
        "the number of handles in the ready queue",
        2,
        event_loop.ready_len(),
    );
    QUEUES.same("the number of callbacks that wait", 0, future.waiting());
    lesson::passed();
}

#[test]
fn they_run_in_the_order_in_which_they_came() {
    let (event_loop, future, journal) = stage();
    for name in ["A", "B", "C"] {
        add(&future, &journal, name);
    }
    let set = future.set_result(7);
    QUEUES.holds(set.is_ok(), "The first set_result should be accepted.");
    lesson::turn(&event_loop);
    ORDER.same("what ran in the next turn", "A=7 B=7 C=7", journal.text());
    lesson::turn(&event_loop);
    ORDER.same("what ran after two turns", "A=7 B=7 C=7", journal.text());
    lesson::passed();
}

#[test]
fn the_setter_finishes_its_step() {
    let (event_loop, future, journal) = stage();
    add(&future, &journal, "waiter");
    let (setter, noted) = (future.clone(), journal.clone());
    let queued = event_loop.call_soon(move || {
        noted.note("sets");
        setter.set_result(1)?;
        noted.note("goes-on");
        Ok::<(), six_steps::Exception>(())
    });
    assert!(queued.is_ok(), "the loop is open");
    lesson::turn(&event_loop);
    STEP.same("the turn of the setter", "sets goes-on", journal.text());
    lesson::turn(&event_loop);
    STEP.same("both turns", "sets goes-on waiter=1", journal.text());
    lesson::passed();
}

#[test]
fn a_second_result_is_an_error() {
    let (event_loop, future, journal) = stage();
    add(&future, &journal, "A");
    let first = future.set_result(1);
    ONCE.holds(first.is_ok(), "The first set_result should be accepted.");
    let again = future.set_result(2);
    let refused = again
        .as_ref()
        .err()
        .and_then(|error| error.downcast_ref().copied());
    ONCE.same("the answer of the second", Some(InvalidState), refused);
    let says = again.err().map(|error| error.to_string());
    ONCE.same("what it says", Some("invalid state".to_owned()), says);
    ONCE.same("the result after it", Some(1), future.result());
    ONCE.same("the number of handles queued", 1, event_loop.ready_len());
    lesson::turn(&event_loop);
    ONCE.same("what ran", "A=1", journal.text());
    lesson::passed();
}

#[test]
fn a_callback_that_comes_late_is_queued_too() {
    let (event_loop, future, journal) = stage();
    let set = future.set_result(3);
    QUEUES.holds(set.is_ok(), "set_result should be accepted.");
    add(&future, &journal, "late");
    LATE.same("what ran as it was added", "", journal.text());
    LATE.same("the number of handles queued", 1, event_loop.ready_len());
    lesson::turn(&event_loop);
    LATE.same("what ran in the next turn", "late=3", journal.text());
    lesson::passed();
}

#[test]
fn a_callback_may_add_another() {
    let (event_loop, future, journal) = stage();
    let (same, noted) = (future.clone(), journal.clone());
    let added = future.add_done_callback(move |_| {
        add(&same, &noted, "inner");
        noted.note("outer");
    });
    LATE.holds(added.is_ok(), "add_done_callback refused a callback.");
    let set = future.set_result(4);
    QUEUES.holds(set.is_ok(), "set_result should be accepted.");
    lesson::turn(&event_loop);
    LATE.same("the first turn", "outer", journal.text());
    lesson::turn(&event_loop);
    LATE.same("both turns", "outer inner=4", journal.text());
    lesson::passed();
}

#[test]
fn a_closed_loop_is_reported() {
    let (event_loop, future, journal) = stage();
    add(&future, &journal, "A");
    assert!(event_loop.close().is_ok(), "it does not run");
    QUEUES.holds(
        future.set_result(5).is_err(),
        "set_result cannot queue a callback on a closed loop, and should pass the loop's error on.",
    );
    LATE.holds(
        future.add_done_callback(|_| ()).is_err(),
        "add_done_callback cannot queue on a closed loop, and should pass the loop's error on.",
    );
    lesson::passed();
}
