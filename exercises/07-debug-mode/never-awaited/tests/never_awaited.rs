//! What is done in an evening, and what its log says.

use std::cell::RefCell;
use std::sync::Once;

use debug_mode::DebugMode;
use lesson::{Rule, virtual_loop};
use log::{LevelFilter, Log, Metadata, Record};
use never_awaited::{BrokenDown, Done, evening};
use wakeup::{Outcome, Tasks};

const AWAITED: Rule = Rule {
    says: "A coroutine does nothing until it is awaited. A drop, a `let _ =` and a branch that is not taken end it before its first line has run.",
    reread: "chapter 7, \"Never awaited\"",
};
const ALL: Rule = Rule {
    says: "Everything that is made is awaited, on every evening. A condition over an await leaves it out on the others.",
    reread: "chapter 7, \"Never awaited\"",
};
const ORDER: Rule = Rule {
    says: "Each await ends before the next line begins: what stands below comes after.",
    reread: "chapter 5, \"How does a coroutine wait for one?\"",
};
const LATE: Rule = Rule {
    says: "A `?` leaves the function, and drops what was made for later. Make a coroutine where it is awaited.",
    reread: "chapter 7, \"Never awaited\"",
};

thread_local! {
    static LOGGED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Capture;

impl Log for Capture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        LOGGED.with_borrow_mut(|logged| logged.push(record.args().to_string()));
    }

    fn flush(&self) {}
}

struct Evening {
    done: Vec<String>,
    outcome: Outcome<u32>,
    log: Vec<String>,
}

fn spend(cups: u32, plates: u32, pans: u32) -> Evening {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        log::set_logger(&Capture).unwrap();
        log::set_max_level(LevelFilter::Trace);
    });
    LOGGED.take();
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    let done = Done::default();
    let outcome = event_loop.run_until_complete(evening(Done::clone(&done), cups, plates, pans));
    event_loop.close().unwrap();
    Evening {
        done: done.take(),
        outcome,
        log: LOGGED.take(),
    }
}

/// Compares what was done; whether something is missing is another rule than in which order it came.
#[track_caller]
fn all_done(evening: &Evening, expected: [&str; 4]) {
    let done: Vec<&str> = evening.done.iter().map(String::as_str).collect();
    let all = expected.iter().all(|one| done.contains(one));
    let rule = if all { ORDER } else { ALL };
    rule.same("what was done", expected.to_vec(), done);
}

fn nothing_in_the_log(rule: Rule, evening: &Evening) {
    rule.holds(
        evening.log.is_empty(),
        format_args!(
            "the log of the evening should be empty, but it says\n{}",
            evening.log.join("\n")
        ),
    );
}

#[test]
fn everything_is_done_in_order() {
    let evening = spend(12, 8, 3);
    all_done(&evening, ["12 cups", "8 plates", "3 pans", "locked"]);
    ALL.same("the number of pieces", Some(23), evening.outcome.ok());
    lesson::passed();
}

#[test]
fn the_log_stays_empty() {
    nothing_in_the_log(AWAITED, &spend(12, 8, 3));
    lesson::passed();
}

#[test]
fn a_busy_evening_is_no_different() {
    let evening = spend(40, 40, 40);
    all_done(&evening, ["40 cups", "40 plates", "40 pans", "locked"]);
    ALL.same(
        "the number of pieces",
        Some(120),
        evening.outcome.as_ref().ok().copied(),
    );
    nothing_in_the_log(AWAITED, &evening);
    lesson::passed();
}

#[test]
fn a_breakdown_at_the_cups_leaves_nothing_unawaited() {
    let evening = spend(41, 8, 3);
    let broken = matches!(&evening.outcome, Err(e) if e.downcast_ref() == Some(&BrokenDown) && e.to_string() == "the machine has broken down");
    LATE.holds(
        broken,
        format_args!(
            "the evening should end with BrokenDown, but ended with {:?}",
            evening.outcome
        ),
    );
    LATE.same("what was done", Vec::<String>::new(), evening.done.clone());
    nothing_in_the_log(LATE, &evening);
    lesson::passed();
}

#[test]
fn a_breakdown_at_the_pans_leaves_the_door_open_and_the_log_empty() {
    let evening = spend(12, 8, 50);
    LATE.holds(
        evening.outcome.is_err(),
        "fifty pans should break the machine down",
    );
    LATE.same(
        "what was done",
        vec!["12 cups", "8 plates"],
        evening.done.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    nothing_in_the_log(LATE, &evening);
    lesson::passed();
}
