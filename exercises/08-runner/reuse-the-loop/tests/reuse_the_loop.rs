//! A runner's life: its one loop, its runs, and its end.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use blocking::to_thread;
use lesson::{Journal, OtherThreads, Rule, hold, virtual_loop};
use reuse_the_loop::{Closed, Runner};
use six_steps::{Exception, TurnCounter};
use wakeup::{Outcome, create_task, sleep};

const ONE: Rule = Rule {
    says: "The loop is made when it is first needed, and once; every run is on it.",
    reread: "chapter 8, \"Many runs, one loop\"",
};
const KEPT: Rule = Rule {
    says: "Nothing in a run closes the loop. Tasks stay with it between two runs, and an error of main is main's alone.",
    reread: "chapter 8, \"Many runs, one loop\"",
};
const ORDER: Rule = Rule {
    says: "Tasks come first: one that is being cancelled may still wait for a thread. Then the threads, whose results need the loop. The loop is last.",
    reread: "chapter 8, \"The end, in order\"",
};
const ALL_THE_SAME: Rule = Rule {
    says: "If a part of the end fails, the parts behind it are left out, and the loop is closed all the same.",
    reread: "chapter 8, \"The end, in order\"",
};
const ONCE: Rule = Rule {
    says: "A runner is closed once. A second close does nothing, and a run after it is refused.",
    reread: "chapter 8, \"Many runs, one loop\"",
};

const HOUR: Duration = Duration::from_hours(1);

/// A runner on the virtual clock, and how many loops it has made.
fn runner() -> (Runner, Rc<Cell<u32>>) {
    let loops = Rc::new(Cell::new(0));
    let made = Rc::clone(&loops);
    let make = move || {
        made.set(made.get() + 1);
        virtual_loop().0
    };
    (Runner::new(make), loops)
}

#[test]
fn one_loop_is_made_when_it_is_needed() {
    let (mut runner, loops) = runner();
    ONE.same("the loops made before the first run", 0, loops.get());
    let sum: u32 = (1..=3)
        .map(|n| runner.run(async move { Ok(n) }).unwrap())
        .sum();
    ONE.same("the sum of three results", 6, sum);
    ONE.same("the loops made by three runs", 1, loops.get());
    ONE.same(
        "whether the runner is new after a run",
        false,
        runner.is_new(),
    );
    runner.close().unwrap();
    lesson::passed();
}

#[test]
fn a_task_goes_on_with_the_next_run() {
    let (mut runner, _) = runner();
    let task = runner
        .run(async {
            Ok(create_task(async {
                sleep(HOUR).await?;
                Ok("still here")
            })?)
        })
        .unwrap();
    KEPT.same(
        "whether the task is done after the run that made it",
        false,
        task.done(),
    );
    let outcome = runner.run(async move { task.await });
    KEPT.same(
        "what the task says in the next run",
        Some("still here"),
        outcome.ok(),
    );
    runner.close().unwrap();
    lesson::passed();
}

#[test]
fn an_error_is_that_of_its_run_alone() {
    let (mut runner, loops) = runner();
    let failed: Outcome<()> = runner.run(async { Err(Exception::error("out of tea")) });
    let text = failed.unwrap_err().to_string();
    KEPT.same("the error of the first run", "out of tea", text.as_str());
    KEPT.same(
        "the result of the second",
        Some(2),
        runner.run(async { Ok(2) }).ok(),
    );
    KEPT.same("the loops made by both", 1, loops.get());
    runner.close().unwrap();
    lesson::passed();
}

#[test]
fn a_run_is_two_turns_and_the_end_of_nothing_is_two() {
    let (mut runner, _) = runner();
    runner.run(async { Ok(()) }).unwrap();
    let turns = Rc::new(TurnCounter::default());
    let event_loop = runner.event_loop().expect("a loop after a run").clone();
    event_loop.watch(turns.clone());
    runner.run(async { Ok(()) }).unwrap();
    KEPT.same("the turns of an empty run", 2, turns.count());
    runner.close().unwrap();
    ORDER.same(
        "the turns of a run and of an end without tasks",
        4,
        turns.count(),
    );
    ORDER.same("whether the loop is closed", true, event_loop.is_closed());
    lesson::passed();
}

