//! The judge of your loop, in stages. Each stage is a set of recorded programs, cut by what they use;
//! the last test of each level takes all of its programs.

mod verdict;

use std::sync::LazyLock;

use scenario::{Case, cases};
use verdict::{cancels_at_the_end, counts_cancelled_timers, fails, judge, uses};

static LEVEL_1: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let text = include_str!("../../../../chapters-code/scenario/corpus/open/level1.jsonl");
    cases(text).expect("the corpus is JSON")
});
static LEVEL_2: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let text = include_str!("../../../../chapters-code/scenario/corpus/open/level2.jsonl");
    cases(text).expect("the corpus is JSON")
});
// What the corpus hardly touches; CPython recorded these too (`cpython/record.py --corpus`).
static MORE: LazyLock<Vec<Case>> =
    LazyLock::new(|| cases(include_str!("more.jsonl")).expect("the programs are JSON"));

/// The stage of level 1 that a program belongs to: the last thing it needs.
fn stage_of_level_1(case: &Case) -> &'static str {
    if uses(case, &["raise", "reraise"]) || fails(case) {
        "exceptions"
    } else if counts_cancelled_timers(case) {
        "counting"
    } else if uses(case, &["cancel_handle", "handle_cancelled"]) {
        "cancelling"
    } else if uses(case, &["io"]) {
        "readers"
    } else if uses(case, &["call_later", "call_at"]) {
        "timers"
    } else {
        "call_soon"
    }
}

/// The stage of level 2 that a program belongs to.
fn stage_of_level_2(case: &Case) -> &'static str {
    if cancels_at_the_end(case) {
        "the end"
    } else if uses(case, &["gather"]) {
        "gather"
    } else if uses(case, &["future", "on_done"]) {
        "futures"
    } else {
        "tasks"
    }
}

/// The programs of a stage, all judged; `count` is how many they are.
fn level_1(stage: &str, count: usize) {
    let more = MORE.iter().filter(|case| case.program["level"] == 1);
    let all = LEVEL_1.iter().chain(more);
    judge(all.filter(|case| stage_of_level_1(case) == stage), count);
}

fn level_2(stage: &str, count: usize) {
    let all = LEVEL_2.iter();
    judge(all.filter(|case| stage_of_level_2(case) == stage), count);
}

#[test]
fn stage_01_call_soon() {
    level_1("call_soon", 4);
    lesson::passed();
}

#[test]
fn stage_02_timers() {
    level_1("timers", 16);
    lesson::passed();
}

#[test]
fn stage_03_readers() {
    level_1("readers", 5);
    lesson::passed();
}

#[test]
fn stage_04_cancelled_handles() {
    level_1("cancelling", 30);
    lesson::passed();
}

#[test]
fn stage_05_counting_and_sweeping() {
    level_1("counting", 44);
    lesson::passed();
}

#[test]
fn stage_06_exceptions() {
    level_1("exceptions", 40);
    lesson::passed();
}

#[test]
fn level_1_all_of_it() {
    judge(LEVEL_1.iter(), 137);
    lesson::passed();
}

#[test]
fn stage_07_tasks() {
    level_2("tasks", 20);
    lesson::passed();
}

#[test]
fn stage_08_futures() {
    level_2("futures", 41);
    lesson::passed();
}

#[test]
fn stage_09_gather() {
    level_2("gather", 58);
    lesson::passed();
}

#[test]
fn stage_10_the_end() {
    level_2("the end", 19);
    lesson::passed();
}

#[test]
fn stage_11_cancellations_and_exits() {
    judge(MORE.iter().filter(|case| case.program["level"] == 2), 16);
    lesson::passed();
}

#[test]
fn level_2_all_of_it() {
    judge(LEVEL_2.iter(), 138);
    lesson::passed();
}
