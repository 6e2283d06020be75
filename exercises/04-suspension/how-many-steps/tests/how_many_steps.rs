//! Predicted polls against those of the real coroutines.

use how_many_steps::programs::polls;
use how_many_steps::{CHILD, DEEP, EARLY, FROM_BELOW, IN_A_ROW, KEPT, SECOND};
use lesson::Rule;

const NESTED: &str = "chapter 4, \"Nested awaits\"";
const NO_STOP: Rule = Rule {
    says: "Awaits that never suspend are one poll, however many there are.",
    reread: NESTED,
};
const THROUGH: Rule = Rule {
    says: "A stop at the bottom is one Pending through all levels, and the next step goes down through all of them again.",
    reread: NESTED,
};
const ROW: Rule = Rule {
    says: "The poll that ends one await goes on to the next one, as far as it can.",
    reread: "chapter 4, \"What `.await` compiles to\"",
};
const LAZY: Rule = Rule {
    says: "A coroutine starts when it is awaited, not before: polls that happen earlier do not reach it.",
    reread: "chapter 4, \"In CPython\"",
};
const STOPS: Rule = Rule {
    says: "What counts is the suspensions that happen, not the awaits that are written.",
    reread: NESTED,
};
const ENDED: Rule = Rule {
    says: "A coroutine that has returned is not polled again.",
    reread: "chapter 4, \"A step too many\"",
};
const MADE: Rule = Rule {
    says: "A coroutine that is made and not awaited runs none of its body.",
    reread: "chapter 4, \"A coroutine made and not awaited\"",
};

/// Finds the first poll at which the prediction leaves the run.
fn check(name: &str, predicted: usize, rule: Rule) {
    let Some(polls) = polls(name) else {
        rule.broken(format_args!("{name}: the program did not end"));
    };
    let said = lesson::many(predicted, "poll");
    if predicted < polls.len() {
        let stands = match predicted.checked_sub(1) {
            Some(last) => &polls[last],
            None => "has not begun",
        };
        rule.broken(format_args!(
            "{name}: you say {said}, but after so many the coroutine {stands}, and another poll follows"
        ));
    }
    rule.holds(
        predicted == polls.len(),
        format_args!(
            "{name}: you say {said}, but there is no poll {predicted}. \
             Which of the polls you counted does not reach this coroutine?"
        ),
    );
}

#[test]
fn five_deep() {
    check("deep", DEEP, NO_STOP);
    lesson::passed();
}

#[test]
fn stops_from_below() {
    check("from-below", FROM_BELOW, THROUGH);
    lesson::passed();
}

#[test]
fn two_in_a_row() {
    check("in-a-row", IN_A_ROW, ROW);
    lesson::passed();
}

#[test]
fn the_second_of_two() {
    check("second", SECOND, LAZY);
    lesson::passed();
}

#[test]
fn an_early_return() {
    check("early", EARLY, STOPS);
    lesson::passed();
}

#[test]
fn a_child_that_has_ended() {
    check("child", CHILD, ENDED);
    lesson::passed();
}

#[test]
fn one_that_is_kept() {
    check("kept", KEPT, MADE);
    lesson::passed();
}