#[test]
fn the_end_is_in_order() {
    let (mut runner, _) = runner();
    let journal = Journal::new();
    let notes = journal.clone();
    let left = async move {
        let woken = sleep(HOUR).await;
        notes.note("cancelled");
        to_thread(|| hold(Duration::from_millis(50))).await?;
        notes.note("cleaned");
        woken
    };
    let main = async move { create_task(left).map(drop).map_err(Into::into) };
    runner.run(main).unwrap();
    let event_loop = runner.event_loop().expect("a loop after a run").clone();
    let threads = OtherThreads::of(&event_loop);
    let ended = runner.close();
    ORDER.same(
        "how the end ended",
        Ok(()),
        ended.map_err(|e| e.to_string()),
    );
    ORDER.same(
        "what the task that was left did",
        "cancelled cleaned",
        journal.text(),
    );
    ORDER.same("whether the threads were joined", true, threads.joined());
    ORDER.same("whether the loop is closed", true, event_loop.is_closed());
    ORDER.holds(
        runner.event_loop().is_none(),
        "a closed runner should have no loop",
    );
    lesson::passed();
}

#[test]
fn a_part_that_fails_does_not_keep_the_loop_open() {
    let (mut runner, _) = runner();
    let left = async {
        let _woken = sleep(HOUR).await;
        Err::<(), _>(Exception::exit("the house is on fire"))
    };
    let main = async move { create_task(left).map(drop).map_err(Into::into) };
    runner.run(main).unwrap();
    let event_loop = runner.event_loop().expect("a loop after a run").clone();
    let threads = OtherThreads::of(&event_loop);
    let text = runner.close().map_err(|exception| exception.to_string());
    ALL_THE_SAME.same(
        "what close returned",
        Err("the house is on fire".to_owned()),
        text,
    );
    ALL_THE_SAME.same(
        "whether the threads were joined after that",
        false,
        threads.joined(),
    );
    ALL_THE_SAME.same("whether the loop is closed", true, event_loop.is_closed());
    lesson::passed();
}

#[test]
fn after_a_close_there_is_nothing_to_run_or_to_close() {
    let (mut runner, loops) = runner();
    runner.run(async { Ok(()) }).unwrap();
    runner.close().unwrap();
    ONCE.same(
        "whether a second close succeeds",
        true,
        runner.close().is_ok(),
    );
    let refused = runner.run(async { Ok(()) });
    let closed = matches!(&refused, Err(e) if e.downcast_ref() == Some(&Closed) && e.to_string() == "the runner is closed");
    ONCE.holds(
        closed,
        format_args!("a run after the close should be refused as Closed, but gave {refused:?}"),
    );
    ONCE.same("the loops made", 1, loops.get());
    lesson::passed();
}

#[test]
fn a_close_before_the_first_run_does_nothing() {
    let (mut runner, loops) = runner();
    runner.close().unwrap();
    ONE.same("the loops made for a close", 0, loops.get());
    ONE.same("whether the runner is still new", true, runner.is_new());
    ONE.same(
        "the result of a run after it",
        Some(5),
        runner.run(async { Ok(5) }).ok(),
    );
    runner.close().unwrap();
    lesson::passed();
}

#[test]
fn a_runner_that_is_dropped_is_closed() {
    let (mut runner, _) = runner();
    let journal = Journal::new();
    let notes = journal.clone();
    let left = async move {
        let woken = sleep(HOUR).await;
        notes.note("cancelled");
        woken
    };
    let main = async move { create_task(left).map(drop).map_err(Into::into) };
    runner.run(main).unwrap();
    let event_loop = runner.event_loop().expect("a loop after a run").clone();
    drop(runner);
    ORDER.same(
        "what the task that was left did",
        "cancelled",
        journal.text(),
    );
    ORDER.same("whether the loop is closed", true, event_loop.is_closed());
    lesson::passed();
}
