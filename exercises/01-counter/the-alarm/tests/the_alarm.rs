//! Where the hand jumps when the worker sleeps, and whose slip is on the stack when it gets up.

use std::time::Duration;

use lesson::Rule;
use the_alarm::Counter;

const SECOND: Duration = Duration::from_secs(1);

const JUMP: Rule = Rule {
    says: "With nothing to do the worker sleeps until the nearest alarm: nothing can happen before it.",
    reread: "chapter 1, \"How does a loop wait?\"",
};
const BUSY: Rule = Rule {
    says: "The worker sleeps only when the stack is empty.",
    reread: "chapter 1, \"The counter\"",
};
const FORWARD: Rule = Rule {
    says: "A clock never goes back. An alarm that has passed rings at once.",
    reread: "chapter 1, \"How does a loop wait?\"",
};
const DUE: Rule = Rule {
    says: "An alarm is due when its deadline is not after now; those of later deadlines stay set.",
    reread: "chapter 1, \"How it differs from asyncio\"",
};
const ORDER: Rule = Rule {
    says: "What is due joins the stack behind the slips that are there: the nearest deadline first, equal deadlines in the order in which they were set.",
    reread: "chapter 1, \"Where does a task go after its step?\"",
};
const END: Rule = Rule {
    says: "With no slip and no alarm nothing can ever happen, so there is nothing to wait for.",
    reread: "chapter 1, \"How does a loop wait?\"",
};

fn stack(counter: &mut Counter) -> String {
    // No test puts more than a few slips there.
    let slips: Vec<String> = std::iter::from_fn(|| counter.take()).take(20).collect();
    slips.join(" ")
}

#[test]
fn the_hand_jumps_to_the_nearest_alarm() {
    let mut counter = Counter::new();
    counter.set_alarm(SECOND * 5, "late");
    counter.set_alarm(SECOND * 2, "early");
    counter.set_alarm(SECOND * 3, "middle");
    let waited = counter.wait();
    JUMP.same("what wait returns", true, waited);
    JUMP.same("the clock", SECOND * 2, counter.now());
    JUMP.same("the number of alarms after the jump", 3, counter.alarms());
    lesson::passed();
}

#[test]
fn what_is_due_now_rings_and_the_rest_stays() {
    let mut counter = Counter::new();
    let moment = Duration::from_nanos(1);
    counter.set_alarm(SECOND + moment, "a moment after");
    counter.set_alarm(SECOND, "now");
    counter.set_alarm(SECOND.saturating_sub(moment), "a moment before");
    counter.work(SECOND);
    counter.ring();
    DUE.same("the stack", "a moment before now", stack(&mut counter));
    DUE.same("the number of alarms left", 1, counter.alarms());
    counter.ring();
    DUE.same("the stack", "", stack(&mut counter));
    counter.wait();
    DUE.same("the clock", SECOND + moment, counter.now());
    counter.ring();
    DUE.same("the stack", "a moment after", stack(&mut counter));
    DUE.same("the number of alarms left", 0, counter.alarms());
    lesson::passed();
}

#[test]
fn a_slip_on_the_stack_means_no_jump() {
    let mut counter = Counter::new();
    counter.put("ready");
    counter.set_alarm(SECOND * 2, "tea");
    let waited = counter.wait();
    BUSY.same("what wait returns", true, waited);
    BUSY.same("the clock", Duration::ZERO, counter.now());
    counter.ring();
    BUSY.same("the stack", "ready", stack(&mut counter));
    BUSY.same("the number of alarms left", 1, counter.alarms());
    lesson::passed();
}

#[test]
fn the_hand_never_goes_back() {
    let mut counter = Counter::new();
    counter.set_alarm(SECOND, "passed");
    counter.work(SECOND * 4);
    let waited = counter.wait();
    FORWARD.same("what wait returns", true, waited);
    FORWARD.same("the clock", SECOND * 4, counter.now());
    counter.ring();
    FORWARD.same("the stack", "passed", stack(&mut counter));
    FORWARD.same("the number of alarms left", 0, counter.alarms());
    lesson::passed();
}

#[test]
fn deadlines_decide_the_order_and_then_who_was_set_first() {
    let mut counter = Counter::new();
    for (at, slip) in [(2, "c"), (1, "a"), (2, "d"), (3, "f"), (1, "b"), (2, "e")] {
        counter.set_alarm(SECOND * at, slip);
    }
    counter.put("ready");
    counter.work(SECOND * 3);
    counter.ring();
    ORDER.same("the stack", "ready a b c d e f", stack(&mut counter));

    // The same moment again, set in two goes.
    counter.set_alarm(SECOND * 9, "later");
    counter.set_alarm(SECOND * 5, "x");
    counter.ring();
    counter.set_alarm(SECOND * 5, "y");
    counter.wait();
    counter.ring();
    ORDER.same("the stack", "x y", stack(&mut counter));
    lesson::passed();
}

#[test]
fn nothing_left_is_the_end() {
    let mut counter = Counter::new();
    END.same("what wait returns", false, counter.wait());
    counter.work(SECOND);
    counter.ring();
    END.same("what wait returns", false, counter.wait());
    END.same("the clock", SECOND, counter.now());
    counter.put("last");
    END.same("what wait returns with a slip left", true, counter.wait());
    lesson::passed();
}
