//! `run_until_complete`: its two turns, and every way it can end without a result.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use six_steps::{EventLoop, Exception, LoopError, VirtualSelector, running_loop};
use wakeup::{Future, Outcome, TaskError, Tasks, yield_now};

use crate::stage::Stage;

fn loop_error(exception: &Exception) -> &LoopError {
    exception.downcast_ref().expect("the loop refused")
}

#[test]
fn it_takes_two_turns_the_step_and_the_callback_that_stops_the_loop() {
    let stage = Stage::new();
    assert_eq!(stage.run(async { Ok(42) }).unwrap(), 42);
    assert_eq!(stage.trace(), ["step:main", "run_done:main"]);
}

#[test]
fn it_takes_coroutines_tasks_and_futures() {
    let stage = Stage::new();
    let task = stage.task("worker", async { Ok(1) });
    let future = stage.event_loop.create_future();
    future.set_result(2).unwrap();
    assert_eq!(stage.event_loop.run_until_complete(task).unwrap(), 1);
    assert_eq!(stage.event_loop.run_until_complete(future).unwrap(), 2);
    assert_eq!(
        stage
            .event_loop
            .run_until_complete(async { Ok(3) })
            .unwrap(),
        3
    );
}

#[test]
fn what_the_coroutine_raises_comes_out() {
    let stage = Stage::new();
    let outcome: Outcome<()> = stage.run(async { Err(io::Error::other("no tea").into()) });
    assert_eq!(outcome.unwrap_err().to_string(), "no tea");
    assert!(stage.reports().is_empty());
    let cancelled: Outcome<()> = stage.run(async { Err(Exception::Cancelled) });
    assert!(cancelled.unwrap_err().is_cancelled());
    assert_eq!(
        stage.run(async { Ok(1) }).unwrap(),
        1,
        "and the loop can go on"
    );
}

#[test]
fn stopped_before_the_future_is_done() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let stop = stage.event_loop.clone();
    stage.event_loop.call_soon(move || stop.stop()).unwrap();
    let stopped = stage
        .event_loop
        .run_until_complete(future.clone())
        .unwrap_err();
    assert_eq!(stopped.downcast_ref(), Some(&TaskError::Stopped));
    assert_eq!(
        stopped.to_string(),
        "Event loop stopped before Future completed."
    );
    // Its callback is gone: the future that ends later does not stop the next run.
    future.set_result(()).unwrap();
    let main = async {
        yield_now().await?;
        yield_now().await?;
        Ok("to the end")
    };
    assert_eq!(stage.run(main).unwrap(), "to the end");
}

#[test]
fn the_callback_of_a_run_that_was_stopped_in_its_last_step_stops_the_next() {
    let stage = Stage::new();
    let main = async {
        running_loop()?.stop();
        Ok(1)
    };
    assert_eq!(stage.run(main).unwrap(), 1);
    let next = stage
        .event_loop
        .run_until_complete(async { yield_now().await });
    assert_eq!(next.unwrap_err().downcast_ref(), Some(&TaskError::Stopped));
}

#[test]
fn a_closed_loop_runs_nothing() {
    let stage = Stage::new();
    stage.event_loop.close().unwrap();
    let held = Rc::new(());
    let kept = Rc::clone(&held);
    let main = async move {
        drop(kept);
        Ok(())
    };
    let refused = stage.event_loop.run_until_complete(main).unwrap_err();
    assert!(matches!(loop_error(&refused), LoopError::Closed));
    assert_eq!(Rc::strong_count(&held), 1);
    assert!(stage.trace().is_empty());
}

#[test]
fn a_run_within_a_run_is_refused_and_the_outer_one_goes_on() {
    let stage = Stage::new();
    let (same, other) = (stage.event_loop.clone(), EventLoop::new());
    let main = async move {
        let nested = same.run_until_complete(async { Ok(()) }).unwrap_err();
        assert!(matches!(loop_error(&nested), LoopError::AlreadyRunning));
        let nested = other.run_until_complete(async { Ok(()) }).unwrap_err();
        assert!(matches!(loop_error(&nested), LoopError::AnotherLoopRunning));
        Ok("goes on")
    };
    assert_eq!(stage.run(main).unwrap(), "goes on");
    assert_eq!(
        stage.trace(),
        ["step:main", "run_done:main"],
        "no task was made"
    );
}

