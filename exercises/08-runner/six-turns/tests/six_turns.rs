//! The turns of whole programs, counted on the real loop.

use lesson::Rule;
use six_turns::program::{
    gathers_fifty, leaves_one_asleep, sleeps_twice, three_on_one_runner, three_runs, turns_of,
    yields_and_stops, yields_twice,
};
use six_turns::{
    GATHERS_FIFTY, LEAVES_ONE_ASLEEP, SLEEPS_TWICE, THREE_ON_ONE_RUNNER, THREE_RUNS,
    YIELDS_AND_STOPS, YIELDS_TWICE,
};

const SIX: Rule = Rule {
    says: "A run of an empty coroutine is two turns: its step, and the callback that stops the loop. A program is three runs. A bare yield is one turn more.",
    reread: "chapter 8, \"Why six turns\"",
};
const SLEEP: Rule = Rule {
    says: "A sleep is two turns more: one in which its timer runs, one in which the wakeup does.",
    reread: "chapter 5, \"Turns follow depth, not number\"",
};
const GATHER: Rule = Rule {
    says: "All children run in the same turns. After their last step come a turn of their callbacks and one of main's wakeup.",
    reread: "chapter 5, \"Turns follow depth, not number\"",
};
const CANCEL: Rule = Rule {
    says: "A task that is left is cancelled in a phase of its own: a turn for its wakeup, one for the callback that counts it, one for the callback that stops the loop.",
    reread: "chapter 8, \"The end, in order\"",
};
const STOP: Rule = Rule {
    says: "`stop` ends the run with the turn in which it is called. The callback that main's end has queued runs in the first turn of the next phase, and stops that one.",
    reread: "chapter 8, \"`stop` in the last step\"",
};
const RUNNER: Rule = Rule {
    says: "A runner opens and closes once, however many runs it has; each run of its own closes again.",
    reread: "chapter 8, \"Many runs, one loop\"",
};

#[test]
fn two_yields() {
    SIX.counted(
        "YIELDS_TWICE",
        YIELDS_TWICE,
        turns_of(yields_twice()).unwrap(),
    );
    lesson::passed();
}

#[test]
fn two_sleeps() {
    SLEEP.counted(
        "SLEEPS_TWICE",
        SLEEPS_TWICE,
        turns_of(sleeps_twice()).unwrap(),
    );
    lesson::passed();
}

#[test]
fn a_gather_of_fifty() {
    GATHER.counted(
        "GATHERS_FIFTY",
        GATHERS_FIFTY,
        turns_of(gathers_fifty()).unwrap(),
    );
    lesson::passed();
}

#[test]
fn a_task_left_asleep() {
    let real = turns_of(leaves_one_asleep()).unwrap();
    CANCEL.counted("LEAVES_ONE_ASLEEP", LEAVES_ONE_ASLEEP, real);
    lesson::passed();
}

#[test]
fn a_stop_in_the_last_step() {
    let real = turns_of(yields_and_stops()).unwrap();
    STOP.counted("YIELDS_AND_STOPS", YIELDS_AND_STOPS, real);
    lesson::passed();
}

#[test]
fn three_mains_on_one_runner() {
    let real = three_on_one_runner().unwrap();
    RUNNER.counted("THREE_ON_ONE_RUNNER", THREE_ON_ONE_RUNNER, real);
    lesson::passed();
}

#[test]
fn three_mains_by_three_runs() {
    RUNNER.counted("THREE_RUNS", THREE_RUNS, three_runs().unwrap());
    lesson::passed();
}
