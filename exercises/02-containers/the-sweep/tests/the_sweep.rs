//! What cancelling costs, and what a sweep takes away: the length of the heap and the count.

use std::ops::Range;

use lesson::Rule;
use the_sweep::{TimerHandle, Timers};

const SECTION: &str = "chapter 2, \"What does a cancelled timer cost?\"";

const CANCEL: Rule = Rule {
    says: "Cancelling sets a flag and adds one to the count, once, and does not touch the heap.",
    reread: SECTION,
};
const ON_THE_HEAP: Rule = Rule {
    says: "A cancellation counts only while the timer stands on the heap.",
    reread: "chapter 2, \"Check yourself\"",
};
const HEAD: Rule = Rule {
    says: "Usually a sweep clears the head only: cancelled timers leave until a live one is at the head, and the count goes down by one for each.",
    reread: SECTION,
};
const HUNDRED: Rule = Rule {
    says: "The whole heap is swept only where more than 100 timers stand on it. A hundred are not more than a hundred.",
    reread: SECTION,
};
const HALF: Rule = Rule {
    says: "The whole heap is swept only where more than half of its timers are cancelled. Half is not more than half.",
    reread: SECTION,
};
const NEVER_BOTH: Rule = Rule {
    says: "A sweep looks at the numbers first and then tidies up in one of the two ways, never in both.",
    reread: SECTION,
};
const DRIFT: Rule = Rule {
    says: "The sweep believes the count. Timers that fell due while cancelled are still in it, until a sweep of the whole heap sets it to zero.",
    reread: SECTION,
};

/// So many timers at 1, 2, 3 … ms, of which those in `cancelled` are cancelled; 0 is the first.
fn timers(count: u64, cancelled: Range<usize>) -> (Timers, Vec<TimerHandle>) {
    let mut timers = Timers::new();
    let handles: Vec<TimerHandle> = (1..=count).map(|when| timers.push(when)).collect();
    handles[cancelled].iter().for_each(TimerHandle::cancel);
    (timers, handles)
}

#[track_caller]
fn expect(rule: Rule, when: &str, len: usize, count: usize, timers: &Timers) {
    let state = (timers.len(), timers.cancelled_count());
    let what = format!("{when}: the length of the heap and the count");
    rule.same(what, (len, count), state);
}

#[test]
fn cancelling_is_a_flag_and_a_count() {
    let (timers, handles) = timers(3, 0..0);
    CANCEL.same("cancelled before", false, handles[1].cancelled());
    handles[1].cancel();
    CANCEL.same("cancelled after", true, handles[1].cancelled());
    expect(CANCEL, "one cancelled", 3, 1, &timers);
    handles[1].cancel();
    expect(CANCEL, "cancelled again", 3, 1, &timers);
    handles[0].cancel();
    expect(CANCEL, "another cancelled", 3, 2, &timers);
    lesson::passed();
}

#[test]
fn a_timer_that_left_does_not_count() {
    let (mut timers, handles) = timers(3, 0..0);
    ON_THE_HEAP.same("the timer that is due", Some(1), timers.pop_due(1));
    handles[0].cancel();
    ON_THE_HEAP.same("cancelled", true, handles[0].cancelled());
    expect(ON_THE_HEAP, "cancelled off the heap", 2, 0, &timers);
    lesson::passed();
}

#[test]
fn dead_timers_leave_at_the_head() {
    let (mut timers, handles) = timers(6, 1..2);
    handles[4].cancel();
    timers.sweep();
    expect(HEAD, "the head is alive", 6, 2, &timers);
    handles[0].cancel();
    timers.sweep();
    expect(HEAD, "the first two are dead", 4, 1, &timers);
    HEAD.same("the head", Some(3), timers.pop_due(10));
    for still_alive in [2, 3, 5] {
        handles[still_alive].cancel();
    }
    let when = "two cancelled on the heap, where one was already, and one off it";
    expect(ON_THE_HEAP, when, 3, 3, &timers);
    timers.sweep();
    expect(HEAD, "all are dead", 0, 0, &timers);
    timers.sweep();
    expect(HEAD, "the heap is empty", 0, 0, &timers);
    HEAD.same("is_empty", true, timers.is_empty());
    // Equal deadlines are two timers.
    timers.push(7).cancel();
    timers.push(7);
    timers.push(7).cancel();
    expect(HEAD, "two of three equal ones cancelled", 3, 2, &timers);
    timers.sweep();
    expect(HEAD, "only the first of them left", 2, 1, &timers);
    HEAD.same("is_empty", false, timers.is_empty());
    lesson::passed();
}

#[test]
fn a_hundred_timers_are_too_few() {
    let (mut few, _handles) = timers(100, 1..100);
    few.sweep();
    expect(HUNDRED, "99 of 100 cancelled", 100, 99, &few);
    let (mut enough, _handles) = timers(101, 1..101);
    enough.sweep();
    expect(HUNDRED, "100 of 101 cancelled", 1, 0, &enough);
    lesson::passed();
}

#[test]
fn half_is_not_more_than_half() {
    let (mut timers, handles) = timers(102, 51..102);
    timers.sweep();
    expect(HALF, "51 of 102 cancelled", 102, 51, &timers);
    handles[50].cancel();
    timers.sweep();
    expect(HALF, "52 of 102 cancelled", 50, 0, &timers);
    lesson::passed();
}

#[test]
fn one_way_or_the_other() {
    let (mut head_only, _handles) = timers(101, 0..50);
    head_only.sweep();
    expect(
        NEVER_BOTH,
        "the first 50 of 101 cancelled",
        51,
        0,
        &head_only,
    );
    // Without its head the heap would be too short for the other way.
    let (mut whole, handles) = timers(101, 51..101);
    handles[0].cancel();
    whole.sweep();
    expect(
        NEVER_BOTH,
        "51 of 101 cancelled, the head too",
        50,
        0,
        &whole,
    );
    // And clearing the head would be the end of more than half.
    let (mut half, handles) = timers(200, 101..200);
    handles[0].cancel();
    half.sweep();
    expect(
        NEVER_BOTH,
        "100 of 200 cancelled, the head too",
        199,
        99,
        &half,
    );
    lesson::passed();
}

#[test]
fn the_sweep_believes_the_count() {
    let (mut timers, _handles) = timers(161, 1..60);
    let due = (0..100).filter(|_| timers.pop_due(60).is_some()).count();
    DRIFT.same("the number that fell due", 60, due);
    expect(DRIFT, "59 fell due cancelled", 101, 59, &timers);
    timers.sweep();
    expect(DRIFT, "nothing on the heap is cancelled", 101, 0, &timers);
    lesson::passed();
}

#[test]
fn who_survives_a_sweep_counts_as_before() {
    let (mut timers, handles) = timers(150, 50..150);
    timers.sweep();
    expect(HALF, "100 of 150 cancelled", 50, 0, &timers);
    handles[1].cancel();
    handles[149].cancel();
    expect(CANCEL, "a survivor cancelled", 50, 1, &timers);
    let left: Vec<u64> = std::iter::from_fn(|| timers.pop_due(1_000))
        .take(100)
        .collect();
    CANCEL.same("the deadlines left", (1..=50).collect::<Vec<u64>>(), left);
    lesson::passed();
}
