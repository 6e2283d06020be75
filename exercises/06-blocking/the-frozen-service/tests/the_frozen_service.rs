//! The service at noon: its heartbeat, its receipts, and its errors.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Ending, Pulse, beside};
use lesson::{OtherThreads, Rule, virtual_loop};
use the_frozen_service::printer::{PRINTING, PaperJam, Receipt, new_roll};
use the_frozen_service::{SCREEN, serve};
use wakeup::{Outcome, Tasks};

const HEARTBEAT: Rule = Rule {
    says: "A call that blocks holds the loop's only thread, and a yield before it changes nothing. On another thread it holds nobody here.",
    reread: "chapter 6, \"The heartbeat\"",
};
const ADD_UP: Rule = Rule {
    says: "The blocks of all tasks that are ready add up in one turn. Jobs on other threads run side by side.",
    reread: "chapter 6, \"Why one blocking call stops everything\"",
};
const RESULT: Rule = Rule {
    says: "What the job returns comes back through the hatch, as the result of the await; an error that it returns as well.",
    reread: "chapter 6, \"In CPython\"",
};
const EVERY: Duration = Duration::from_millis(20);

struct Noon {
    pulse: Rc<Pulse>,
    answers: Vec<Outcome<Receipt>>,
    took: Duration,
    jobs: usize,
}

fn noon(orders: &[u32]) -> Noon {
    let (event_loop, clock) = virtual_loop();
    new_roll();
    let threads = OtherThreads::of(&event_loop);
    let pulse = Pulse::every(EVERY);
    let answers = event_loop.create_future();
    let (served, orders) = (answers.clone(), orders.to_vec());
    let service = async move { Ok(served.set_result(serve(orders).await?)?) };
    let all = beside(pulse.clone(), service, Ending::Cancel);
    event_loop.run_until_complete(all).unwrap();
    let noon = Noon {
        pulse,
        answers: answers.result().unwrap(),
        took: clock.time(),
        jobs: threads.jobs(),
    };
    event_loop.close().unwrap();
    noon
}

fn numbers(noon: &Noon) -> Vec<(u32, u32)> {
    let receipt = |answer: &Outcome<Receipt>| match answer {
        Ok(receipt) => (receipt.order, receipt.number),
        Err(exception) => RESULT.broken(format_args!("an order got no receipt: {exception}")),
    };
    noon.answers.iter().map(receipt).collect()
}

#[test]
fn the_heart_beats_beside_one_order() {
    let noon = noon(&[1]);
    HEARTBEAT.same(
        "the longest gap of the heartbeat beside one order",
        EVERY,
        noon.pulse.longest_gap(),
    );
    lesson::passed();
}

#[test]
fn the_heart_beats_beside_forty_orders() {
    let orders: Vec<u32> = (100..140).collect();
    let noon = noon(&orders);
    ADD_UP.same(
        "the longest gap of the heartbeat beside forty orders",
        EVERY,
        noon.pulse.longest_gap(),
    );
    lesson::passed();
}

#[test]
fn orders_that_come_together_are_printed_side_by_side() {
    let noon = noon(&[1, 2, 3, 4, 5]);
    ADD_UP.same(
        "the time that five orders take",
        SCREEN + PRINTING,
        noon.took,
    );
    lesson::passed();
}

#[test]
fn each_order_has_its_own_receipt_and_stands_in_its_place() {
    let noon = noon(&[7, 5, 9]);
    RESULT.same(
        "the answers, as (order, number of the receipt)",
        vec![(7, 1), (5, 2), (9, 3)],
        numbers(&noon),
    );
    HEARTBEAT.same("the number of jobs handed to other threads", 3, noon.jobs);
    lesson::passed();
}

#[test]
fn a_paper_jam_is_the_error_of_its_order_alone() {
    let noon = noon(&[1, 13, 2]);
    RESULT.same("the number of answers", 3, noon.answers.len());
    let jam = match &noon.answers[1] {
        Err(exception) => {
            exception.downcast_ref() == Some(&PaperJam) && exception.to_string() == "paper jam"
        }
        Ok(_) => false,
    };
    RESULT.holds(
        jam,
        format_args!(
            "order 13 should end with the printer's PaperJam, but it ended with {:?}",
            noon.answers[1]
        ),
    );
    RESULT.holds(
        noon.answers[0].is_ok() && noon.answers[2].is_ok(),
        format_args!(
            "the orders beside it should have their receipts: {:?}",
            noon.answers
        ),
    );
    HEARTBEAT.same(
        "the longest gap beside a jam",
        EVERY,
        noon.pulse.longest_gap(),
    );
    lesson::passed();
}
