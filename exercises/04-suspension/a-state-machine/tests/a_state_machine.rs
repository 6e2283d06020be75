//! The compiler's bill and the one by hand, step for step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use a_state_machine::{Bill, Cake, Note, Price, bill};
use lesson::{Journal, Limit, Rule, many};
use suspension::{Step, Woken, parked, step, step_if_woken};

const LAZY: Rule = Rule {
    says: "Making a coroutine runs nothing of its body.",
    reread: "chapter 4, \"In CPython\"",
};
const STEPS: Rule = Rule {
    says: "A step runs from where the machine stands to the next await that is Pending, through as many states as it can.",
    reread: "chapter 4, \"What `.await` compiles to\"",
};
const SOLD_OUT: Rule = Rule {
    says: "An early `return` ends the machine: it goes to the last state in the same step, and what stands behind it does not run.",
    reread: "chapter 4, \"What `.await` compiles to\"",
};
const STATE: Rule = Rule {
    says: "There is a state for each await that can stand still, and it is the bookmark for the next step.",
    reread: "chapter 4, \"What `.await` compiles to\"",
};
const HOLDS: Rule = Rule {
    says: "Each state holds what is needed from there on, and nothing else.",
    reread: "chapter 4, \"What `.await` compiles to\"",
};
const WAKER: Rule = Rule {
    says: "The waker goes down: whoever awaits passes its own context to what it awaits.",
    reread: "chapter 4, \"Two protocols, side by side\"",
};
const END: Rule = Rule {
    says: "A coroutine that has returned must not be polled again; one made by the compiler panics.",
    reread: "chapter 4, \"A step too many\"",
};

/// A price that is there after some suspensions. It keeps `_held` until it is dropped.
struct After {
    suspensions: u32,
    price: u32,
    _held: Rc<()>,
}

impl Future for After {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let Some(left) = self.suspensions.checked_sub(1) else {
            return Poll::Ready(self.price);
        };
        self.suspensions = left;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

fn after((suspensions, price): (u32, u32), held: Rc<()>) -> Price {
    Box::pin(After {
        suspensions,
        price,
        _held: held,
    })
}

/// A bill's arguments, and what a test sees of them.
struct Table {
    journal: Journal,
    // Of the note, the tea, the question for the cake, and the cake.
    held: [Rc<()>; 4],
}

impl Table {
    fn new() -> Self {
        Self {
            journal: Journal::new(),
            held: Default::default(),
        }
    }

    fn arguments(&self, tea: (u32, u32), cake: (u32, u32)) -> (Note, Price, Cake) {
        let [of_note, of_tea, of_question, of_cake] = self.held.clone();
        let (noted, asked) = (self.journal.clone(), self.journal.clone());
        let note = move |line: &'static str| {
            let _ = &of_note; // moves it into the closure
            noted.note(line);
        };
        let question = move |tea: u32| {
            drop(of_question);
            asked.note(format!("cake for a tea of {tea}"));
            after(cake, of_cake)
        };
        (Box::new(note), after(tea, of_tea), Box::new(question))
    }

    fn holders(&self) -> [usize; 4] {
        self.held.each_ref().map(|held| Rc::strong_count(held) - 1)
    }
}

/// What one step showed: how it came back, what it noted, and what is still held.
type Seen = (Step<u32>, String, [usize; 4]);

fn run<F: Future<Output = u32>>(table: &Table, mut coroutine: Pin<Box<F>>) -> Vec<Seen> {
    let limit = Limit::new(30, "steps", STEPS);
    let mut seen = Vec::new();
    loop {
        limit.count();
        let step = step(&mut coroutine);
        seen.push((step, table.journal.take().join(", "), table.holders()));
        if step != Step::Yielded {
            return seen;
        }
    }
}

fn both(tea: (u32, u32), cake: (u32, u32)) -> [Vec<Seen>; 2] {
    let table = Table::new();
    let (note, price, question) = table.arguments(tea, cake);
    let compiled = run(&table, Box::pin(bill(note, price, question)));
    let (note, price, question) = table.arguments(tea, cake);
    let by_hand = run(&table, Box::pin(Bill::new(note, price, question)));
    [compiled, by_hand]
}

