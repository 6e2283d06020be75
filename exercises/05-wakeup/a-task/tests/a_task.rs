//! A task: when it steps, what a wake does, and what is left at the end.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use a_task::Task;
use lesson::{Journal, Limit, Rule};
use six_steps::EventLoop;
use suspension::{parked, suspend_once};

const FIRST: Rule = Rule {
    says: "Making a task queues its first step; the step runs in the next turn.",
    reread: "chapter 5, \"Watch it run\"",
};
const STEP: Rule = Rule {
    says: "One step is one poll. Ready: the task is done. Pending: it keeps the coroutine, and parks.",
    reread: "chapter 5, \"What is one step of a task?\"",
};
const PARKED: Rule = Rule {
    says: "A parked task queues nothing: what it waits for will.",
    reread: "chapter 5, \"What is one step of a task?\"",
};
const WAKE: Rule = Rule {
    says: "Waking is call_soon of the task's next step: it runs nothing itself.",
    reread: "chapter 5, \"Any future of the ecosystem\"",
};
const ONCE: Rule = Rule {
    says: "Until the task's next step one wake is enough; from the moment that step begins, a wake counts again.",
    reread: "chapter 5, \"Any future of the ecosystem\"",
};
const TURNS: Rule = Rule {
    says: "A turn runs everything that was ready when it began: each task one step, in the order in which they were queued.",
    reread: "chapter 5, \"Two workers, and a rude one\"",
};
const END: Rule = Rule {
    says: "A coroutine that has returned must not be polled again, and nobody needs it any more.",
    reread: "chapter 4, \"A step too many\"",
};

fn stage() -> (EventLoop, Journal) {
    let (event_loop, _) = lesson::virtual_loop();
    Limit::on(&event_loop, 50, PARKED);
    (event_loop, Journal::new())
}

fn start<T: Clone + 'static>(
    event_loop: &EventLoop,
    coroutine: impl Future<Output = T> + 'static,
) -> Task<T> {
    match Task::start(event_loop, coroutine) {
        Ok(task) => task,
        Err(error) => FIRST.broken(format_args!("Task::start failed on an open loop: {error}")),
    }
}

/// A task that is pending at each poll, notes it, and hands out the waker it was polled with.
fn sleeper(event_loop: &EventLoop, journal: &Journal) -> (Task<()>, Rc<RefCell<Option<Waker>>>) {
    let waker = Rc::new(RefCell::new(None));
    let (kept, noted) = (Rc::clone(&waker), journal.clone());
    let task = start(
        event_loop,
        poll_fn(move |cx| {
            noted.note("poll");
            kept.replace(Some(cx.waker().clone()));
            Poll::Pending
        }),
    );
    (task, waker)
}

fn wake(waker: &Rc<RefCell<Option<Waker>>>) {
    let waker = waker.borrow().clone();
    match waker {
        Some(waker) => waker.wake(),
        None => FIRST.broken("The coroutine was not polled in the first turn."),
    }
}

#[test]
fn a_new_task_waits_for_its_turn() {
    let (event_loop, journal) = stage();
    let noted = journal.clone();
    let task = start(&event_loop, async move { noted.note("begun") });
    FIRST.same("what ran within start", "", journal.text());
    FIRST.same("the number of handles queued", 1, event_loop.ready_len());
    FIRST.same("whether it is done", false, task.done());
    lesson::turn(&event_loop);
    FIRST.same("what ran in the next turn", "begun", journal.text());
    assert!(event_loop.close().is_ok(), "it does not run");
    FIRST.holds(
        Task::start(&event_loop, async {}).is_err(),
        "Task::start cannot queue a step on a closed loop, and should pass the loop's error on.",
    );
    lesson::passed();
}

#[test]
fn without_a_suspension_it_is_done_in_one_turn() {
    let (event_loop, _) = stage();
    let task = start(&event_loop, async { async { "tea" }.await.len() });
    STEP.same("the result before the first turn", None, task.result());
    lesson::turn(&event_loop);
    STEP.same("the result after it", Some(3), task.result());
    STEP.same("the result, asked for again", Some(3), task.result());
    STEP.same("whether it is done", true, task.done());
    STEP.same(
        "the number of handles that are left",
        0,
        event_loop.ready_len(),
    );
    let held = Rc::new(());
    let returned = Rc::clone(&held);
    {
        let task = start(&event_loop, async { returned });
        lesson::turn(&event_loop);
        STEP.same("whether it is done", true, task.done());
    }
    END.same(
        "who holds the result of a task that is gone",
        1,
        Rc::strong_count(&held),
    );
    lesson::passed();
}

