//! Cancellation: an error that arrives at the await point, and what a coroutine makes of it.

use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::task::Poll;

use six_steps::Exception;
use wakeup::{Future, Task, Tasks, create_task, current_task, yield_now};

use crate::stage::Stage;

/// A foreign future that is never done.
fn never() -> impl std::future::Future<Output = ()> {
    std::future::poll_fn(|_| Poll::Pending)
}

#[test]
fn it_arrives_at_the_await_in_the_turn_after() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let (notes, awaited) = (stage.notes(), future.clone());
    let task = stage.task("worker", async move {
        let error = awaited.await.unwrap_err();
        notes.add(format!("{error}"));
        Err::<(), _>(error)
    });
    stage.turn(1);
    assert!(task.cancel());
    assert!(!task.done(), "asked for, not done");
    assert!(
        future.cancelled(),
        "what it awaits is cancelled, and wakes it"
    );
    stage.turn(1);
    assert_eq!(stage.noted(), ["2: cancelled"]);
    assert!(stage.trace()[1].starts_with("wakeup:worker "));
    assert!(task.cancelled());
    assert!(task.result().unwrap_err().is_cancelled());
    assert!(!task.cancel(), "it is done");
}

#[test]
fn clean_up_may_await() {
    let stage = Stage::new();
    let (notes, future) = (stage.notes(), stage.event_loop.create_future::<()>());
    let task = stage.task("worker", async move {
        if let Err(cancelled) = future.await {
            yield_now().await?;
            notes.add("swept");
            yield_now().await?;
            notes.add("locked");
            return Err(cancelled);
        }
        Ok(())
    });
    stage.turn(1);
    task.cancel();
    stage.turn(3);
    assert_eq!(stage.noted(), ["3: swept", "4: locked"]);
    assert!(task.cancelled());
}

#[test]
fn it_can_be_suppressed_and_the_task_goes_on() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let task = stage.task("worker", async move {
        assert!(future.await.unwrap_err().is_cancelled());
        yield_now().await?;
        Ok("went on")
    });
    stage.turn(1);
    task.cancel();
    stage.turn(2);
    assert!(!task.cancelled());
    assert_eq!(task.result().unwrap(), "went on");
}

#[test]
fn it_can_be_turned_into_another_error() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let task = stage.task("worker", async move {
        future
            .await
            .map_err(|_| Exception::error(io::Error::other("closed early")))
    });
    stage.turn(1);
    task.cancel();
    stage.turn(1);
    assert!(!task.cancelled());
    assert_eq!(task.result().unwrap_err().to_string(), "closed early");
}

#[test]
fn a_task_cancelled_before_its_first_step_never_runs() {
    let stage = Stage::new();
    let notes = stage.notes();
    let held = Rc::new(());
    let kept = Rc::clone(&held);
    let task = stage.task("worker", async move {
        notes.add("ran");
        drop(kept);
        Ok(())
    });
    assert!(task.cancel());
    assert!(!task.done());
    stage.turn(1);
    assert!(task.cancelled() && stage.noted().is_empty());
    assert_eq!(Rc::strong_count(&held), 1, "its coroutine is dropped");
    assert!(stage.trace()[0].starts_with("step:worker "));
}

#[test]
fn it_arrives_at_a_bare_yield() {
    let stage = Stage::new();
    let task = stage.task("worker", async {
        loop {
            yield_now().await?;
        }
        #[expect(unreachable_code, reason = "names the result's type")]
        Ok(())
    });
    stage.turn(3);
    task.cancel();
    stage.turn(1);
    assert!(task.cancelled());
}

#[test]
fn one_that_finds_the_future_done_is_thrown_by_the_wakeup_that_is_due() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let awaited = future.clone();
    let task = stage.task("worker", async move { awaited.await });
    stage.turn(1);
    future.set_result(1).unwrap();
    assert!(task.cancel());
    stage.turn(1);
    assert!(task.cancelled(), "the cancellation wins over the result");
    assert_eq!(future.result().unwrap(), 1);
}

#[test]
fn one_asked_for_in_the_step_that_returns_wins_over_the_result() {
    let stage = Stage::new();
    let task = stage.task("worker", async {
        current_task().unwrap().cancel();
        Ok(1)
    });
    stage.turn(1);
    assert!(task.cancelled());
    let task = stage.task("worker", async {
        current_task().unwrap().cancel();
        Err::<(), _>(io::Error::other("no tea").into())
    });
    stage.turn(1);
    assert_eq!(
        task.result().unwrap_err().to_string(),
        "no tea",
        "but not over an error"
    );
}

