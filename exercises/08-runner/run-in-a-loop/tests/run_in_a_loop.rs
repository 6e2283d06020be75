//! A batch of loaves: its loops, its oven, its results.

use lesson::Rule;
use run_in_a_loop::bake_all;
use run_in_a_loop::loops::Loops;
use run_in_a_loop::oven::{NoFlour, Oven};
use wakeup::Outcome;

const ONE: Rule = Rule {
    says: "Each run makes and closes a loop. A runner, or one run around it all, makes it once.",
    reread: "chapter 8, \"Many runs, one loop\"",
};
const LEFT: Rule = Rule {
    says: "With a run each, what a run has left to go on is cancelled at its end. On one loop it goes on whenever the loop runs.",
    reread: "chapter 8, \"`run` for each request\"",
};
const SAME: Rule = Rule {
    says: "The batch does what it did: one loaf after another, in order, each with its own result.",
    reread: "chapter 8, \"`run` for each request\"",
};
const END: Rule = Rule {
    says: "Whoever makes a loop closes it, in order, whatever has happened on it.",
    reread: "chapter 8, \"The end, in order\"",
};

struct Batch {
    loops: Loops,
    oven: Oven,
    loaves: Vec<Outcome<String>>,
}

fn batch(grams: &[u32]) -> Batch {
    let (loops, oven) = (Loops::default(), Oven::default());
    let loaves = match bake_all(&loops, &oven, grams) {
        Ok(loaves) => loaves,
        Err(exception) => SAME.broken(format_args!("the batch ended with: {exception}")),
    };
    Batch {
        loops,
        oven,
        loaves,
    }
}

#[test]
fn five_loaves_are_one_loop() {
    let batch = batch(&[500, 500, 750, 750, 1000]);
    ONE.same("the loops made for five loaves", 1, batch.loops.made());
    lesson::passed();
}

#[test]
fn the_oven_is_heated_once() {
    let batch = batch(&[500, 750, 1000]);
    LEFT.same("how often the oven was heated", 1, batch.oven.heated());
    LEFT.same("the minutes for three loaves", 100, batch.oven.minutes());
    lesson::passed();
}

#[test]
fn the_loaves_are_the_same_and_in_order() {
    let loaves = batch(&[750, 500, 1000]).loaves;
    let loaves: Vec<String> = loaves.into_iter().map(Result::unwrap_or_default).collect();
    let expected = vec!["loaf of 750 g", "loaf of 500 g", "loaf of 1000 g"];
    SAME.same(
        "the loaves",
        expected,
        loaves.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    lesson::passed();
}

#[test]
fn a_loaf_that_fails_stands_in_its_place() {
    let batch = batch(&[500, 0, 750, 0]);
    let baked: Vec<bool> = batch.loaves.iter().map(Result::is_ok).collect();
    SAME.same(
        "which loaves were baked",
        vec![true, false, true, false],
        baked,
    );
    let no_flour = matches!(&batch.loaves[1], Err(e) if e.downcast_ref() == Some(&NoFlour) && e.to_string() == "no flour");
    SAME.holds(
        no_flour,
        format_args!(
            "a loaf of nothing should end with NoFlour: {:?}",
            batch.loaves[1]
        ),
    );
    ONE.same("the loops made", 1, batch.loops.made());
    END.same("the loops left open", 0, batch.loops.open());
    lesson::passed();
}

#[test]
fn the_oven_is_off_at_the_end() {
    let batch = batch(&[500, 750]);
    END.same("the loops left open", 0, batch.loops.open());
    END.same("whether the oven is still hot", false, batch.oven.is_hot());
    END.same("the number of loaves", 2, batch.loaves.len());
    lesson::passed();
}

#[test]
fn a_batch_of_nothing_bakes_nothing() {
    let batch = batch(&[]);
    SAME.same("the number of loaves", 0, batch.loaves.len());
    END.same("the loops left open", 0, batch.loops.open());
    lesson::passed();
}
