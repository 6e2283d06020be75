//! Many futures as one: the order of results, the first failure, cancellation, and its turns.

use std::io;

use six_steps::{EventLoop, LoopError};
use wakeup::{
    Future, Outcome, Tasks, create_task, gather, gather_any, gather_return_exceptions, sleep,
    yield_now,
};

use crate::stage::{MS, Stage};

async fn after(turns: u64, outcome: Outcome<u64>) -> Outcome<u64> {
    for _ in 0..turns {
        yield_now().await?;
    }
    outcome
}

fn failing(text: &str) -> Outcome<u64> {
    Err(io::Error::other(text).into())
}

#[test]
fn results_stand_in_the_order_of_the_items_whoever_ends_first() {
    let stage = Stage::new();
    let main = async { gather((0..5).map(|n| after(5 - n, Ok(n))))?.await };
    assert_eq!(stage.run(main).unwrap(), [0, 1, 2, 3, 4]);
}

#[test]
fn its_turns_are_steps_then_callbacks_then_the_wakeup() {
    let stage = Stage::new();
    let main = async {
        let tasks: Vec<_> = ["a", "b"]
            .iter()
            .map(|name| {
                let task = create_task(after(0, Ok(1)))?;
                task.set_name(name);
                Ok(task)
            })
            .collect::<Outcome<_>>()?;
        gather(tasks)?.await
    };
    stage.run(main).unwrap();
    let expected = [
        "step:main",
        "step:a step:b",
        "gather_cb:a gather_cb:b",
        "wakeup:main",
        "run_done:main",
    ];
    assert_eq!(stage.trace(), expected);
}

#[test]
fn of_nothing_it_is_done_at_once() {
    let stage = Stage::new();
    let main = async {
        let none = gather(Vec::<Future<u32>>::new())?;
        assert!(none.done());
        assert!(none.await?.is_empty());
        let none = gather_return_exceptions(Vec::<Future<u32>>::new())?;
        none.await.map(|results| results.len())
    };
    assert_eq!(stage.run(main).unwrap(), 0);
    assert_eq!(stage.trace().len(), 2);
}

#[test]
fn the_first_exception_ends_it_and_the_others_go_on() {
    let stage = Stage::new();
    let notes = stage.notes();
    let main = async move {
        let slow = create_task(after(9, Ok(1)))?;
        let children = [
            slow.clone(),
            create_task(after(2, failing("first")))?,
            create_task(after(3, failing("second")))?,
        ];
        let error = gather(children)?.await.unwrap_err();
        notes.add(error.to_string());
        assert!(!slow.done());
        let result = slow.await?;
        notes.add(format!("{result}"));
        Ok(())
    };
    stage.run(main).unwrap();
    // Steps in turns 2 to 4, the callback in 5, the wakeup in 6.
    assert_eq!(stage.noted(), ["6: first", "12: 1"]);
    assert!(
        stage.reports().is_empty(),
        "the second is retrieved by the gathering: {:?}",
        stage.reports()
    );
}

#[test]
fn exceptions_can_be_returned_beside_results() {
    let stage = Stage::new();
    let main = async {
        let cancelled = create_task(after(9, Ok(3)))?;
        let canceller = cancelled.clone();
        create_task(async move {
            canceller.cancel();
            Ok(())
        })?;
        let children = [
            create_task(after(0, Ok(1)))?,
            create_task(after(1, failing("no tea")))?,
            cancelled,
        ];
        gather_return_exceptions(children)?.await
    };
    let results = stage.run(main).unwrap();
    assert_eq!(*results[0].as_ref().unwrap(), 1);
    assert_eq!(results[1].as_ref().unwrap_err().to_string(), "no tea");
    assert!(results[2].as_ref().unwrap_err().is_cancelled());
    assert!(stage.reports().is_empty());
}

#[test]
fn an_item_that_stands_twice_is_awaited_once_and_found_twice() {
    let stage = Stage::new();
    let main = async {
        let task = create_task(after(1, Ok(7)))?;
        task.set_name("twice");
        gather([task.clone(), task])?.await
    };
    assert_eq!(stage.run(main).unwrap(), [7, 7]);
    assert_eq!(stage.trace()[3], "gather_cb:twice");
}

#[test]
fn children_that_are_done_already_are_counted_at_once() {
    let stage = Stage::new();
    let done = stage.event_loop.create_future();
    done.set_result(1).unwrap();
    let main = async move {
        let all = gather([done.clone(), done.clone()])?;
        assert!(all.done());
        let pending = create_task(after(0, Ok(2)))?.into();
        let mixed = gather([done, pending])?;
        assert!(!mixed.done());
        mixed.await
    };
    assert_eq!(stage.run(main).unwrap(), [1, 2]);
    assert_eq!(stage.trace().len(), 5);
}

