//! Your turn, step by step: the timeouts it passes to select, and the order of what it runs.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use containers::{
    Callback, Event, Exception, Fd, Handle, Interest, Interrupt, Selector, Source, VirtualSelector,
};
use lesson::{Journal, Limit, Rule};
use the_turn::SmallLoop;

const ORDER: Rule = Rule {
    says: "Step 4 puts readers in the queue, step 5 timers behind them, and nothing runs before step 6.",
    reread: "chapter 3, \"In CPython\"",
};
const COUNT: Rule = Rule {
    says: "Step 6 counts the queue once. What a callback adds waits for the next turn.",
    reread: "chapter 3, \"A wrong turn: run until the queue is empty\"",
};
const BORROW: Rule = Rule {
    says: "No container stays borrowed while a callback runs, since it may call any method of the loop. A borrow in the head of an `if let`, a `while let` or a `match` lasts to the end of its block.",
    reread: "chapter 3, \"What does a loop have to remember?\"",
};
const SWEEP: Rule = Rule {
    says: "Step 1 comes before step 2, so that a cancelled timer does not end the sleep.",
    reread: "chapter 3, \"How long may the loop sleep?\"",
};
const TIMEOUT: Rule = Rule {
    says: "Zero if anything is ready or the loop is to stop, else the time until the nearest deadline, at most 24 hours, else no limit.",
    reread: "chapter 3, \"How long may the loop sleep?\"",
};
const CLOCK: Rule = Rule {
    says: "Step 5 reads the clock again: the sleep may have been longer or shorter than planned.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
const RESOLUTION: Rule = Rule {
    says: "A timer is due if its deadline lies before now plus the resolution of the clock.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
const SKIPPED: Rule = Rule {
    says: "A cancelled handle takes its place in the turn and is skipped when it comes up.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
const FAILED: Rule = Rule {
    says: "A callback that fails does not end the others. Only an error of the selector ends a turn.",
    reread: "chapter 3, \"What if a callback fails?\"",
};

/// A virtual selector that writes down the timeouts and can sleep too long.
#[derive(Clone, Default)]
struct Spy {
    selector: VirtualSelector,
    timeouts: Rc<RefCell<Vec<Option<Duration>>>>,
    oversleep: Rc<Cell<Duration>>,
}

impl Selector for Spy {
    fn time(&self) -> Duration {
        self.selector.time()
    }
    fn resolution(&self) -> Duration {
        self.selector.resolution()
    }
    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.timeouts.borrow_mut().push(timeout);
        self.selector.select(timeout, events)?;
        self.selector.clock().advance(self.oversleep.get());
        Ok(())
    }
    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        self.selector.register(source, interest)
    }
    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        self.selector.modify(fd, interest)
    }
    fn unregister(&self, fd: Fd) -> io::Result<()> {
        self.selector.unregister(fd)
    }
    fn interrupter(&self) -> Arc<dyn Interrupt> {
        self.selector.interrupter()
    }
}

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

fn small_loop() -> (Rc<SmallLoop>, Spy, Journal) {
    let spy = Spy::default();
    (Rc::new(SmallLoop::new(spy.clone())), spy, Journal::new())
}

fn note(journal: &Journal, name: &'static str) -> impl FnOnce() + use<> {
    let journal = journal.clone();
    move || journal.note(name)
}

fn says_borrowed(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .is_some_and(|text| text.contains("borrowed"))
}

/// A callback that would still run if its handle was cancelled and not skipped: it clears nothing.
struct Stubborn(Journal);

impl Callback for Stubborn {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        self.0.note("cancelled");
        Ok(())
    }
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stubborn")
    }
}

/// One turn that has to succeed.
#[track_caller]
fn turn(small_loop: &SmallLoop) {
    match catch_unwind(AssertUnwindSafe(|| small_loop.run_once())) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => FAILED.broken(format_args!("run_once failed: {error}")),
        Err(panic) if says_borrowed(&*panic) => {
            BORROW.broken("a callback called the loop, and a container was still borrowed")
        }
        Err(panic) => resume_unwind(panic),
    }
}

