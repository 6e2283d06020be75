//! Your predictions beside the toy loop itself.

#[path = "../src/programs.rs"]
mod programs;

use lesson::Rule;
use programs::run;
use who_is_served::{BUSY, CLASSIC_ENDS, CLASSIC_ROUNDS, MARKET, TIES_ENDS, TIES_ROUNDS};

const MOMENT: Rule = Rule {
    says: "There is a round for each moment at which something is due, and none for the time between. A task's last round is the one in which it ends.",
    reread: "chapter 1, \"Watch it run\"",
};
const ENDS: Rule = Rule {
    says: "Tasks end in the order of their total sleep, whatever the order in which they started.",
    reread: "chapter 1, \"Watch it run\"",
};
const TIE: Rule = Rule {
    says: "Equal deadlines ring in the order in which they were set, and a task sets its last alarm only when it comes to it.",
    reread: "chapter 1, \"Where does a task go after its step?\"",
};
const YIELD: Rule = Rule {
    says: "A delay of zero costs a round and no time: the task goes back in the stack, and the clock stands still as long as something lies there.",
    reread: "chapter 1, \"How it differs from asyncio\"",
};
const ROUND: Rule = Rule {
    says: "A round serves what lies in the stack as it begins. What falls due at one moment joins the stack together, in the order in which the alarms were set.",
    reread: "chapter 1, \"How long is a round?\"",
};

fn rounds(tasks: programs::Tasks) -> u64 {
    run(tasks).rounds.len().try_into().unwrap_or(u64::MAX)
}

#[test]
fn a_round_for_each_moment() {
    let real = rounds(programs::CLASSIC);
    MOMENT.counted("the rounds of classic", CLASSIC_ROUNDS, real);
    lesson::passed();
}

#[test]
fn tasks_end_in_the_order_of_their_total_sleep() {
    let real = run(programs::CLASSIC).ends.join(" ");
    ENDS.predicted("the ends of classic", CLASSIC_ENDS, &real);
    lesson::passed();
}

#[test]
fn a_yield_costs_a_round_and_no_time() {
    let real = rounds(programs::TIES);
    YIELD.counted("the rounds of ties", TIES_ROUNDS, real);
    lesson::passed();
}

#[test]
fn of_equal_totals_the_last_alarm_decides() {
    let real = run(programs::TIES).ends.join(" ");
    TIE.predicted("the ends of ties", TIES_ENDS, &real);
    lesson::passed();
}

#[test]
fn the_clock_stands_still_while_somebody_is_served() {
    let real = run(programs::BUSY).rounds.join(" ");
    YIELD.predicted("the rounds of busy", BUSY, &real);
    lesson::passed();
}

#[test]
fn round_by_round() {
    let real = run(programs::MARKET).rounds.join(" ");
    ROUND.predicted("the rounds of market", MARKET, &real);
    lesson::passed();
}