#[test]
fn a_parked_task_takes_no_turns() {
    let (event_loop, journal) = stage();
    let (task, _) = sleeper(&event_loop, &journal);
    for _ in 0..3 {
        lesson::turn(&event_loop);
        PARKED.same("the number of handles queued", 0, event_loop.ready_len());
    }
    PARKED.same("the polls of three turns", "poll", journal.text());
    PARKED.same("whether it is done", false, task.done());
    lesson::passed();
}

#[test]
fn a_wake_queues_a_step_and_runs_nothing() {
    let (event_loop, journal) = stage();
    let (setter, future) = parked();
    let noted = journal.clone();
    let task = start(&event_loop, async move {
        let tea: &str = future.await;
        noted.note(tea);
        tea.len()
    });
    lesson::turn(&event_loop);
    setter.set("tea");
    WAKE.same("what ran within the wake", "", journal.text());
    WAKE.same("the number of handles queued", 1, event_loop.ready_len());
    WAKE.same("whether it is done", false, task.done());
    lesson::turn(&event_loop);
    WAKE.same("what ran in the turn after", "tea", journal.text());
    STEP.same("the result", Some(3), task.result());
    lesson::passed();
}

#[test]
fn a_second_wake_changes_nothing() {
    let (event_loop, journal) = stage();
    let (_task, waker) = sleeper(&event_loop, &journal);
    lesson::turn(&event_loop);
    for _ in 0..3 {
        wake(&waker);
    }
    ONCE.same(
        "the number of handles after three wakes",
        1,
        event_loop.ready_len(),
    );
    lesson::turn(&event_loop);
    ONCE.same("the polls up to here", "poll poll", journal.text());
    wake(&waker);
    ONCE.same(
        "the number of handles after a wake behind that step",
        1,
        event_loop.ready_len(),
    );
    lesson::turn(&event_loop);
    ONCE.same("the polls up to here", "poll poll poll", journal.text());
    lesson::passed();
}

#[test]
fn a_wake_in_the_middle_of_a_step_is_not_lost() {
    let (event_loop, _) = stage();
    let task = start(&event_loop, async {
        for _ in 0..3 {
            suspend_once().await; // wakes while it is being polled
        }
        "done"
    });
    for turn in 1..=3 {
        lesson::turn(&event_loop);
        ONCE.same(
            format_args!("the number of handles queued after turn {turn}"),
            1,
            event_loop.ready_len(),
        );
        STEP.same(
            format_args!("the result after turn {turn}"),
            None,
            task.result(),
        );
    }
    lesson::turn(&event_loop);
    STEP.same(
        "the result after turn 4, behind three suspensions",
        Some("done"),
        task.result(),
    );
    lesson::passed();
}

#[test]
fn tasks_take_turns() {
    let (event_loop, journal) = stage();
    let tasks = ["A", "B", "C"].map(|name| {
        let journal = journal.clone();
        start(&event_loop, async move {
            journal.note(format!("{name}1"));
            suspend_once().await;
            journal.note(format!("{name}2"));
        })
    });
    lesson::turn(&event_loop);
    TURNS.same("the first turn", "A1 B1 C1", journal.take().join(" "));
    lesson::turn(&event_loop);
    TURNS.same("the second turn", "A2 B2 C2", journal.text());
    TURNS.same(
        "who is done",
        [true, true, true],
        tasks.each_ref().map(Task::done),
    );
    lesson::passed();
}

#[test]
fn a_late_wake_finds_nothing_to_do() {
    let (event_loop, journal) = stage();
    let waker = Rc::new(RefCell::new(None));
    let held = Rc::new(());
    let (kept, noted, of_coroutine) = (Rc::clone(&waker), journal.clone(), Rc::clone(&held));
    let task = start(
        &event_loop,
        poll_fn(move |cx| {
            noted.note(format!("poll-{}", Rc::strong_count(&of_coroutine)));
            kept.replace(Some(cx.waker().clone()));
            Poll::Ready(4)
        }),
    );
    lesson::turn(&event_loop);
    END.same(
        "who holds what the coroutine held",
        1,
        Rc::strong_count(&held),
    );
    wake(&waker);
    lesson::turn(&event_loop);
    END.same("the polls", "poll-2", journal.text());
    END.same("the result", Some(4), task.result());
    lesson::passed();
}