#[test]
fn a_child_that_has_failed_already_ends_it_at_once() {
    let stage = Stage::new();
    let failed: Future<u64> = stage.event_loop.create_future();
    failed.set_exception(io::Error::other("no tea")).unwrap();
    let main = async move {
        let pending = create_task(after(3, Ok(2)))?.into();
        gather([pending, failed])?.await
    };
    assert_eq!(stage.run(main).unwrap_err().to_string(), "no tea");
    assert_eq!(stage.trace().len(), 2);
}

#[test]
fn a_cancelled_child_is_a_failure() {
    let stage = Stage::new();
    let main = async {
        let child = create_task(after(9, Ok(1)))?;
        let gathering = gather([child.clone()])?;
        yield_now().await?;
        child.cancel();
        let raised = (&gathering).await.unwrap_err();
        // Finished with a cancellation, not cancelled: nobody asked the gathering to cancel.
        Ok((raised.is_cancelled(), gathering.cancelled()))
    };
    assert_eq!(stage.run(main).unwrap(), (true, false));
}

#[test]
fn cancelling_it_cancels_the_children_and_wakes_the_awaiter_at_the_first_that_ends() {
    let stage = Stage::new();
    let notes = stage.notes();
    let main = async move {
        let quick = create_task(after(99, Ok(1)))?;
        let stubborn = create_task(async {
            let _swallowed = sleep(1_000 * MS).await;
            after(5, Ok(2)).await
        })?;
        let gathering = gather([quick.clone(), stubborn.clone()])?;
        yield_now().await?;
        assert!(gathering.cancel());
        assert!(!gathering.done(), "it ends when its children do");
        let raised = (&gathering).await.unwrap_err();
        notes.add(format!("cancelled {}", raised.is_cancelled()));
        assert!(quick.cancelled() && !stubborn.done());
        assert!(gathering.done() && !gathering.cancelled());
        assert!(!gathering.cancel());
        stubborn.await
    };
    assert_eq!(stage.run(main).unwrap(), 2);
    // Asked in turn 2, thrown in turn 3, the callback in 4, the wakeup in 5.
    assert_eq!(stage.noted(), ["5: cancelled true"]);
}

#[test]
fn cancelled_with_exceptions_returned_it_waits_for_all_and_is_cancelled_all_the_same() {
    let stage = Stage::new();
    let main = async {
        let children = [
            create_task(after(99, Ok(1)))?,
            create_task(after(2, Ok(2)))?,
        ];
        let gathering = gather_return_exceptions(children.clone())?;
        yield_now().await?;
        gathering.cancel();
        let raised = gathering.await.unwrap_err();
        assert!(children.iter().all(wakeup::Task::done));
        Ok(raised.is_cancelled())
    };
    assert!(stage.run(main).unwrap());
}

#[test]
fn cancelling_the_awaiter_cancels_the_children() {
    let stage = Stage::new();
    let child = stage.task("child", async { sleep(1_000 * MS).await });
    let awaited = child.clone();
    let boss = stage.task("boss", async move { gather([awaited])?.await });
    stage.turn(1);
    boss.cancel();
    stage.turn(3);
    assert!(child.cancelled() && boss.cancelled());
}

#[test]
fn futures_of_any_type_can_be_waited_for_together() {
    let stage = Stage::new();
    let number: Future<u32> = stage.event_loop.create_future();
    let text: Future<&str> = stage.event_loop.create_future();
    let all = gather_any(&stage.event_loop, vec![number.any(), text.any()]);
    text.set_exception(io::Error::other("no tea")).unwrap();
    number.set_result(1).unwrap();
    stage.event_loop.run_until_complete(all).unwrap();
    drop((number, text));
    assert!(stage.reports().is_empty(), "it has retrieved the exception");
}

#[test]
fn outside_of_a_turn_there_is_no_loop_to_gather_on() {
    let event_loop = EventLoop::new();
    let future: Future<u32> = event_loop.create_future();
    let refused = gather([future]).unwrap_err();
    assert!(matches!(
        refused.downcast_ref(),
        Some(LoopError::NoRunningLoop)
    ));
}

#[test]
fn a_child_of_another_loop_is_refused() {
    let stage = Stage::new();
    let elsewhere: Future<u32> = EventLoop::new().create_future();
    let main = async move { Ok(gather([elsewhere]).unwrap_err().to_string()) };
    let text = "The future belongs to a different loop than the one specified as the loop argument";
    assert_eq!(stage.run(main).unwrap(), text);
}
