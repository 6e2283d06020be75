//! Two results as one: when they are there, in which order, and what an exception does.

use std::time::Duration;

use gather_two::gather_two;
use lesson::{Journal, Limit, Rule};
use six_steps::{EventLoop, Exception, VirtualClock};
use wakeup::{Outcome, Tasks, sleep, yield_now};

const ORDER: Rule = Rule {
    says: "The results come in the order of the arguments, whoever is done first.",
    reread: "chapter 5, \"Gather\"",
};
const SIDE: Rule = Rule {
    says: "Each child is a task: they run side by side, and the gathering takes as long as the longer one.",
    reread: "chapter 5, \"Gather\"",
};
const TURNS: Rule = Rule {
    says: "Step, steps, done callbacks, wakeup, end: the callbacks that count have a turn of their own.",
    reread: "chapter 5, \"Turns follow depth, not number\"",
};
const FIRST: Rule = Rule {
    says: "The first exception ends the gathering at once, whichever child it comes from.",
    reread: "chapter 5, \"Gather\"",
};
const GOES_ON: Rule = Rule {
    says: "After an exception the other child goes on: nobody cancels it.",
    reread: "chapter 5, \"Gather\"",
};
const LOST: Rule = Rule {
    says: "If the other one fails too, its exception is retrieved, so that it is not reported as lost.",
    reread: "chapter 5, \"The error that nobody asked for\"",
};
const CANCELLED: Rule = Rule {
    says: "A child that ends with a cancellation ends the gathering with it.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};

fn stage() -> (EventLoop, VirtualClock) {
    let (event_loop, clock) = lesson::virtual_loop();
    Limit::on(&event_loop, 100, SIDE);
    (event_loop, clock)
}

/// A value after some milliseconds.
async fn after<T>(milliseconds: u64, value: T) -> Outcome<T> {
    sleep(Duration::from_millis(milliseconds)).await?;
    Ok(value)
}

/// An exception after some milliseconds.
async fn fails<T>(milliseconds: u64, message: &'static str) -> Outcome<T> {
    sleep(Duration::from_millis(milliseconds)).await?;
    Err(Exception::error(message))
}

/// What a gathering ended with, as text, and at which millisecond.
fn gathered(
    event_loop: &EventLoop,
    clock: &VirtualClock,
    first: impl Future<Output = Outcome<u32>> + 'static,
    second: impl Future<Output = Outcome<&'static str>> + 'static,
) -> (String, u128) {
    let outcome = match event_loop.run_until_complete(gather_two(first, second)) {
        Ok(both) => format!("{both:?}"),
        Err(exception) => exception.to_string(),
    };
    (outcome, clock.time().as_millis())
}

fn both() -> String {
    "(7, \"tea\")".to_owned()
}

#[test]
fn the_results_come_in_the_order_of_the_arguments() {
    for (first, second) in [(10, 10), (10, 20), (20, 10)] {
        let (event_loop, clock) = stage();
        let (outcome, _) = gathered(&event_loop, &clock, after(first, 7), after(second, "tea"));
        ORDER.same(
            format_args!("what comes after {first} ms and {second} ms"),
            both(),
            outcome,
        );
    }
    let (event_loop, clock) = stage();
    let (outcome, _) = gathered(&event_loop, &clock, async { Ok(7) }, async { Ok("tea") });
    ORDER.same("what is there at once", both(), outcome);
    lesson::passed();
}

#[test]
fn they_run_side_by_side() {
    for (first, second) in [(300, 200), (200, 300)] {
        let (event_loop, clock) = stage();
        let (_, at) = gathered(&event_loop, &clock, after(first, 7), after(second, "tea"));
        SIDE.same(
            format_args!("the millisecond at which {first} ms and {second} ms are gathered"),
            300,
            at,
        );
    }
    lesson::passed();
}

#[test]
fn it_takes_five_turns_and_one_more_if_they_yield() {
    let (event_loop, clock) = stage();
    let turns = lesson::count_turns(&event_loop);
    let _ = gathered(&event_loop, &clock, async { Ok(7) }, async { Ok("tea") });
    TURNS.same("the turns of two that return at once", 5, turns.count());

    let (event_loop, clock) = stage();
    let turns = lesson::count_turns(&event_loop);
    let first = async {
        yield_now().await?;
        Ok(7)
    };
    let second = async {
        yield_now().await?;
        Ok("tea")
    };
    let _ = gathered(&event_loop, &clock, first, second);
    TURNS.same("the turns of two that yield once", 6, turns.count());
    lesson::passed();
}

#[test]
fn the_first_exception_arrives_at_once() {
    let expected = ("no milk".to_owned(), 20);
    let (event_loop, clock) = stage();
    let came = gathered(&event_loop, &clock, fails(20, "no milk"), after(900, "tea"));
    FIRST.same("what comes if the first one fails", expected.clone(), came);
    let (event_loop, clock) = stage();
    let came = gathered(&event_loop, &clock, after(900, 7), fails(20, "no milk"));
    FIRST.same("what comes if the second one fails", expected, came);
    let (event_loop, clock) = stage();
    let came = gathered(&event_loop, &clock, after(10, 7), fails(20, "no milk"));
    let expected = ("no milk".to_owned(), 20);
    FIRST.same("what comes if the last one fails", expected, came);
    lesson::passed();
}

#[test]
fn the_other_one_goes_on() {
    let (event_loop, clock) = stage();
    let journal = Journal::new();
    let noted = journal.clone();
    let second = async move {
        let ended = after(50, "tea").await;
        noted.note(if ended.is_ok() { "poured" } else { "cancelled" });
        ended
    };
    let (outcome, _) = gathered(&event_loop, &clock, fails(20, "no milk"), second);
    FIRST.same("what was gathered", "no milk", outcome);
    GOES_ON.same("the other one at that moment", "", journal.text());
    let _ = event_loop.run_until_complete(after(100, ()));
    GOES_ON.same("the other one later", "poured", journal.text());
    lesson::passed();
}

#[test]
fn a_second_exception_is_not_reported_as_lost() {
    for (first, second) in [(20, 50), (50, 20), (20, 20)] {
        let (event_loop, clock) = stage();
        let reports = lesson::reports(&event_loop);
        let came = gathered(
            &event_loop,
            &clock,
            fails(first, "no milk"),
            fails(second, "no tea"),
        );
        let expected = if first <= second { "no milk" } else { "no tea" };
        FIRST.same(
            format_args!("what comes if they fail after {first} ms and {second} ms"),
            (expected.to_owned(), 20),
            came,
        );
        let _ = event_loop.run_until_complete(after(100, ()));
        assert!(event_loop.close().is_ok(), "it does not run");
        LOST.same("what the loop had to report", "", reports.text());
    }
    lesson::passed();
}

#[test]
fn a_cancelled_child_cancels_the_gathering() {
    let (event_loop, clock) = stage();
    let gives_up = async {
        yield_now().await?;
        Err(Exception::Cancelled)
    };
    let (outcome, at) = gathered(&event_loop, &clock, after(900, 7), gives_up);
    CANCELLED.same("what was gathered", "cancelled", outcome);
    CANCELLED.same("the millisecond at which it came", 0, at);
    lesson::passed();
}

#[test]
fn without_a_loop_it_is_an_error() {
    let mut gathering = Box::pin(gather_two(after(1, 7), after(1, "tea")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let polled = gathering.as_mut().poll(&mut context);
    SIDE.holds(
        matches!(polled, std::task::Poll::Ready(Err(_))),
        "Polled by hand, with no loop running, a gathering should be ready with an error.",
    );
    lesson::passed();
}
