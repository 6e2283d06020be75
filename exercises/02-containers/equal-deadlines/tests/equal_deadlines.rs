//! Your predictions beside the heap itself.

#[path = "../src/programs.rs"]
mod programs;

use equal_deadlines::{
    A_LATE_GUEST, AND_A_LATER_ONE, AND_AN_EARLIER_ONE, FIVE, SIX, TWO_DEADLINES,
};
use lesson::Rule;
use programs::run;

const SECTION: &str = "chapter 2, \"In which order do equal timers ring?\"";

const RIGHT_CHILD: Rule = Rule {
    says: "When the root has left, the hole sinks to the bottom, and at each level the right child moves up unless the left one is strictly nearer.",
    reread: SECTION,
};
const LAST_LEAF: Rule = Rule {
    says: "A pop puts the last leaf in the hole. A timer that has not rung changes the order of those that have.",
    reread: "chapter 2, \"A wrong turn: repairing the order\"",
};
const RISE: Rule = Rule {
    says: "A new timer is a leaf, and changes places with its parent as long as it is strictly nearer. Whoever it passes moves down.",
    reread: SECTION,
};
const BOTH: Rule = Rule {
    says: "Only deadlines are compared. The left child moves up where it is strictly nearer than the right one, and a leaf that is not nearer than its parent stays.",
    reread: SECTION,
};

#[test]
fn five_equal_timers() {
    RIGHT_CHILD.predicted("five", FIVE, &run(programs::FIVE));
    lesson::passed();
}

#[test]
fn six_equal_timers() {
    RIGHT_CHILD.predicted("six", SIX, &run(programs::SIX));
    lesson::passed();
}

#[test]
fn a_later_timer_is_a_leaf_like_any_other() {
    let real = run(programs::AND_A_LATER_ONE);
    LAST_LEAF.predicted("and a later one", AND_A_LATER_ONE, &real);
    lesson::passed();
}

#[test]
fn an_earlier_timer_pushes_others_down() {
    let real = run(programs::AND_AN_EARLIER_ONE);
    RISE.predicted("and an earlier one", AND_AN_EARLIER_ONE, &real);
    lesson::passed();
}

#[test]
fn two_deadlines_mixed() {
    let real = run(programs::TWO_DEADLINES);
    BOTH.predicted("two deadlines", TWO_DEADLINES, &real);
    lesson::passed();
}

#[test]
fn a_timer_pushed_between_two_pops() {
    let real = run(programs::A_LATE_GUEST);
    RISE.predicted("a late guest", A_LATE_GUEST, &real);
    lesson::passed();
}