#[test]
fn an_exit_in_the_coroutine_comes_out_as_it_is() {
    let stage = Stage::new();
    let notes = stage.notes();
    stage
        .event_loop
        .call_soon(move || notes.add("ready first"))
        .unwrap();
    let left: Outcome<()> = stage.run(async { Err(Exception::exit("closing time")) });
    assert!(left.unwrap_err().is_exit());
    assert_eq!(stage.noted(), ["1: ready first"]);
    // The exit's own callback is due in the next turn, and does not stop that run.
    let main = async {
        yield_now().await?;
        yield_now().await?;
        Ok(1)
    };
    assert_eq!(stage.run(main).unwrap(), 1);
    assert!(stage.reports().is_empty());
}

#[test]
fn an_exit_elsewhere_leaves_the_future_pending() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    stage
        .event_loop
        .call_soon(|| Err::<(), _>(Exception::exit("fire")))
        .unwrap();
    let left = stage
        .event_loop
        .run_until_complete(future.clone())
        .unwrap_err();
    assert!(left.is_exit() && !future.done());
}

#[test]
fn a_wait_that_cannot_end_is_an_error_on_the_virtual_clock() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    let stuck = stage.event_loop.run_until_complete(future).unwrap_err();
    assert!(
        matches!(loop_error(&stuck), LoopError::Selector(e) if e.kind() == io::ErrorKind::Deadlock)
    );
}

#[test]
fn two_tasks_that_await_each_other_are_found_out_by_the_virtual_clock_alone() {
    let stage = Stage::new();
    let other = Rc::new(Cell::new(None::<wakeup::Task<()>>));
    let awaited = Rc::clone(&other);
    let one = stage.task("one", async move { awaited.take().unwrap().await });
    let two = {
        let one = one.clone();
        stage.task("two", async move { one.await })
    };
    other.set(Some(two));
    let stuck = stage
        .event_loop
        .run_until_complete(one.clone())
        .unwrap_err();
    assert!(matches!(loop_error(&stuck), LoopError::Selector(_)));
    // Each shows what it waits for, which is the other.
    let shown = format!("{one:?}");
    assert!(
        shown.contains(" wait_for=<Task pending name='two' "),
        "{shown}"
    );
    assert!(
        shown.ends_with(" wait_for=... cb=[wakeup:one]> cb=[wakeup:two]>"),
        "{shown}"
    );
    // And a cancellation, which each passes on to the other, ends both.
    assert!(one.cancel());
    assert!(
        stage
            .event_loop
            .run_until_complete(one)
            .unwrap_err()
            .is_cancelled()
    );
    stage.turn(1);
    assert!(wakeup::all_tasks(&stage.event_loop).is_empty());
}

#[test]
fn a_future_of_another_loop_is_refused_at_once() {
    let stage = Stage::new();
    let elsewhere = EventLoop::with_selector(VirtualSelector::new());
    let future: Future<()> = elsewhere.create_future();
    let refused = stage.event_loop.run_until_complete(future).unwrap_err();
    assert_eq!(
        refused.downcast_ref(),
        Some(&TaskError::BelongsToDifferentLoop)
    );
    assert!(stage.trace().is_empty(), "a run would have had no end");
    let task = elsewhere.create_task(async { Ok(()) }).unwrap();
    let refused = stage.event_loop.run_until_complete(task).unwrap_err();
    assert_eq!(
        refused.downcast_ref(),
        Some(&TaskError::BelongsToDifferentLoop)
    );
}

#[test]
fn the_coroutine_of_a_stopped_run_lives_on_as_a_task() {
    let stage = Stage::new();
    let ended = Rc::new(Cell::new(false));
    let end = Rc::clone(&ended);
    let stop = stage.event_loop.clone();
    let main = async move {
        stop.stop();
        yield_now().await?;
        end.set(true);
        Ok(())
    };
    assert!(stage.run(main).is_err());
    stage.turn(1);
    assert!(ended.get());
}
