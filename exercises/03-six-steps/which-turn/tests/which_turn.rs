//! Your predictions beside the loop itself.

#[path = "../src/programs.rs"]
mod programs;

use lesson::Rule;
use programs::Program;
use which_turn::{AGAIN, CANCEL, DAYS, LATE, SOON, STOP, ZERO};

const COUNT: Rule = Rule {
    says: "Step 6 counts the queue once: what a callback adds runs in the next turn, in the order in which it was added.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
const TIMERS_LAST: Rule = Rule {
    says: "A timer of zero goes over the heap. Step 5 puts it behind everything that call_soon has queued by then, even what was queued after it.",
    reread: "chapter 3, \"Watch it run\"",
};
const DUE: Rule = Rule {
    says: "A timer is collected in step 5 of the first turn that finds its deadline not after now, and runs behind what stands in the queue already.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
const SKIPPED: Rule = Rule {
    says: "Step 6 skips a handle that was cancelled, even one that was ready. Step 1 takes a cancelled timer off the head, so it cannot end a sleep.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
const DEADLINES: Rule = Rule {
    says: "All that fell due meanwhile is collected in one turn, by deadline and not in the order of the calls, behind what is ready.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
const STOPPING: Rule = Rule {
    says: "The turn in which stop is called runs to its end, and what it queued stays. A stop before run_forever gives one turn.",
    reread: "chapter 3, \"What does `stop` stop?\"",
};
const MAXIMUM: Rule = Rule {
    says: "No sleep is longer than 24 hours. A turn that wakes with nothing due runs nothing, and the loop sleeps again.",
    reread: "chapter 3, \"How long may the loop sleep?\"",
};

#[track_caller]
fn check(rule: Rule, name: &str, prediction: &str, program: Program) {
    let real = programs::run(program).expect("the programs end by stop");
    rule.predicted(format_args!("the turns of {name}"), prediction, &real);
}

#[test]
fn what_is_added_runs_in_the_next_turn() {
    check(COUNT, "soon", SOON, programs::soon);
    lesson::passed();
}

#[test]
fn a_timer_of_zero_runs_behind_call_soon() {
    check(TIMERS_LAST, "zero", ZERO, programs::zero);
    lesson::passed();
}

#[test]
fn a_busy_callback_does_not_keep_a_timer() {
    check(DUE, "again", AGAIN, programs::again);
    lesson::passed();
}

#[test]
fn what_is_cancelled_does_not_run() {
    check(SKIPPED, "cancel", CANCEL, programs::cancel);
    lesson::passed();
}

#[test]
fn late_timers_run_by_deadline() {
    check(DEADLINES, "late", LATE, programs::late);
    lesson::passed();
}

#[test]
fn stop_lets_the_turn_finish() {
    check(STOPPING, "stop", STOP, programs::stop_twice);
    lesson::passed();
}

#[test]
fn a_long_sleep_is_made_of_turns() {
    check(MAXIMUM, "days", DAYS, programs::days);
    lesson::passed();
}
