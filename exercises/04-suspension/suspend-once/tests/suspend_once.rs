//! A future that suspends: how often, whom it wakes, and that it remembers for itself alone.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Wake, Waker};

use lesson::{Journal, Rule};
use suspend_once::{Suspend, suspend_once, suspend_times};
use suspension::{Step, Woken, step, step_if_woken, step_with};

const TIMES: Rule = Rule {
    says: "A future is polled again and again; a field tells it how often it has suspended already.",
    reread: "chapter 4, \"A future that suspends once\"",
};
const ZERO: Rule = Rule {
    says: "A future that has nothing to wait for is ready at its first poll.",
    reread: "chapter 4, \"Nested awaits\"",
};
const WAKE: Rule = Rule {
    says: "Whoever returns Pending must first have made sure that somebody will call the waker.",
    reread: "chapter 4, \"The forgotten waker\"",
};
const QUIET: Rule = Rule {
    says: "A wake means: poll me again. A future that is ready has nothing to ask for.",
    reread: "chapter 4, \"The registered waker\"",
};
const LATEST: Rule = Rule {
    says: "The waker to call is the one that came with this very poll.",
    reread: "chapter 4, \"The waker of the last poll but one\"",
};

/// Counts its calls.
#[derive(Default)]
struct Bell(AtomicU32);

impl Bell {
    fn rung(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// How often it is pending before it is ready; no more than 20 polls.
fn suspensions(future: Suspend) -> u32 {
    let mut future = pin!(future);
    for suspended in 0..20 {
        if step(&mut future) == Step::Returned(()) {
            return suspended;
        }
    }
    TIMES.broken("After 20 polls the future is still pending.");
}

#[test]
fn once_is_pending_and_then_ready() {
    let mut future = pin!(suspend_once());
    TIMES.same("the first poll", Step::Yielded, step(&mut future));
    TIMES.same("the second poll", Step::Returned(()), step(&mut future));
    lesson::passed();
}

#[test]
fn it_suspends_as_often_as_it_is_told() {
    for times in [1, 2, 3, 10] {
        TIMES.same(
            format_args!("the number of suspensions of suspend_times({times})"),
            times,
            suspensions(suspend_times(times)),
        );
    }
    lesson::passed();
}

#[test]
fn zero_times_is_ready_at_once() {
    let bell = Arc::new(Bell::default());
    let mut future = pin!(suspend_times(0));
    let first = step_with(&mut future, &Waker::from(Arc::clone(&bell)));
    ZERO.same(
        "the first poll of suspend_times(0)",
        Step::Returned(()),
        first,
    );
    QUIET.same("the number of wakes", 0, bell.rung());
    lesson::passed();
}

#[test]
fn each_suspension_asks_for_the_next_poll() {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(Arc::clone(&bell));
    let mut future = pin!(suspend_times(3));
    for suspension in 1..=3 {
        TIMES.same(
            format_args!("poll {suspension}"),
            Step::Yielded,
            step_with(&mut future, &waker),
        );
        WAKE.same(
            format_args!("the number of wakes after poll {suspension}"),
            suspension,
            bell.rung(),
        );
    }
    TIMES.same(
        "the last poll",
        Step::Returned(()),
        step_with(&mut future, &waker),
    );
    QUIET.same("the number of wakes at the end", 3, bell.rung());
    lesson::passed();
}

#[test]
fn a_driver_that_waits_to_be_woken_comes_to_the_end() {
    let journal = Journal::new();
    let woken = Arc::new(Woken::new());
    let mut coroutine = pin!(async {
        journal.note("in");
        suspend_once().await;
        journal.note("between");
        suspend_times(2).await;
        journal.note("out");
    });
    let mut polls = 0;
    // It polls no more than 20 times, and not at all unless it was asked to.
    while polls < 20 && step_if_woken(&mut coroutine, &woken).is_some() {
        polls += 1;
        if journal.len() == 3 {
            break;
        }
    }
    WAKE.same("the lines that ran", "in between out", journal.text());
    TIMES.same("the number of polls", 4, polls);
    lesson::passed();
}

#[test]
fn it_wakes_the_one_who_polls_now() {
    let (first, second) = (Arc::new(Bell::default()), Arc::new(Bell::default()));
    let mut future = pin!(suspend_times(2));
    let polls = [
        step_with(&mut future, &Waker::from(Arc::clone(&first))),
        step_with(&mut future, &Waker::from(Arc::clone(&second))),
    ];
    TIMES.same("both polls", [Step::Yielded, Step::Yielded], polls);
    // One wake for each poll: if some are missing, nobody has asked, whoever's waker it should be.
    let asked = first.rung() + second.rung();
    WAKE.holds(
        asked >= 2,
        format_args!("two polls were pending, and woke {asked} times in all"),
    );
    LATEST.same(
        "the wakes of the first and of the second poller",
        (1, 1),
        (first.rung(), second.rung()),
    );
    lesson::passed();
}

#[test]
fn each_one_counts_for_itself() {
    let (mut one, mut other) = (pin!(suspend_once()), pin!(suspend_times(2)));
    let polls = [
        step(&mut one),
        step(&mut other),
        step(&mut other),
        step(&mut other),
        step(&mut one),
    ];
    let (pending, ready) = (Step::Yielded, Step::Returned(()));
    TIMES.same(
        "the polls of two futures by turns",
        [pending, pending, pending, ready, ready],
        polls,
    );
    lesson::passed();
}
