//! The compiler's coroutine and the hand-written machine, step for step: the same yields, notes,
//! result, panics, and the same moment at which what they hold is dropped.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use suspension::{Answer, Step, Tally, Woken, answer, step, step_if_woken, tally};

type Coro<T> = Pin<Box<dyn Future<Output = T>>>;
type Notes = Rc<RefCell<Vec<&'static str>>>;

/// What a step can show: how it came back, what it noted, who still holds the note book.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Stepped(Step<u32>, Vec<&'static str>, usize),
    Panicked(String, Vec<&'static str>, usize),
}

fn see(coro: &mut Coro<u32>, notes: &Notes) -> Seen {
    let step = catch_unwind(AssertUnwindSafe(|| step(coro)));
    let lines = notes.take();
    let holders = Rc::strong_count(notes);
    match step {
        Ok(step) => Seen::Stepped(step, lines, holders),
        Err(panic) => {
            let text = panic
                .downcast_ref::<&str>()
                .expect("these panics are literals");
            Seen::Panicked((*text).to_owned(), lines, holders)
        }
    }
}

/// A note book, and a closure that writes in it and panics at `panic_at`.
fn note_book(panic_at: Option<&'static str>) -> (Notes, impl FnMut(&'static str) + Unpin) {
    let notes = Notes::default();
    let written = Rc::clone(&notes);
    let note = move |line| {
        written.borrow_mut().push(line);
        assert!(panic_at != Some(line), "spilt the tea");
    };
    (notes, note)
}

fn pair(panic_at: Option<&'static str>) -> [(Coro<u32>, Notes); 2] {
    let (left, note_left) = note_book(panic_at);
    let (right, note_right) = note_book(panic_at);
    [
        (Box::pin(tally(note_left, 40)), left),
        (Box::pin(Tally::new(note_right, 40)), right),
    ]
}

fn run(panic_at: Option<&'static str>, steps: usize) -> [Vec<Seen>; 2] {
    pair(panic_at).map(|(mut coro, notes)| (0..steps).map(|_| see(&mut coro, &notes)).collect())
}

#[test]
fn the_two_are_equal_step_for_step_and_past_the_end() {
    let [compiled, by_hand] = run(None, 5);
    let gone = Seen::Panicked("`async fn` resumed after completion".to_owned(), vec![], 1);
    assert_eq!(
        compiled,
        [
            Seen::Stepped(Step::Yielded, vec!["begun"], 2),
            Seen::Stepped(Step::Yielded, vec!["past the first stop"], 2),
            Seen::Stepped(Step::Returned(42), vec!["answer in"], 1),
            gone.clone(),
            gone,
        ]
    );
    assert_eq!(by_hand, compiled);
}

#[test]
fn a_panic_at_any_line_leaves_both_in_the_same_state() {
    for (panic_at, before) in [("begun", 0), ("past the first stop", 1), ("answer in", 2)] {
        let [compiled, by_hand] = run(Some(panic_at), before + 3);
        assert_eq!(by_hand, compiled);
        assert_eq!(
            compiled[before],
            Seen::Panicked("spilt the tea".to_owned(), vec![panic_at], 1),
            "the note book is let go while the panic unwinds"
        );
        for after in &compiled[before + 1..] {
            let text = "`async fn` resumed after panicking".to_owned();
            assert_eq!(*after, Seen::Panicked(text, vec![], 1));
        }
    }
}

#[test]
fn dropped_at_any_stop_both_let_go_of_what_they_hold() {
    for steps in 0..=2 {
        for (mut coro, notes) in pair(None) {
            for _ in 0..steps {
                see(&mut coro, &notes);
            }
            assert_eq!(Rc::strong_count(&notes), 2);
            drop(coro);
            assert_eq!(Rc::strong_count(&notes), 1);
            assert!(notes.borrow().is_empty(), "dropping runs no further line");
        }
    }
}

#[test]
fn both_ask_to_be_woken_at_the_same_steps() {
    for (mut coro, _notes) in pair(None) {
        let woken = Arc::new(Woken::new());
        assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
        assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Yielded));
        assert_eq!(step_if_woken(&mut coro, &woken), Some(Step::Returned(42)));
        assert!(!woken.take(), "a coroutine that ended asks for nothing");
    }
}

#[test]
fn the_inner_machine_equals_its_coroutine() {
    let seen = [Box::pin(answer(2)) as Coro<u32>, Box::pin(Answer::new(2))].map(|mut coro| {
        let notes = Notes::default();
        (0..4).map(|_| see(&mut coro, &notes)).collect::<Vec<_>>()
    });
    let gone = Seen::Panicked("`async fn` resumed after completion".to_owned(), vec![], 1);
    assert_eq!(
        seen[0],
        [
            Seen::Stepped(Step::Yielded, vec![], 1),
            Seen::Stepped(Step::Returned(2), vec![], 1),
            gone.clone(),
            gone,
        ]
    );
    assert_eq!(seen[1], seen[0]);
}

#[test]
fn the_machine_names_the_state_it_stands_in() {
    let mut machine = Box::pin(Tally::new(|_| {}, 1));
    let mut states = vec![machine.state()];
    while let Step::Yielded = step(&mut machine) {
        states.push(machine.state());
    }
    states.push(machine.state());
    assert_eq!(states, ["Unresumed", "AtFirstStop", "AtAnswer", "Returned"]);
}