#[test]
fn readers_come_before_timers() {
    let (small_loop, spy, journal) = small_loop();
    let (inner, noted, door) = (Rc::clone(&small_loop), journal.clone(), spy.clone());
    small_loop.call_soon(move || {
        noted.note("first");
        inner.call_at(ms(0), note(&noted, "timer")).unwrap();
        let reader = noted.clone();
        let source = door.selector.readable_at(ms(0));
        inner
            .add_reader(source, move || reader.note("reader"))
            .unwrap();
        inner.call_soon(note(&noted, "soon"));
    });
    turn(&small_loop);
    ORDER.same("turn 1", "first", journal.take().join(" "));
    turn(&small_loop);
    ORDER.same("turn 2", "soon reader timer", journal.take().join(" "));
    turn(&small_loop);
    ORDER.same("turn 3, still readable", "reader", journal.take().join(" "));
    small_loop.remove_reader(0).unwrap();
    small_loop.stop();
    turn(&small_loop);
    ORDER.same("turn 4, the reader removed", "", journal.take().join(" "));
    lesson::passed();
}

fn again(small_loop: &Rc<SmallLoop>, limit: &Rc<Limit>) {
    let (inner, limit) = (Rc::clone(small_loop), Rc::clone(limit));
    small_loop.call_soon(move || {
        limit.count();
        again(&inner, &limit);
    });
}

#[test]
fn what_a_callback_adds_waits() {
    let (small_loop, _spy, journal) = small_loop();
    let limit = Limit::new(100, "calls of the same callback in one turn", COUNT);
    again(&small_loop, &limit);
    small_loop.call_soon(note(&journal, "b"));
    turn(&small_loop);
    COUNT.same(
        "the callbacks of the one that comes back",
        1,
        limit.counted(),
    );
    COUNT.same("the others", "b", journal.text());
    COUNT.same("the number left ready", 1, small_loop.ready_len());
    turn(&small_loop);
    COUNT.same("after turn 2", 2, limit.counted());
    let inner = Rc::clone(&small_loop);
    small_loop.call_soon(move || inner.stop());
    small_loop.run_forever().unwrap();
    COUNT.same(
        "after a run that stops in its first turn",
        3,
        limit.counted(),
    );
    lesson::passed();
}

#[test]
fn a_cancelled_timer_does_not_end_the_sleep() {
    let (small_loop, spy, journal) = small_loop();
    let dead = small_loop.call_at(ms(10), note(&journal, "dead")).unwrap();
    small_loop.call_at(ms(30), note(&journal, "alive")).unwrap();
    dead.cancel();
    turn(&small_loop);
    SWEEP.same("the timeouts", vec![Some(ms(30))], spy.timeouts.take());
    SWEEP.same("what ran", "alive", journal.text());
    SWEEP.same("the number of timers left", 0, small_loop.scheduled_len());
    lesson::passed();
}

#[test]
fn the_timeout_of_each_situation() {
    let (small_loop, spy, journal) = small_loop();
    let hours = Duration::from_hours;
    small_loop.call_at(hours(60), note(&journal, "t")).unwrap();
    small_loop.call_soon(note(&journal, "ready"));
    for _ in 0..4 {
        turn(&small_loop);
    }
    let expected = [0, 24, 24, 12].map(|time| Some(hours(time))).to_vec();
    TIMEOUT.same(
        "a callback, and a timer in 60 hours",
        expected,
        spy.timeouts.take(),
    );
    TIMEOUT.same("what ran", "ready t", journal.text());

    small_loop.call_at(hours(61), note(&journal, "u")).unwrap();
    small_loop.stop();
    turn(&small_loop);
    spy.selector.clock().advance(hours(2));
    turn(&small_loop);
    let expected = vec![Some(ms(0)), Some(ms(0))];
    TIMEOUT.same(
        "stopping, and a timer that is late",
        expected,
        spy.timeouts.take(),
    );
    lesson::passed();
}

