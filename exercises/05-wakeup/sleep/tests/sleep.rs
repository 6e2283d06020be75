//! A sleep: how long it takes, and what becomes of its timer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use lesson::{Journal, Limit, Rule};
use six_steps::{EventLoop, LoopError, VirtualClock};
use sleep::sleep;
use suspension::{Step, step};
use wakeup::{Outcome, Tasks, create_task, gather, yield_now};

const SLEEP: Rule = Rule {
    says: "A sleep is a future, a timer that sets its result, and an await.",
    reread: "chapter 5, \"Sleep\"",
};
const SIDE: Rule = Rule {
    says: "Who sleeps keeps nobody from anything: timers run side by side.",
    reread: "chapter 5, \"Sleep\"",
};
const ZERO: Rule = Rule {
    says: "A sleep of zero is a bare yield: it makes neither future nor timer, and goes on in the next turn.",
    reread: "chapter 5, \"Sleep\"",
};
const TURNS: Rule = Rule {
    says: "The timer runs in one turn and sets the result; the wakeup runs in the turn after.",
    reread: "chapter 5, \"Turns follow depth, not number\"",
};
const WAY_OUT: Rule = Rule {
    says: "The timer is cancelled on the way out, whichever way that is.",
    reread: "chapter 5, \"Sleep\"",
};
const BOTH: Rule = Rule {
    says: "A future that was cancelled is done: a timer that rings all the same must find that in order.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};

fn stage() -> (EventLoop, VirtualClock) {
    let (event_loop, clock) = lesson::virtual_loop();
    Limit::on(&event_loop, 200, SLEEP);
    (event_loop, clock)
}

#[track_caller]
fn run<T: Clone + 'static>(
    event_loop: &EventLoop,
    main: impl Future<Output = Outcome<T>> + 'static,
) -> T {
    match event_loop.run_until_complete(main) {
        Ok(value) => value,
        Err(error) => SLEEP.broken(format_args!("The program ended with an error: {error}")),
    }
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn it_takes_as_long_as_it_is_told() {
    for delay in [Duration::from_nanos(1), ms(30), Duration::from_hours(1)] {
        let (event_loop, clock) = stage();
        run(&event_loop, sleep(delay));
        SLEEP.same("the clock after the sleep", delay, clock.time());
    }
    let (event_loop, clock) = stage();
    run(&event_loop, async {
        sleep(ms(200)).await?;
        sleep(ms(300)).await
    });
    SLEEP.same("the clock after two in a row", ms(500), clock.time());
    lesson::passed();
}

#[test]
fn sleeps_run_side_by_side() {
    let (event_loop, clock) = stage();
    let journal = Journal::new();
    let noted = journal.clone();
    let main = async move {
        let sleeper = |(name, delay): (&'static str, u64)| {
            let (clock, noted) = (clock.clone(), noted.clone());
            async move {
                sleep(ms(delay)).await?;
                noted.note(format!("{name}@{}", clock.time().as_millis()));
                Ok(())
            }
        };
        gather([("A", 300), ("B", 100), ("C", 200)].map(sleeper))?.await
    };
    run(&event_loop, main);
    SIDE.same("who woke when", "B@100 C@200 A@300", journal.text());
    lesson::passed();
}

#[test]
fn a_sleep_of_zero_is_a_bare_yield() {
    let (event_loop, clock) = stage();
    let turns = lesson::count_turns(&event_loop);
    let journal = Journal::new();
    let (noted, looked) = (journal.clone(), event_loop.clone());
    run(&event_loop, async move {
        let mut sleeper = Box::pin(sleep(Duration::ZERO));
        poll_fn(|cx| {
            let polled = sleeper.as_mut().poll(cx);
            noted.note(format!("{polled:?}, {} timers", looked.scheduled_len()));
            polled
        })
        .await
    });
    ZERO.same(
        "its two polls",
        vec!["Pending, 0 timers", "Ready(Ok(())), 0 timers"],
        journal.entries(),
    );
    ZERO.same("the turns of the program", 3, turns.count());
    ZERO.same("the clock after it", Duration::ZERO, clock.time());
    lesson::passed();
}

#[test]
fn a_sleep_is_one_timer_and_four_turns() {
    let (event_loop, _) = stage();
    let turns = lesson::count_turns(&event_loop);
    let timers = Journal::new();
    let (noted, looked) = (timers.clone(), event_loop.clone());
    let queued = event_loop.call_later(ms(1), move || {
        noted.note(format!("{} on the heap", looked.scheduled_len()));
    });
    assert!(queued.is_ok(), "the loop is open");
    run(&event_loop, sleep(ms(2)));
    // The first of its turns is the step, then comes the callback above, which counts.
    SLEEP.same("the timers while it sleeps", "1 on the heap", timers.text());
    TURNS.same(
        "the turns: the step, the one that counts timers, the timer, the wakeup, the end",
        5,
        turns.count(),
    );
    SLEEP.same("the timers after it", 0, event_loop.scheduled_len());
    lesson::passed();
}

#[test]
fn a_cancelled_sleeper_takes_its_timer_along() {
    let (event_loop, clock) = stage();
    let cancelled = run(&event_loop, async move {
        let sleeper = create_task(sleep(Duration::from_mins(1)))?;
        yield_now().await?;
        sleeper.cancel();
        let ended = sleeper.await;
        Ok(matches!(ended, Err(exception) if exception.is_cancelled()))
    });
    WAY_OUT.same("whether the sleep raised the cancellation", true, cancelled);
    // The sweep of the turn in which `main` goes on has taken it off the heap.
    WAY_OUT.same("the timers left", 0, event_loop.scheduled_len());
    WAY_OUT.same("the clock at the end", Duration::ZERO, clock.time());
    lesson::passed();
}

#[test]
fn a_dropped_sleeper_takes_its_timer_along() {
    let (event_loop, _) = stage();
    let looked = event_loop.clone();
    let (before, cancelled) = run(&event_loop, async move {
        let mut sleeper = Box::pin(sleep(ms(50)));
        poll_fn(|cx| {
            let polled = sleeper.as_mut().poll(cx);
            SLEEP.holds(polled.is_pending(), "A sleep of 50 ms was ready at once.");
            Poll::Ready(())
        })
        .await;
        let before = looked.timer_cancelled_count();
        drop(sleeper);
        Ok((before, looked.timer_cancelled_count()))
    });
    WAY_OUT.same("the cancelled timers before the drop", 0, before);
    WAY_OUT.same("the cancelled timers after it", 1, cancelled);
    lesson::passed();
}

#[test]
fn a_timer_may_ring_for_a_sleeper_that_is_being_cancelled() {
    let (event_loop, _) = stage();
    let reports = lesson::reports(&event_loop);
    let cancelled = run(&event_loop, async move {
        let event_loop = six_steps::running_loop()?;
        let sleeper = create_task(sleep(ms(20)))?;
        let asked = sleeper.clone();
        // Of the two timers of this moment the one that cancels comes first: it was set first.
        event_loop.call_later(ms(20), move || {
            asked.cancel();
        })?;
        let ended = sleeper.await;
        Ok(matches!(ended, Err(exception) if exception.is_cancelled()))
    });
    BOTH.same("what the loop had to report", "", reports.text());
    BOTH.same("whether the sleep raised the cancellation", true, cancelled);
    lesson::passed();
}

#[test]
fn without_a_loop_it_is_an_error() {
    let mut sleeper = pin!(sleep(ms(1)));
    let Step::Returned(Err(error)) = step(&mut sleeper) else {
        SLEEP.broken("Stepped by hand, with no loop running, a sleep should return an error.");
    };
    SLEEP.holds(
        matches!(
            error.downcast_ref::<LoopError>(),
            Some(LoopError::NoRunningLoop)
        ),
        format_args!(
            "The error should be the loop's own, \"no running event loop\", but is: {error}"
        ),
    );
    lesson::passed();
}
