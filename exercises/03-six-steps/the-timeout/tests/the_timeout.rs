//! What step 2 answers, in situations on both sides of each rule.

use std::time::Duration;

use containers::{Handle, once};
use lesson::Rule;
use the_timeout::Moment;

const SECTION: &str = "chapter 3, \"How long may the loop sleep?\"";

const READY: Rule = Rule {
    says: "With a handle ready the selector is asked and nobody sleeps, whatever the timers say. A cancelled handle stands in the queue like any other.",
    reread: SECTION,
};
const STOP: Rule = Rule {
    says: "When the loop is to stop, it does not sleep.",
    reread: "chapter 3, \"What does `stop` stop?\"",
};
const NEAREST: Rule = Rule {
    says: "With nothing ready the loop may sleep until the nearest deadline: a deadline is a moment, the timeout is what is left until then.",
    reread: SECTION,
};
const LATE: Rule = Rule {
    says: "A timer that is late, or due at this very moment, leaves no time to sleep.",
    reread: SECTION,
};
const MAXIMUM: Rule = Rule {
    says: "No sleep is longer than 24 hours.",
    reread: SECTION,
};
const NONE: Rule = Rule {
    says: "With nothing ready and no timer there is no limit. None is neither zero nor a very long time.",
    reread: SECTION,
};

const NOTHING: Option<Duration> = Some(Duration::ZERO);

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// A moment with timers at these deadlines and nothing ready.
fn moment(now: Duration, deadlines: &[Duration]) -> Moment {
    let mut moment = Moment {
        now,
        ..Moment::default()
    };
    for &deadline in deadlines {
        moment.scheduled.push(deadline, once(|| ())).unwrap();
    }
    moment
}

#[test]
fn with_something_ready_nobody_sleeps() {
    let mut busy = moment(ms(0), &[ms(30)]);
    busy.ready.push(Handle::new(|| ()));
    READY.same("the timeout with a timer as well", NOTHING, busy.timeout());
    let mut alone = moment(ms(0), &[]);
    alone.ready.push(Handle::new(|| ()));
    READY.same("the timeout without timers", NOTHING, alone.timeout());
    let mut cancelled = moment(ms(0), &[]);
    let handle = Handle::new(|| ());
    handle.cancel();
    cancelled.ready.push(handle);
    READY.same(
        "the timeout, ready but cancelled",
        NOTHING,
        cancelled.timeout(),
    );
    lesson::passed();
}

#[test]
fn a_loop_that_is_to_stop_does_not_sleep() {
    let mut stopping = moment(ms(0), &[]);
    stopping.stopping = true;
    STOP.same("the timeout without timers", NOTHING, stopping.timeout());
    let mut stopping = moment(ms(0), &[ms(30)]);
    stopping.stopping = true;
    STOP.same("the timeout with a timer", NOTHING, stopping.timeout());
    lesson::passed();
}

#[test]
fn it_sleeps_until_the_nearest_deadline() {
    let timers = moment(ms(100), &[ms(500), ms(130), ms(400)]);
    NEAREST.same("the timeout", Some(ms(30)), timers.timeout());
    let timer = moment(ms(0), &[Duration::from_nanos(1)]);
    let moment = Some(Duration::from_nanos(1));
    NEAREST.same(
        "the timeout before a timer in 1 ns",
        moment,
        timer.timeout(),
    );
    lesson::passed();
}

#[test]
fn a_late_timer_leaves_no_time() {
    let late = moment(ms(100), &[ms(30)]);
    LATE.same("the timeout, 70 ms late", NOTHING, late.timeout());
    let now = moment(ms(100), &[ms(100), ms(900)]);
    LATE.same("the timeout, due now", NOTHING, now.timeout());
    lesson::passed();
}

#[test]
fn no_sleep_is_longer_than_a_day() {
    let day = Duration::from_hours(24);
    let long = moment(ms(100), &[Duration::from_hours(60)]);
    MAXIMUM.same(
        "the timeout before a timer in 60 hours",
        Some(day),
        long.timeout(),
    );
    let longer = moment(ms(100), &[ms(100) + day + Duration::from_nanos(1)]);
    MAXIMUM.same(
        "the timeout before a day and 1 ns",
        Some(day),
        longer.timeout(),
    );
    let shorter = day.saturating_sub(Duration::from_nanos(1));
    let short = moment(ms(100), &[ms(100) + shorter]);
    MAXIMUM.same(
        "the timeout before a day less 1 ns",
        Some(shorter),
        short.timeout(),
    );
    let late_in_the_year = moment(day * 300, &[day * 300 + ms(5)]);
    MAXIMUM.same(
        "the timeout on day 300",
        Some(ms(5)),
        late_in_the_year.timeout(),
    );
    lesson::passed();
}

#[test]
fn with_nothing_at_all_there_is_no_limit() {
    let nothing = moment(ms(100), &[]);
    NONE.same("the timeout", None, nothing.timeout());
    lesson::passed();
}
