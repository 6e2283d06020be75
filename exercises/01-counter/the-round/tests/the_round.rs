//! One round at the counter: who is served in it, and in which order.

use std::rc::Rc;

use lesson::{Journal, Limit, Rule};
use the_round::Counter;

const ROUND: Rule = Rule {
    says: "A round serves the slips that lay on the counter when it began; what they add waits for the next one.",
    reread: "chapter 1, \"How long is a round?\"",
};
const ORDER: Rule = Rule {
    says: "The oldest slip is served first, and each of them once.",
    reread: "chapter 1, \"The counter\"",
};

fn put(counter: &mut Counter, journal: &Journal, name: &'static str) {
    let journal = journal.clone();
    counter.put(move |_| journal.note(name));
}

fn again(counter: &mut Counter, limit: Rc<Limit>) {
    counter.put(move |counter| {
        limit.count();
        again(counter, limit);
    });
}

#[test]
fn the_oldest_slip_is_served_first() {
    let (mut counter, journal) = (Counter::new(), Journal::new());
    for name in ["A", "B", "C"] {
        put(&mut counter, &journal, name);
    }
    let served = counter.round();
    ORDER.same("the order of the slips", "A B C", journal.text());
    ORDER.same("the number of slips served", 3, served);
    ORDER.same(
        "the number of slips left on the counter",
        0,
        counter.waiting(),
    );
    lesson::passed();
}

#[test]
fn an_empty_counter_serves_nobody() {
    let mut counter = Counter::new();
    ORDER.same("the number of slips served", 0, counter.round());
    lesson::passed();
}

#[test]
fn a_slip_added_in_a_round_waits_for_the_next() {
    let (mut counter, journal) = (Counter::new(), Journal::new());
    let inner = journal.clone();
    counter.put(move |counter| {
        inner.note("A1");
        put(counter, &inner, "A2");
    });
    put(&mut counter, &journal, "B1");

    let served = counter.round();
    ROUND.same("the first round", "A1 B1", journal.take().join(" "));
    ROUND.same("the number of slips served in it", 2, served);
    ROUND.same(
        "the number of slips left for the next",
        1,
        counter.waiting(),
    );
    let served = counter.round();
    ROUND.same("the second round", "A2", journal.text());
    ROUND.same("the number of slips served in it", 1, served);
    lesson::passed();
}

#[test]
fn a_slip_that_always_comes_back_does_not_keep_the_round() {
    let limit = Limit::new(100, "calls of the same slip in one round", ROUND);
    let mut counter = Counter::new();
    again(&mut counter, limit);
    for _ in 0..5 {
        ROUND.same("the number of slips in a round", 1, counter.round());
    }
    lesson::passed();
}
