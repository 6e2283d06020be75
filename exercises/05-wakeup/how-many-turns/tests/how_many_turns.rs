//! Predicted turns against those of the real loop.

use how_many_turns::programs::{program, turns};
use how_many_turns::{CHAIN, GATHER, LEFT_ALONE, MADE_BEFORE, NESTED, ONE_BY_ONE, SLEEPS, YIELDS};
use lesson::Rule;

const DEPTH: &str = "chapter 5, \"Turns follow depth, not number\"";
const NO_STOP: Rule = Rule {
    says: "An await of a coroutine that does not suspend is part of the same step. The last turn is that of run_done.",
    reread: DEPTH,
};
const YIELD: Rule = Rule {
    says: "Every bare yield is one more step, and a task has one step a turn.",
    reread: DEPTH,
};
const TIMER: Rule = Rule {
    says: "A sleep adds two turns: one in which its timer runs, and one in which the task is woken.",
    reread: DEPTH,
};
const BEHIND: Rule = Rule {
    says: "What adds a turn is a suspension behind another: a task, and the wakeup of who awaits it.",
    reread: DEPTH,
};
const DONE: Rule = Rule {
    says: "A future that is done is ready when it is polled: that await takes no turn.",
    reread: "chapter 5, \"How does a coroutine wait for one?\"",
};
const LINK: Rule = Rule {
    says: "Each task that awaits a task is one more link: a turn for its step on the way in, and one for its wakeup on the way out.",
    reread: "chapter 5, \"What is one step of a task?\"",
};
const NUMBER: Rule = Rule {
    says: "A turn runs everything that was ready when it began, so a hundred children take the turns of one. Their done callbacks have a turn of their own.",
    reread: DEPTH,
};
const STOPS: Rule = Rule {
    says: "run_until_complete ends with main, and asks nobody else: run_done stops the loop.",
    reread: "chapter 5, \"How does the loop know that it is finished?\"",
};

/// Finds the first turn in which the prediction leaves the run.
fn check(name: &str, predicted: u64, rule: Rule) {
    let turns = match program(name).and_then(turns) {
        Ok(turns) => turns,
        Err(error) => rule.broken(format_args!("The program ended with an error: {error}")),
    };
    let predicted = usize::try_from(predicted).unwrap_or(usize::MAX);
    let said = lesson::many(predicted, "turn");
    if let Some(missed) = turns.get(predicted) {
        let ran = missed.ran.first().map_or("nothing", String::as_str);
        let ran = ran.split(':').next().unwrap_or(ran);
        rule.broken(format_args!(
            "{name}: you say {said}, but the loop is not finished then: there is a turn {}, \
             and the first thing it runs is a {ran}",
            predicted + 1
        ));
    }
    rule.holds(
        turns.len() == predicted,
        format_args!(
            "{name}: you say {said}, but run_done has stopped the loop before turn {predicted}. Ask of each \
             turn you counted what runs in it: a step of main, of something that main waits for, or \
             run_done. Which turn has none of these to run?"
        ),
    );
}

#[test]
fn nested_awaits() {
    check("nested", NESTED, NO_STOP);
    lesson::passed();
}

#[test]
fn three_yields() {
    check("yields", YIELDS, YIELD);
    lesson::passed();
}

#[test]
fn two_sleeps() {
    check("sleeps", SLEEPS, TIMER);
    lesson::passed();
}

#[test]
fn two_tasks_one_by_one() {
    check("one-by-one", ONE_BY_ONE, BEHIND);
    lesson::passed();
}

#[test]
fn three_tasks_made_before() {
    check("made-before", MADE_BEFORE, DONE);
    lesson::passed();
}

#[test]
fn a_chain_of_tasks() {
    check("chain", CHAIN, LINK);
    lesson::passed();
}

#[test]
fn a_gather_of_a_hundred() {
    check("gather", GATHER, NUMBER);
    lesson::passed();
}

#[test]
fn a_task_left_alone() {
    check("left-alone", LEFT_ALONE, STOPS);
    lesson::passed();
}
