//! How many lines the programs leave in the log, by the real debug mode.

use std::time::Duration;

use lesson::Rule;
use two_knobs::program::{
    four_blocks, in_two_steps, switched_by_the_second, threshold_by_the_second,
};
use two_knobs::{
    IN_TWO_STEPS, MODE_OFF, MODE_ON, OPEN, SWITCHED_OFF, SWITCHED_ON, THRESHOLD_RAISED,
};

const MODE: Rule = Rule {
    says: "The mode decides whether anything is timed. A threshold without the mode does nothing.",
    reread: "chapter 7, \"Two knobs\"",
};
const EDGE: Rule = Rule {
    says: "Each handle is timed by itself, and it is slow if it took at least the threshold, which is 0.1 s unless you set it.",
    reread: "chapter 7, \"In CPython\"",
};
const STEP: Rule = Rule {
    says: "Each step of a task is timed by itself, and the time in select belongs to nobody.",
    reread: "chapter 7, \"At the counter\"",
};
const SWITCH: Rule = Rule {
    says: "Debug mode is asked for before a handle runs, and the threshold is read at its end.",
    reread: "chapter 7, \"When does a switch count?\"",
};

fn row(debug: bool) -> Vec<u32> {
    let nanos = [None, Some(20_000_000), Some(100_000_001), Some(500_000_000)];
    let lines = |nanos: Option<u64>| four_blocks(debug, nanos.map(Duration::from_nanos)).unwrap();
    nanos.map(lines).to_vec()
}

fn filled_in(rule: Rule, what: &str, predicted: u32, real: u32) {
    rule.holds(
        predicted != OPEN,
        format_args!("{what} has not been filled in"),
    );
    rule.counted(what, predicted, real);
}

#[test]
fn a_threshold_without_the_mode() {
    MODE.holds(!MODE_OFF.contains(&OPEN), "MODE_OFF has not been filled in");
    MODE.foretold("MODE_OFF", &MODE_OFF, &row(false));
    lesson::passed();
}

#[test]
fn the_mode_with_four_thresholds() {
    EDGE.holds(!MODE_ON.contains(&OPEN), "MODE_ON has not been filled in");
    EDGE.foretold("MODE_ON", &MODE_ON, &row(true));
    lesson::passed();
}

#[test]
fn a_task_is_timed_step_by_step() {
    filled_in(STEP, "IN_TWO_STEPS", IN_TWO_STEPS, in_two_steps().unwrap());
    lesson::passed();
}

#[test]
fn the_mode_switched_on_within_a_handle() {
    filled_in(
        SWITCH,
        "SWITCHED_ON",
        SWITCHED_ON,
        switched_by_the_second(true).unwrap(),
    );
    lesson::passed();
}

#[test]
fn the_mode_switched_off_within_a_handle() {
    filled_in(
        SWITCH,
        "SWITCHED_OFF",
        SWITCHED_OFF,
        switched_by_the_second(false).unwrap(),
    );
    lesson::passed();
}

#[test]
fn the_threshold_raised_within_a_handle() {
    filled_in(
        SWITCH,
        "THRESHOLD_RAISED",
        THRESHOLD_RAISED,
        threshold_by_the_second().unwrap(),
    );
    lesson::passed();
}
