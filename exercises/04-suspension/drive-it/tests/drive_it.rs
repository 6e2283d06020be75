//! A driver by hand: how often it polls, when it stops, and what it hands out.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use drive_it::{Finished, GaveUp, drive};
use lesson::{Journal, Limit, Rule};
use suspension::suspend_once;

const STEP: Rule = Rule {
    says: "One poll runs the coroutine to its next suspension or to its end. Ready hands out the value, and the driver is done.",
    reread: "chapter 4, \"A step\"",
};
const COUNT: Rule = Rule {
    says: "Every suspension is one poll that says Pending; the poll that says Ready is one more.",
    reread: "chapter 4, \"Nested awaits\"",
};
const LIMIT: Rule = Rule {
    says: "The driver polls as often as the limit says and not once more; the last poll it allows may be the one that ends.",
    reread: "chapter 4, \"A step\"",
};
const PLACE: Rule = Rule {
    says: "A suspended coroutine keeps its place: the next poll goes on from there.",
    reread: "chapter 4, \"What `Pin` is for\"",
};
const PAST: Rule = Rule {
    says: "A coroutine that has returned must not be polled again.",
    reread: "chapter 4, \"A step too many\"",
};

/// Pending `left` times, then ready; it counts its polls, wakes nobody and bears no poll too many.
struct Counted {
    left: u32,
    ended: bool,
    polls: Rc<Cell<u32>>,
    limit: Rc<Limit>,
}

impl Future for Counted {
    type Output = &'static str;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<&'static str> {
        self.limit.count();
        self.polls.set(self.polls.get() + 1);
        PAST.holds(!self.ended, "The driver polled again after Ready.");
        self.ended = self.left == 0;
        if self.ended {
            return Poll::Ready("tea");
        }
        self.left -= 1;
        Poll::Pending
    }
}

fn counted(left: u32) -> (Rc<Cell<u32>>, Counted) {
    let polls = Rc::new(Cell::new(0));
    let limit = Limit::new(100, "polls of one coroutine", LIMIT);
    (
        Rc::clone(&polls),
        Counted {
            left,
            ended: false,
            polls,
            limit,
        },
    )
}

#[test]
fn without_a_suspension_it_takes_one_poll() {
    let (polls, future) = counted(0);
    let value = "tea";
    STEP.same(
        "the answer",
        Ok(Finished { polls: 1, value }),
        drive(pin!(future), 10),
    );
    STEP.same("the number of polls the coroutine saw", 1, polls.get());
    let nested = async { async { async { 40 }.await + 1 }.await + 1 };
    COUNT.same(
        "the answer of three nested awaits",
        Ok(Finished {
            polls: 1,
            value: 42,
        }),
        drive(pin!(nested), 10),
    );
    lesson::passed();
}

#[test]
fn each_suspension_is_one_more_poll() {
    for suspensions in 1..=5 {
        let (polls, future) = counted(suspensions);
        COUNT.same(
            format_args!("the answer after {suspensions} suspensions"),
            Ok(Finished {
                polls: suspensions + 1,
                value: "tea",
            }),
            drive(pin!(future), 50),
        );
        COUNT.same(
            "the number of polls the coroutine saw",
            suspensions + 1,
            polls.get(),
        );
    }
    lesson::passed();
}

#[test]
fn it_gives_up_at_the_limit() {
    for limit in [1, 2, 7] {
        let (polls, future) = counted(u32::MAX);
        LIMIT.same(
            format_args!("the answer with a limit of {limit}"),
            Err(GaveUp { polls: limit }),
            drive(pin!(future), limit),
        );
        LIMIT.same("the number of polls the coroutine saw", limit, polls.get());
    }
    lesson::passed();
}

#[test]
fn a_limit_of_zero_polls_nothing() {
    let (polls, future) = counted(0);
    LIMIT.same(
        "the answer with a limit of 0",
        Err(GaveUp { polls: 0 }),
        drive(pin!(future), 0),
    );
    LIMIT.same("the number of polls the coroutine saw", 0, polls.get());
    lesson::passed();
}

#[test]
fn the_last_poll_of_the_limit_may_end_it() {
    for suspensions in [0, 1, 6] {
        let (_, future) = counted(suspensions);
        LIMIT.same(
            format_args!("{suspensions} suspensions with one poll too few"),
            Err(GaveUp { polls: suspensions }),
            drive(pin!(future), suspensions),
        );
        let (_, future) = counted(suspensions);
        LIMIT.same(
            format_args!("{suspensions} suspensions with exactly enough polls"),
            Ok(Finished {
                polls: suspensions + 1,
                value: "tea",
            }),
            drive(pin!(future), suspensions + 1),
        );
    }
    lesson::passed();
}

#[test]
fn it_goes_on_where_it_gave_up() {
    let journal = Journal::new();
    let mut coroutine = pin!(async {
        for line in ["one", "two", "three"] {
            journal.note(line);
            suspend_once().await;
        }
        journal.len()
    });
    PLACE.same(
        "the first answer",
        Err(GaveUp { polls: 2 }),
        drive(coroutine.as_mut(), 2),
    );
    PLACE.same("the lines that ran", "one two", journal.text());
    PLACE.same(
        "the second answer, which counts its own polls",
        Ok(Finished { polls: 2, value: 3 }),
        drive(coroutine.as_mut(), 10),
    );
    PLACE.same("the lines that ran", "one two three", journal.text());
    lesson::passed();
}

#[test]
fn what_it_waits_for_may_come_between_two_drives() {
    let slot = Cell::new(None);
    let limit = Limit::new(100, "polls of one coroutine", LIMIT);
    let mut coroutine = pin!(async {
        let order = poll_fn(|_| {
            limit.count();
            slot.take().map_or(Poll::Pending, Poll::Ready)
        });
        format!("{} with milk", order.await)
    });
    PLACE.same(
        "the answer before the value is set",
        Err(GaveUp { polls: 3 }),
        drive(coroutine.as_mut(), 3),
    );
    slot.set(Some("tea"));
    PLACE.same(
        "the answer after it",
        Ok(Finished {
            polls: 1,
            value: "tea with milk".to_owned(),
        }),
        drive(coroutine.as_mut(), 3),
    );
    lesson::passed();
}
