//! The service is run again; what its log says is compared with what was read.

use lesson::Rule;
use which_callback::{
    HANDED_OVER_AT, LAST_STEPS, LONGEST_MILLIS, OBJECTS, Object, TABLE_4_MILLIS, WHO_HELD_IT,
};

mod log;

use log::{reading, service};

const OBJECT: Rule = Rule {
    says: "A Handle is a callback that somebody handed to call_soon, a TimerHandle one that was due at a moment, a Task a step of a coroutine.",
    reread: "chapter 7, \"Watch it run\"",
};
const ENDS: Rule = Rule {
    says: "The end of a line says how long. The object says what: a function, or a task by its name.",
    reread: "chapter 7, \"Watch it run\"",
};
const CREATED: Rule = Rule {
    says: "`created at` is the line that called call_soon, call_later or create_task. One function is handed over from several places, and each line names its own.",
    reread: "chapter 7, \"Where was it made?\"",
};
const STEPS: Rule = Rule {
    says: "Each step is timed by itself, and a task is shown as it is after the step: pending, or finished if it was its last.",
    reread: "chapter 7, \"Watch it run\"",
};

fn log() -> Vec<String> {
    let log = service::day().unwrap();
    let recorded: Vec<&str> = include_str!("../service.log").lines().collect();
    assert_eq!(log, recorded, "service.log is what the service writes");
    log
}

#[test]
fn each_line_is_about_one_of_three_objects() {
    let objects: Vec<Object> = log().iter().map(|line| reading::object(line)).collect();
    OBJECT.foretold("OBJECTS", OBJECTS, &objects);
    lesson::passed();
}

#[test]
fn the_longest_time_in_one_go() {
    let log = log();
    ENDS.counted(
        "LONGEST_MILLIS",
        LONGEST_MILLIS,
        reading::millis(reading::longest(&log)),
    );
    lesson::passed();
}

#[test]
fn who_held_the_thread_then() {
    let log = log();
    let who = reading::who(reading::longest(&log));
    ENDS.holds(
        WHO_HELD_IT == who,
        format_args!("WHO_HELD_IT: it was not {WHO_HELD_IT:?} who held the thread longest"),
    );
    lesson::passed();
}

#[test]
fn where_that_callback_was_handed_over() {
    let log = log();
    let line = reading::made_at(reading::longest(&log));
    CREATED.holds(
        HANDED_OVER_AT == line,
        format_args!("HANDED_OVER_AT: the callback was not handed over in line {HANDED_OVER_AT}"),
    );
    lesson::passed();
}

#[test]
fn how_long_one_task_held_the_thread_in_all() {
    let log = log();
    STEPS.counted(
        "TABLE_4_MILLIS",
        TABLE_4_MILLIS,
        reading::total(&log, "table 4"),
    );
    lesson::passed();
}

#[test]
fn which_steps_were_the_last() {
    STEPS.foretold("LAST_STEPS", LAST_STEPS, &reading::last_steps(&log()));
    lesson::passed();
}
