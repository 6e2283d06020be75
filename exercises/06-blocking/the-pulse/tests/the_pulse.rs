//! Where the pulse ticks beside five workers, by the real loop.

use blocking::Ending::{Cancel, Flag};
use blocking::Manner::{Cooperative, Rude, Yielding};
use lesson::Rule;
use the_pulse::program::{Worker, ticks};
use the_pulse::{BLOCKS_ONCE, COOPERATIVE, LONG_CHUNKS, RUDE, SHORT_CHUNKS};

const THREE_TURNS: Rule = Rule {
    says: "Step 5 looks once a turn; what it collects runs behind what is ready; the wakeup waits for the next turn. A worker that blocks in each of the three turns makes each of them a chunk long.",
    reread: "chapter 6, \"Three turns, one by one\"",
};
const LAST: Rule = Rule {
    says: "The pulse looks at its flag behind a tick, so it ticks once more after the flag is set. A cancellation comes in place of that tick.",
    reread: "chapter 6, \"Four ticks, or three\"",
};
const DEADLINE: Rule = Rule {
    says: "The first of the three turns is the one in which the deadline passes. If the period is longer than a chunk, more turns go by before it.",
    reread: "chapter 6, \"Three turns, one by one\"",
};
const RUDE_RULE: Rule = Rule {
    says: "A worker that never yields does all its chunks in one turn. A timer's handle runs in a later turn, and the wakeup in the one after.",
    reread: "chapter 6, \"The pulse\"",
};
const FREE: Rule = Rule {
    says: "A worker that sleeps holds nobody: its timers and those of the pulse are due at the same moments, and a cancellation takes the place of the tick that has not come yet.",
    reread: "chapter 6, \"Four ticks, or three\"",
};
const ONCE: Rule = Rule {
    says: "Three turns cost three chunks only if somebody blocks in each of them. Here one turn is long.",
    reread: "chapter 6, \"The heartbeat\"",
};

/// Compares the ticks. If only the last one is missing or too much, it is the ending that was missed.
#[track_caller]
fn foretold(rule: Rule, what: &str, predicted: &[u64], real: &[u64]) {
    let missed = real.split_last().map(|(_, before)| before);
    let extra = predicted.split_last().map(|(_, before)| before);
    let only_the_last = !predicted.is_empty() && (missed == Some(predicted) || extra == Some(real));
    let rule = if only_the_last { LAST } else { rule };
    rule.foretold(what, predicted, real);
}

#[test]
fn long_chunks_cost_three_of_them_a_tick() {
    let real = ticks(20, Worker::Chunks(Yielding, 9, 50), Flag).unwrap();
    foretold(THREE_TURNS, "LONG_CHUNKS", LONG_CHUNKS, &real);
    lesson::passed();
}

#[test]
fn short_chunks_cost_the_turns_before_the_deadline_as_well() {
    let real = ticks(40, Worker::Chunks(Yielding, 8, 30), Cancel).unwrap();
    foretold(DEADLINE, "SHORT_CHUNKS", SHORT_CHUNKS, &real);
    lesson::passed();
}

#[test]
fn a_rude_worker_is_one_turn() {
    let real = ticks(20, Worker::Chunks(Rude, 3, 70), Flag).unwrap();
    foretold(RUDE_RULE, "RUDE", RUDE, &real);
    lesson::passed();
}

#[test]
fn a_worker_that_sleeps_costs_nothing() {
    let real = ticks(20, Worker::Chunks(Cooperative, 4, 30), Cancel).unwrap();
    foretold(FREE, "COOPERATIVE", COOPERATIVE, &real);
    lesson::passed();
}

#[test]
fn one_block_makes_one_turn_long() {
    let real = ticks(20, Worker::BlocksOnce, Flag).unwrap();
    foretold(ONCE, "BLOCKS_ONCE", BLOCKS_ONCE, &real);
    lesson::passed();
}