#[test]
fn without_a_limit_the_selector_decides() {
    let (small_loop, spy, journal) = small_loop();
    let error = small_loop.run_once().map_err(|error| error.kind());
    TIMEOUT.same("nothing will ever happen", Err(ErrorKind::Deadlock), error);
    let reader = journal.clone();
    let source = spy.selector.readable_at(ms(70));
    small_loop
        .add_reader(source, move || reader.note("reader"))
        .unwrap();
    turn(&small_loop);
    TIMEOUT.same("the timeouts", vec![None, None], spy.timeouts.take());
    TIMEOUT.same("the clock", ms(70), small_loop.time());
    TIMEOUT.same("what ran", "reader", journal.text());
    lesson::passed();
}

#[test]
fn the_clock_is_read_after_the_sleep() {
    let (small_loop, spy, journal) = small_loop();
    for (when, name) in [(50, "b"), (10, "a"), (15, "c")] {
        small_loop.call_at(ms(when), note(&journal, name)).unwrap();
    }
    spy.oversleep.set(ms(5));
    turn(&small_loop);
    CLOCK.same(
        "slept until 15 ms in place of 10",
        "a c",
        journal.take().join(" "),
    );
    spy.oversleep.set(ms(0));
    let (reader, inner) = (journal.clone(), Rc::clone(&small_loop));
    let source = spy.selector.readable_at(ms(40));
    let fd = source.fd();
    let read = move || {
        reader.note("reader");
        inner.remove_reader(fd).unwrap();
    };
    small_loop.add_reader(source, read).unwrap();
    turn(&small_loop);
    CLOCK.same(
        "slept until 40 ms in place of 50",
        "reader",
        journal.take().join(" "),
    );
    turn(&small_loop);
    CLOCK.same("slept until 50 ms", "b", journal.text());
    let expected = [10, 35, 10].map(|time| Some(ms(time))).to_vec();
    CLOCK.same("the timeouts", expected, spy.timeouts.take());
    lesson::passed();
}

#[test]
fn the_resolution_belongs_to_what_is_due() {
    let spy = Spy {
        selector: VirtualSelector::new().with_resolution(ms(5)),
        ..Spy::default()
    };
    let (small_loop, journal) = (SmallLoop::new(spy), Journal::new());
    for (when, name) in [(15, "c"), (10, "a"), (14, "b")] {
        small_loop.call_at(ms(when), note(&journal, name)).unwrap();
    }
    turn(&small_loop);
    RESOLUTION.same("what ran at 10 ms, resolution 5 ms", "a b", journal.text());
    RESOLUTION.same("the number of timers left", 1, small_loop.scheduled_len());
    lesson::passed();
}

#[test]
fn what_is_cancelled_is_skipped_and_what_fails_is_counted() {
    let (small_loop, spy, journal) = small_loop();
    let (noted, inner) = (journal.clone(), Rc::clone(&small_loop));
    let fails = move || {
        noted.note("fails");
        inner.call_soon(note(&noted, "next"));
        Err::<(), _>("out of tea")
    };
    small_loop.call_soon(fails);
    FAILED.same("the number that failed at first", 0, small_loop.failed());
    let skipped = Handle::from_callback(Stubborn(journal.clone()));
    small_loop.call_soon_handle(skipped.clone());
    small_loop.call_at(ms(10), note(&journal, "alive")).unwrap();
    let timer = small_loop.call_at(ms(12), note(&journal, "dead")).unwrap();
    skipped.cancel();
    timer.cancel();
    small_loop.call_soon(note(&journal, "behind"));
    turn(&small_loop);
    SKIPPED.same("turn 1", "fails behind", journal.take().join(" "));
    FAILED.same(
        "the number of callbacks that failed",
        1,
        small_loop.failed(),
    );
    SKIPPED.same("the number left ready", 1, small_loop.ready_len());
    // Both timers are late: the dead one is not at the head, so it comes to the queue.
    spy.selector.clock().advance(ms(20));
    turn(&small_loop);
    SKIPPED.same("turn 2", "next alive", journal.text());
    SKIPPED.same("the number left ready", 0, small_loop.ready_len());
    FAILED.same(
        "the number of callbacks that failed",
        1,
        small_loop.failed(),
    );
    lesson::passed();
}