#[test]
fn one_asked_for_in_a_step_is_raised_where_that_step_parks() {
    let stage = Stage::new();
    let (notes, future) = (stage.notes(), stage.event_loop.create_future::<()>());
    let task = stage.task("worker", async move {
        current_task().unwrap().cancel();
        notes.add("asked");
        let outcome = future.await;
        notes.add("raised");
        outcome
    });
    stage.turn(2);
    assert_eq!(stage.noted(), ["1: asked", "2: raised"]);
    assert!(task.cancelled());
}

#[test]
fn it_goes_down_the_chain_and_comes_back_a_turn_a_link() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let inner = stage.task("inner", async move { future.await });
    let middle = {
        let inner = inner.clone();
        stage.task("middle", async move { inner.await })
    };
    let outer = {
        let middle = middle.clone();
        stage.task("outer", async move { middle.await })
    };
    stage.turn(1);
    outer.cancel();
    stage.turn(3);
    assert!(inner.cancelled() && middle.cancelled() && outer.cancelled());
    let ran: Vec<_> = stage.trace()[1..]
        .iter()
        .map(|turn| turn.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(ran, ["wakeup:inner", "wakeup:middle", "wakeup:outer"]);
}

#[test]
fn an_awaiter_that_is_cancelled_takes_the_task_it_awaits_with_it() {
    let stage = Stage::new();
    let worker = stage.task("worker", async {
        never().await;
        Ok(())
    });
    let awaited = worker.clone();
    let boss = stage.task("boss", async move { awaited.await });
    stage.turn(1);
    boss.cancel();
    stage.turn(2);
    assert!(worker.cancelled() && boss.cancelled());
}

#[test]
fn a_task_parked_on_a_foreign_future_loses_its_coroutine_at_its_next_step() {
    let stage = Stage::new();
    let notes = stage.notes();
    let held = Rc::new(());
    let kept = Rc::clone(&held);
    let task = stage.task("worker", async move {
        never().await;
        notes.add("went on");
        drop(kept);
        Ok(())
    });
    stage.turn(1);
    assert!(task.cancel());
    assert_eq!(Rc::strong_count(&held), 2, "not before that step");
    stage.turn(1);
    assert!(task.cancelled());
    assert_eq!(Rc::strong_count(&held), 1);
    assert!(stage.noted().is_empty());
}

#[test]
fn one_that_meets_the_end_of_a_foreign_wait_is_raised_at_the_next_await() {
    let stage = Stage::new();
    let open = Rc::new(Cell::new(false));
    let door = Rc::clone(&open);
    let notes = stage.notes();
    let task = stage.task("worker", async move {
        std::future::poll_fn(|_| {
            if door.get() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        notes.add("through the door");
        yield_now().await
    });
    stage.turn(1);
    open.set(true);
    task.cancel();
    stage.turn(1);
    assert_eq!(stage.noted(), ["2: through the door"]);
    assert!(task.cancelled(), "the yield raised it");
}

#[test]
fn one_that_no_await_could_raise_wins_over_the_result() {
    let stage = Stage::new();
    let open = Rc::new(Cell::new(false));
    let door = Rc::clone(&open);
    let task = stage.task("worker", async move {
        std::future::poll_fn(|_| {
            if door.get() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        Ok(1)
    });
    stage.turn(1);
    open.set(true);
    assert!(task.cancel(), "it promised a cancellation");
    stage.turn(1);
    assert!(task.cancelled());
}

#[test]
fn asking_twice_raises_it_once_for_each_time_it_found_something_to_cancel() {
    let stage = Stage::new();
    let first: Future<()> = stage.event_loop.create_future();
    let notes = stage.notes();
    let task = stage.task("worker", async move {
        for n in 1..=3 {
            if yield_or(&first).await.is_err() {
                notes.add(format!("raised at {n}"));
            }
        }
        Ok(())
    });
    stage.turn(1);
    assert!(task.cancel() && task.cancel());
    stage.turn(4);
    assert_eq!(
        stage.noted(),
        ["2: raised at 1", "2: raised at 2", "2: raised at 3"]
    );
    assert!(task.done() && !task.cancelled());
}

/// Raises whatever the future was ended with, again and again.
async fn yield_or(future: &Future<()>) -> wakeup::Outcome<()> {
    future.await
}

#[test]
fn a_cancelled_child_raises_in_its_parent_which_may_go_on() {
    let stage = Stage::new();
    let main = async {
        let child: Task<()> = create_task(async {
            never().await;
            Ok(())
        })?;
        yield_now().await?;
        child.cancel();
        let raised = child.await.unwrap_err();
        Ok(raised.is_cancelled())
    };
    assert!(stage.run(main).unwrap());
}
