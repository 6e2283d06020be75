//! What moves the clock of your selector, what ends its sleep, and what it reports.

use std::any::Any;
use std::io::{ErrorKind, Result};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use a_selector::Pretend;
use containers::{Event, Fd, Interest, Selector, Source, VirtualSelector};
use lesson::Rule;

const CLOCK: Rule = Rule {
    says: "The clock moves in select, for as long as the sleep lasts, and when it is told to. At no other moment, and never back.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};
const ZERO: Rule = Rule {
    says: "A timeout of zero does not sleep, and still reports what is readable.",
    reread: "chapter 2, \"Who knows the time?\"",
};
const EARLY: Rule = Rule {
    says: "A sleep ends at its timeout, or earlier at the moment at which a registered descriptor becomes readable.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};
const INTEREST: Rule = Rule {
    says: "Only a descriptor that is registered for reading ends a sleep and is reported.",
    reread: "chapter 2, \"Who knows the time?\"",
};
const LEVEL: Rule = Rule {
    says: "A descriptor is reported in every select for as long as it is readable and registered.",
    reread: "chapter 2, \"And when the sleep is real?\"",
};
const DEADLOCK: Rule = Rule {
    says: "A sleep without end in which nothing can ever happen is an error where a real loop would hang.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};
const BELL: Rule = Rule {
    says: "Ringing ends the sleep that goes on, or else the next one, and only that one.",
    reread: "chapter 2, \"And when the sleep is real?\"",
};
const REGISTRY: Rule = Rule {
    says: "A descriptor is registered once; only one that is registered can be changed or taken out.",
    reread: "chapter 2, \"Who knows the time?\"",
};

const BACK: Rule = Rule {
    says: "The clock never goes back. A descriptor that became readable before the sleep ends it at once, at the moment that it is.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};
const SORTED: Rule = Rule {
    says: "What became readable first is reported first, and of equal moments the smaller number, behind what stood in events before.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};
const END: Rule = Rule {
    says: "A sleep may reach beyond the last moment that a Duration can name. The clock then stops at that moment, and nothing panics: `saturating_add` adds so.",
    reread: "chapter 2, \"How does the virtual clock move?\"",
};

const READ: Interest = Interest {
    readable: true,
    writable: false,
};
const WRITE: Interest = Interest {
    readable: false,
    writable: true,
};

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// Descriptors that nobody owns: the virtual selector gives out 0, 1, 2 and so on.
fn doors<const N: usize>() -> [Source; N] {
    let numbers = VirtualSelector::new();
    [(); N].map(|()| numbers.readable_at(Duration::ZERO))
}

fn readable(fd: Fd) -> Event {
    Event {
        fd,
        readable: true,
        writable: false,
    }
}

/// Sleeps, and returns what was reported and the clock afterwards.
fn sleep(selector: &Pretend, timeout: Option<Duration>) -> (Vec<Event>, Duration) {
    let (before, mut events) = (selector.time(), Vec::new());
    let selected = catch_unwind(AssertUnwindSafe(|| selector.select(timeout, &mut events)));
    match selected {
        Ok(Ok(())) => {}
        Ok(Err(error)) => CLOCK.broken(format_args!("select({timeout:?}) failed: {error}")),
        Err(panic) if overflows(&*panic) => END.broken(format_args!(
            "select({timeout:?}) at {before:?} panicked: overflow"
        )),
        Err(panic) => resume_unwind(panic),
    }
    let after = selector.time();
    BACK.holds(
        after >= before,
        format_args!("select({timeout:?}) put the clock back from {before:?} to {after:?}"),
    );
    (events, after)
}

fn overflows(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .is_some_and(|text| text.contains("overflow"))
}

/// Demands the order of what was reported, if it is what should be reported.
fn in_order(expected: &[Event], got: &[Event]) {
    let sorted = |events: &[Event]| {
        let mut numbers: Vec<Fd> = events.iter().map(|event| event.fd).collect();
        numbers.sort_unstable();
        numbers
    };
    if sorted(expected) == sorted(got) {
        SORTED.same("the order of the events", expected, got);
    }
}

fn kind(result: Result<()>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

#[test]
fn the_clock_moves_in_select_and_when_told_to() {
    let selector = Pretend::new();
    CLOCK.same("the clock at first", ms(0), selector.time());
    selector.advance(ms(20));
    CLOCK.same("the clock after 20 ms of work", ms(20), selector.time());
    let slept = sleep(&selector, Some(ms(300)));
    CLOCK.same(
        "events and clock after a sleep of 300 ms",
        (vec![], ms(320)),
        slept,
    );
    let slept = sleep(&selector, Some(Duration::MAX));
    let end = (vec![], Duration::MAX);
    END.same(
        "events and clock after a sleep to the end of time",
        end,
        slept,
    );
    lesson::passed();
}

#[test]
fn zero_does_not_sleep_and_looks_all_the_same() {
    let selector = Pretend::new();
    let [early, late] = doors();
    selector.readable_at(early.fd(), ms(10));
    selector.readable_at(late.fd(), ms(11));
    for door in [&early, &late] {
        selector.register(door.clone(), READ).unwrap();
    }
    let asked = sleep(&selector, Some(ms(0)));
    ZERO.same("events and clock at 0 ms", (vec![], ms(0)), asked);
    selector.advance(ms(10));
    let asked = sleep(&selector, Some(ms(0)));
    let expected = (vec![readable(early.fd())], ms(10));
    ZERO.same("events and clock at 10 ms", expected, asked);
    lesson::passed();
}

#[test]
fn a_descriptor_ends_a_sleep_early() {
    let selector = Pretend::new();
    let [b, a, late] = doors();
    for (door, when) in [(&late, 60), (&a, 40), (&b, 40)] {
        selector.readable_at(door.fd(), ms(when));
        selector.register(door.clone(), READ).unwrap();
    }
    let slept = sleep(&selector, Some(ms(39)));
    EARLY.same("events and clock after 39 ms", (vec![], ms(39)), slept);
    let mut events = vec![readable(9)];
    selector.select(Some(ms(100)), &mut events).unwrap();
    let expected = vec![readable(9), readable(b.fd()), readable(a.fd())];
    in_order(&expected, &events);
    EARLY.same(
        "the events behind the one that stood there",
        expected,
        events,
    );
    EARLY.same("the clock", ms(40), selector.time());
    selector.unregister(a.fd()).unwrap();
    selector.unregister(b.fd()).unwrap();
    let slept = sleep(&selector, None);
    let expected = (vec![readable(late.fd())], ms(60));
    EARLY.same(
        "events and clock after a sleep without timeout",
        expected,
        slept,
    );
    lesson::passed();
}

#[test]
fn only_who_is_registered_for_reading_counts() {
    let selector = Pretend::new();
    let [stranger, writer, reader] = doors();
    for door in [&stranger, &writer, &reader] {
        selector.readable_at(door.fd(), ms(10));
    }
    selector.register(writer.clone(), WRITE).unwrap();
    let slept = sleep(&selector, Some(ms(50)));
    INTEREST.same("events and clock with a writer", (vec![], ms(50)), slept);
    selector.modify(writer.fd(), READ).unwrap();
    let slept = sleep(&selector, Some(ms(50)));
    let expected = (vec![readable(writer.fd())], ms(50));
    INTEREST.same("events and clock after modify", expected, slept);
    // One of which nobody knows when it becomes readable.
    let [_, _, _, silent] = doors();
    selector.unregister(writer.fd()).unwrap();
    selector.register(silent, READ).unwrap();
    let slept = sleep(&selector, Some(ms(5)));
    INTEREST.same(
        "events and clock with a silent one",
        (vec![], ms(55)),
        slept,
    );
    lesson::passed();
}

#[test]
fn what_is_readable_is_reported_again() {
    let selector = Pretend::new();
    let [late, early] = doors();
    for (door, when) in [(&late, 20), (&early, 10)] {
        selector.readable_at(door.fd(), ms(when));
        selector.register(door.clone(), READ).unwrap();
    }
    selector.advance(ms(30));
    for _ in 0..2 {
        let slept = sleep(&selector, Some(ms(100)));
        let both = vec![readable(early.fd()), readable(late.fd())];
        in_order(&both, &slept.0);
        LEVEL.same("events and clock, both readable", (both, ms(30)), slept);
    }
    selector.unregister(early.fd()).unwrap();
    let slept = sleep(&selector, None);
    let expected = (vec![readable(late.fd())], ms(30));
    LEVEL.same("events and clock with one unregistered", expected, slept);
    lesson::passed();
}

#[test]
fn a_sleep_that_nothing_can_end_is_an_error() {
    let selector = Pretend::new();
    let [writer, silent] = doors();
    selector.readable_at(writer.fd(), ms(10));
    selector.register(writer, WRITE).unwrap();
    selector.register(silent, READ).unwrap();
    let error = kind(selector.select(None, &mut Vec::new()));
    DEADLOCK.same("the error", Some(ErrorKind::Deadlock), error);
    DEADLOCK.same("the clock", ms(0), selector.time());
    lesson::passed();
}

#[test]
fn a_bell_ends_one_sleep() {
    let selector = Pretend::new();
    let [door] = doors();
    let bell = selector.interrupter();
    bell.interrupt();
    bell.interrupt();
    let slept = sleep(&selector, None);
    BELL.same("events and clock after a ring", (vec![], ms(0)), slept);
    let slept = sleep(&selector, Some(ms(10)));
    BELL.same(
        "events and clock of the next sleep",
        (vec![], ms(10)),
        slept,
    );

    selector.readable_at(door.fd(), ms(5));
    selector.register(door.clone(), READ).unwrap();
    selector.interrupter().interrupt();
    let slept = sleep(&selector, Some(ms(10)));
    let expected = (vec![readable(door.fd())], ms(10));
    BELL.same(
        "events and clock, rung with a descriptor readable",
        expected,
        slept,
    );
    lesson::passed();
}

#[test]
fn a_descriptor_is_registered_once() {
    let selector = Pretend::new();
    let [door] = doors();
    let fd = door.fd();
    selector.readable_at(fd, ms(10));
    let missing = Some(ErrorKind::NotFound);
    REGISTRY.same(
        "modify of a stranger",
        missing,
        kind(selector.modify(fd, READ)),
    );
    REGISTRY.same(
        "unregister of a stranger",
        missing,
        kind(selector.unregister(fd)),
    );
    let first = selector.register(door.clone(), READ);
    REGISTRY.same("the first register", None, kind(first));
    let second = kind(selector.register(door, WRITE));
    REGISTRY.same(
        "the second register",
        Some(ErrorKind::AlreadyExists),
        second,
    );
    let slept = sleep(&selector, Some(ms(10)));
    let expected = (vec![readable(fd)], ms(10));
    REGISTRY.same("events and clock: the first one stands", expected, slept);
    REGISTRY.same("unregister", None, kind(selector.unregister(fd)));
    REGISTRY.same("unregister again", missing, kind(selector.unregister(fd)));
    lesson::passed();
}
