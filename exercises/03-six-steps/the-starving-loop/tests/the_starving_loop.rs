//! What the loop does between two letters, on a virtual clock: a letter takes 2 ms.

use std::rc::Rc;
use std::time::Duration;

use lesson::{Journal, Limit, Rule};
use six_steps::{EventLoop, LoopError, TurnCounter, VirtualClock};
use the_starving_loop::Outbox;

const BETWEEN: Rule = Rule {
    says: "While a callback runs, nothing else does. A queue of one's own gets one piece of work a turn, so that the loop comes to steps 1 to 5 in between.",
    reread: "chapter 3, \"A wrong turn: run until the queue is empty\"",
};
const ONE_DOOR: Rule = Rule {
    says: "Everything that is ready runs in the same turn. As many callbacks as there are letters hog it as one long callback does.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
const ORDER: Rule = Rule {
    says: "Letters go out in the order in which they were handed in, each of them once.",
    reread: "chapter 2, \"Where do handles wait for their turn?\"",
};
const IDLE: Rule = Rule {
    says: "With something ready, step 2 answers zero in every turn. An outbox that is empty must leave nothing on the loop.",
    reread: "chapter 3, \"Where it goes wrong\"",
};

const LETTER: Duration = Duration::from_millis(2);

struct Service {
    event_loop: EventLoop,
    clock: VirtualClock,
    outbox: Outbox,
    journal: Journal,
    turns: Rc<TurnCounter>,
}

impl Service {
    fn new() -> Self {
        let (event_loop, clock) = lesson::virtual_loop();
        // A loop that turns on and on has something ready for ever.
        Limit::on(&event_loop, 2_000, IDLE);
        let turns = Rc::new(TurnCounter::default());
        event_loop.watch(turns.clone());
        Self {
            outbox: Outbox::new(&event_loop),
            event_loop,
            clock,
            journal: Journal::new(),
            turns,
        }
    }

    /// Hands in a letter that notes its number.
    fn letter(&self, number: usize) {
        let (clock, journal) = (self.clock.clone(), self.journal.clone());
        let send = move || {
            clock.advance(LETTER);
            journal.note(number.to_string());
        };
        self.outbox.hand_in(send).unwrap();
    }

    /// Stops the loop after so many milliseconds.
    fn stop_at(&self, ms: u64) {
        let stop = self.event_loop.clone();
        let delay = Duration::from_millis(ms);
        self.event_loop
            .call_later(delay, move || stop.stop())
            .unwrap();
    }

    fn turn(&self, rule: Rule) {
        let Err(error) = self.event_loop.run_once() else {
            return;
        };
        if self.outbox.waiting() == 0 {
            BETWEEN.broken(
                "a turn was due for the next letter, but no letter waits any more: an earlier turn \
                 sent more than one, in one callback that sends or in several that were queued at once",
            );
        }
        rule.broken(format_args!(
            "a turn was due for the next letter, which waits, but nothing on the loop sends it: {error}"
        ));
    }

    fn run(&self) {
        self.event_loop.run_forever().unwrap();
    }
}

#[test]
fn a_timer_rings_between_two_letters() {
    let service = Service::new();
    for number in 1..=500 {
        service.letter(number);
    }
    let journal = service.journal.clone();
    let delay = Duration::from_millis(5);
    service
        .event_loop
        .call_later(delay, move || journal.note("beat"))
        .unwrap();
    service.stop_at(2_000);
    service.run();
    let entries = service.journal.take();
    let before = entries.iter().position(|entry| entry == "beat");
    // Three letters end at 6 ms. The turn after that finds the timer due; it may run behind the
    // letter that is ready already.
    let otherwise = match before {
        Some(sent) => format!(
            "the timer at 5 ms should ring behind 3 or 4 letters of 2 ms, but {sent} went out before it"
        ),
        None => "the timer at 5 ms never rang".to_owned(),
    };
    BETWEEN.holds(matches!(before, Some(3 | 4)), otherwise);
    let sent = entries.len() - 1;
    BETWEEN.same("the number of letters sent", 500, sent);
    lesson::passed();
}

#[test]
fn one_letter_a_turn() {
    let service = Service::new();
    for number in 1..=3 {
        service.letter(number);
    }
    for sent in 1..=3 {
        service.turn(ONE_DOOR);
        let what = format!("the number of letters sent after turn {sent}");
        ONE_DOOR.same(what, sent, service.journal.len());
        let what = format!("the number that wait after turn {sent}");
        ONE_DOOR.same(what, 3 - sent, service.outbox.waiting());
    }
    lesson::passed();
}

#[test]
fn a_letter_that_hands_in_another_does_not_stay_for_it() {
    let service = Service::new();
    let (outbox, journal) = (service.outbox.clone(), service.journal.clone());
    let reply = service.journal.clone();
    let first = move || {
        journal.note("1");
        outbox.hand_in(move || reply.note("reply")).unwrap();
    };
    service.outbox.hand_in(first).unwrap();
    service.letter(2);
    service.letter(3);
    let mut turns = Vec::new();
    // A turn with nothing to do is an error: all letters are sent, or nothing sends them.
    while turns.len() < 10 && service.event_loop.run_once().is_ok() {
        turns.push(service.journal.take().join(" "));
    }
    BETWEEN.same(
        "the letters, turn by turn",
        "1, 2, 3, reply",
        turns.join(", "),
    );
    lesson::passed();
}

#[test]
fn the_order_is_that_of_handing_in() {
    let service = Service::new();
    for number in 1..=4 {
        service.letter(number);
    }
    service.turn(ORDER);
    for number in 5..=7 {
        service.letter(number);
    }
    service.stop_at(100);
    service.run();
    ORDER.same("the letters", "1 2 3 4 5 6 7", service.journal.text());
    ORDER.same("the number that wait", 0, service.outbox.waiting());
    lesson::passed();
}

#[test]
fn an_empty_outbox_lets_the_loop_sleep() {
    let service = Service::new();
    service.letter(1);
    service.letter(2);
    service.turn(IDLE);
    service.turn(IDLE);
    let left = (
        service.event_loop.ready_len(),
        service.event_loop.scheduled_len(),
    );
    IDLE.same(
        "handles and timers on the loop after the last letter",
        (0, 0),
        left,
    );
    service.stop_at(1_000);
    service.run();
    IDLE.same("the number of turns in all", 3, service.turns.count());
    // And it wakes up again.
    service.letter(3);
    service.stop_at(10);
    service.run();
    IDLE.same("the letters", "1 2 3", service.journal.text());
    lesson::passed();
}

#[test]
fn a_closed_loop_is_an_error() {
    let service = Service::new();
    service.event_loop.close().unwrap();
    let handed_in = service.outbox.hand_in(|| ());
    let closed = matches!(handed_in, Err(LoopError::Closed));
    ORDER.holds(
        closed,
        format!("on a closed loop hand_in should say so, and says {handed_in:?}"),
    );
    lesson::passed();
}
