//! The gaps of a heartbeat beside one and two heavy requests, and their answers.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Ending, Pulse, beside};
use lesson::{OtherThreads, Rule, virtual_loop};
use the_heavy_handler::dish::{SCORING, scored};
use the_heavy_handler::{BUDGET, total};
use wakeup::{Tasks, gather};

const ONE: Rule = Rule {
    says: "A tick takes three turns: one in which its deadline passes, one for its timer, one for its task. A worker that yields holds a chunk of each of them.",
    reread: "chapter 6, \"Three turns, one by one\"",
};
const TWO: Rule = Rule {
    says: "A turn runs everybody who is ready. Two workers that yield make each turn two chunks long.",
    reread: "chapter 6, \"Yielding between chunks\"",
};
const ANSWER: Rule = Rule {
    says: "However the work is cut, each dish is scored once, and the answer is their sum.",
    reread: "chapter 6, \"The handler that computes\"",
};
const SOON: Rule = Rule {
    says: "A pause between chunks gives others their turn. It costs those who wait for the answer.",
    reread: "chapter 6, \"Yielding between chunks\"",
};

struct Requests {
    pulse: Rc<Pulse>,
    totals: Vec<u64>,
    took: Duration,
    scored: usize,
}

fn requests(menus: Vec<Vec<u32>>) -> Requests {
    scored();
    let (event_loop, clock) = virtual_loop();
    let _threads = OtherThreads::of(&event_loop);
    let pulse = Pulse::every(Duration::from_millis(10));
    let totals = event_loop.create_future();
    let answer = totals.clone();
    let service = async move {
        let totals = gather(menus.into_iter().map(total))?.await?;
        let took = clock.time();
        Ok(answer.set_result((totals, took))?)
    };
    let all = beside(pulse.clone(), service, Ending::Flag);
    event_loop.run_until_complete(all).unwrap();
    let (totals, took) = totals.result().unwrap();
    event_loop.close().unwrap();
    Requests {
        pulse,
        totals,
        took,
        scored: scored(),
    }
}

fn wedding() -> Vec<u32> {
    (1..=300).collect()
}

fn within_the_budget(rule: Rule, beside: &str, requests: &Requests) {
    let gap = requests.pulse.longest_gap();
    rule.holds(
        gap <= BUDGET,
        format_args!(
            "beside {beside} the longest gap should be {BUDGET:?} or less, but it was {gap:?}"
        ),
    );
}

#[test]
fn one_wedding_leaves_the_heartbeat_in_its_budget() {
    within_the_budget(ONE, "one wedding", &requests(vec![wedding()]));
    lesson::passed();
}

#[test]
fn two_weddings_leave_it_there_as_well() {
    within_the_budget(TWO, "two weddings", &requests(vec![wedding(), wedding()]));
    lesson::passed();
}

#[test]
fn the_total_is_right_and_each_dish_scored_once() {
    for dishes in [0, 1, 2, 3, 4, 7, 20, 21, 100] {
        let requests = requests(vec![(1..=dishes).collect()]);
        let sum: u64 = (1..=u64::from(dishes)).map(|dish| dish * dish + 1).sum();
        ANSWER.same(
            format_args!("the total of {dishes} dishes"),
            vec![sum],
            requests.totals,
        );
        ANSWER.same(
            format_args!("the number of scores for {dishes} dishes"),
            dishes as usize,
            requests.scored,
        );
    }
    lesson::passed();
}

#[test]
fn each_request_has_its_own_total() {
    let requests = requests(vec![vec![2, 3], vec![10]]);
    ANSWER.same("the totals of two menus", vec![15, 101], requests.totals);
    lesson::passed();
}

#[test]
fn the_answer_takes_no_more_than_twice_the_computation() {
    let took = requests(vec![wedding()]).took;
    let most = 2 * 300 * SCORING;
    SOON.holds(
        took <= most,
        format_args!("the answer should be there after {most:?} at most, but it took {took:?}"),
    );
    lesson::passed();
}