/// Compares the two step by step, so that the message names the first step that differs.
fn compare(rule: Rule, tea: (u32, u32), cake: (u32, u32)) {
    let [compiled, by_hand] = both(tea, cake);
    let what = format!(
        "with {} for the tea and {} for the cake",
        many(tea.0 as usize, "suspension"),
        cake.0
    );
    for (step, (model, yours)) in (1..).zip(compiled.iter().zip(&by_hand)) {
        let what = format!("step {step} {what}");
        rule.same(
            format_args!("the notes of {what}"),
            model.1.clone(),
            yours.1.clone(),
        );
        rule.same(format_args!("{what}"), model.0, yours.0);
    }
    rule.same("the number of steps", compiled.len(), by_hand.len());
}

#[test]
fn made_and_not_stepped_runs_nothing() {
    let table = Table::new();
    let (note, tea, cake) = table.arguments((1, 3), (1, 4));
    let bill = Bill::new(note, tea, cake);
    LAZY.same("the notes before the first step", "", table.journal.text());
    STATE.same("the state before the first step", "Unresumed", bill.state());
    lesson::passed();
}

#[test]
fn prices_that_are_there_take_one_step() {
    compare(STEPS, (0, 3), (0, 4));
    lesson::passed();
}

#[test]
fn every_step_is_the_compilers() {
    for tea in 0..4 {
        for cake in 0..4 {
            compare(STEPS, (tea, 30 + tea), (cake, 4));
        }
    }
    lesson::passed();
}

#[test]
fn without_tea_there_is_no_cake() {
    for suspensions in [0, 2] {
        compare(SOLD_OUT, (suspensions, 0), (1, 4));
    }
    compare(STEPS, (1, 1), (1, 0));
    lesson::passed();
}

#[test]
fn it_stands_at_its_awaits() {
    let table = Table::new();
    let (note, tea, cake) = table.arguments((2, 3), (1, 4));
    let mut bill = Box::pin(Bill::new(note, tea, cake));
    for (number, state) in (1..).zip(["AtTea", "AtTea", "AtCake", "Returned"]) {
        let _ = step(&mut bill);
        STATE.same(
            format_args!("the state after step {number}"),
            state,
            bill.state(),
        );
    }
    lesson::passed();
}

#[test]
fn each_state_holds_what_it_needs() {
    for (tea, cake) in [((1, 3), (1, 4)), ((1, 0), (0, 4))] {
        let [compiled, by_hand] = both(tea, cake);
        for (step, (model, yours)) in (1..).zip(compiled.iter().zip(&by_hand)) {
            HOLDS.same(
                format_args!(
                    "what is held after step {step} of the note, the tea, the question for the cake, and the cake"
                ),
                model.2,
                yours.2,
            );
        }
    }
    lesson::passed();
}

#[test]
fn the_waker_goes_down_to_both_awaits() {
    let (tea_setter, tea) = parked();
    let (cake_setter, cake) = parked();
    let mut bill = Box::pin(Bill::new(
        Box::new(|_| {}),
        Box::pin(tea),
        Box::new(|_| Box::pin(cake)),
    ));
    let woken = Arc::new(Woken::new());
    let first = step_if_woken(&mut bill, &woken);
    STEPS.same("the first step", Some(Step::Yielded), first);
    tea_setter.set(3);
    let second = step_if_woken(&mut bill, &woken);
    WAKER.same("the step after the tea", Some(Step::Yielded), second);
    cake_setter.set(4);
    let third = step_if_woken(&mut bill, &woken);
    WAKER.same("the step after the cake", Some(Step::Returned(7)), third);
    lesson::passed();
}

#[test]
fn a_step_too_many_panics() {
    let table = Table::new();
    let (note, tea, cake) = table.arguments((0, 3), (0, 4));
    let mut bill = Box::pin(Bill::new(note, tea, cake));
    STEPS.same("the only step", Step::Returned(7), step(&mut bill));
    let again = catch_unwind(AssertUnwindSafe(|| step(&mut bill)));
    END.holds(
        again.is_err(),
        "A step after the end should panic, but it came back.",
    );
    lesson::passed();
}
