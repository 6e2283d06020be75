//! A task by itself: its first step, its names, how it ends.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use six_steps::{EventLoop, Exception, LoopError, VirtualSelector};
use wakeup::{
    Future, FutureState, TaskError, Tasks, all_tasks, create_task, current_task, yield_now,
};

use crate::stage::Stage;

#[test]
fn the_first_step_runs_in_the_next_turn() {
    let stage = Stage::new();
    let notes = stage.notes();
    let main = async move {
        let worker = {
            let notes = notes.clone();
            async move {
                notes.add("worker");
                Ok(())
            }
        };
        let task = create_task(worker)?;
        notes.add("created");
        yield_now().await?;
        notes.add(format!("done: {}", task.done()));
        Ok(())
    };
    stage.run(main).unwrap();
    // main's own next step was queued after the worker's first.
    assert_eq!(stage.noted(), ["1: created", "2: worker", "2: done: true"]);
}

#[test]
fn a_bare_yield_is_one_turn() {
    let stage = Stage::new();
    let main = async {
        for _ in 0..3 {
            yield_now().await?;
        }
        Ok(())
    };
    stage.run(main).unwrap();
    let step = "step:main";
    assert_eq!(stage.trace(), [step, step, step, step, "run_done:main"]);
}

#[test]
fn a_task_is_a_future_of_its_coroutines_result() {
    let stage = Stage::new();
    let task = stage.task("worker", async { Ok(42) });
    assert_eq!(
        (task.done(), task.any().state()),
        (false, FutureState::Pending)
    );
    assert_eq!(task.result().unwrap_err().to_string(), "Result is not set.");
    stage.turn(1);
    assert!(task.done() && !task.cancelled());
    assert_eq!(task.result().unwrap(), 42);
    assert!(task.exception().unwrap().is_none());
    assert_eq!(task.future().result().unwrap(), 42);
    assert!(task.future().is(&Future::from(task.clone())));
}

#[test]
fn an_error_ends_the_task_and_reaches_whoever_awaits_it() {
    let stage = Stage::new();
    let task = stage.task("worker", async {
        Err::<(), _>(io::Error::other("no tea").into())
    });
    let main = async move {
        let failed = (&task).await.unwrap_err();
        assert!(failed.downcast_ref::<io::Error>().is_some());
        assert_eq!(task.exception()?.unwrap().to_string(), "no tea");
        // Awaited again it fails again.
        assert_eq!(task.await.unwrap_err().to_string(), "no tea");
        Ok(())
    };
    stage.run(main).unwrap();
    assert!(stage.reports().is_empty());
}

#[test]
fn a_panic_ends_the_task_and_reaches_whoever_awaits_it() {
    let stage = Stage::new();
    let task = stage.task("worker", async {
        yield_now().await?;
        assert!(current_task().is_none(), "the kettle fell");
        Ok(())
    });
    let main = async move {
        let failed = task.await.unwrap_err();
        assert!(failed.downcast_ref::<containers::Panicked>().is_some());
        assert_eq!(failed.to_string(), "the kettle fell");
        Ok("goes on")
    };
    assert_eq!(stage.run(main).unwrap(), "goes on");
    assert!(stage.reports().is_empty());
    assert!(current_task().is_none(), "the step is over all the same");
}

#[test]
fn many_await_one_task_and_wake_in_their_order() {
    let stage = Stage::new();
    let worker = stage.task("worker", async { yield_now().await });
    for name in ["a", "b", "c"] {
        let (worker, notes) = (worker.clone(), stage.notes());
        stage.task(name, async move {
            worker.await?;
            notes.add(name);
            Ok(())
        });
    }
    stage.turn(3);
    assert_eq!(stage.noted(), ["3: a", "3: b", "3: c"]);
}

#[test]
fn tasks_are_numbered_until_they_are_named() {
    let stage = Stage::new();
    let first = stage.event_loop.create_task(async { Ok(()) }).unwrap();
    let second = stage.event_loop.create_task(async { Ok(()) }).unwrap();
    assert_eq!((&*first.name(), &*second.name()), ("Task-1", "Task-2"));
    second.set_name("worker");
    second.set_name("cook");
    assert_eq!(&*second.any().name(), "cook");
    assert_eq!(second.future().name().as_deref(), Some("cook"));
    stage.turn(1);
    assert!(stage.trace()[0].starts_with("step:Task-1 step:cook "));
}

async fn brew() -> wakeup::Outcome<()> {
    yield_now().await
}

#[test]
fn a_task_shows_its_name_its_coroutine_and_what_it_waits_for() {
    let stage = Stage::new();
    let pot = stage.task("pot", brew());
    let coro = "wakeup::task::brew";
    assert_eq!(
        format!("{pot:?}"),
        format!("<Task pending name='pot' coro=<{coro}() running>>")
    );
    let kettle: Future<()> = stage.event_loop.create_future();
    let waits = stage.task("waits", kettle.clone().into_future());
    stage.turn(2);
    assert_eq!(
        format!("{pot:?}"),
        format!("<Task finished name='pot' coro=<{coro}() done> result=()>")
    );
    let shown = format!("{:?}", waits.any());
    assert!(
        shown.starts_with("<Task pending name='waits' coro=<"),
        "{shown}"
    );
    assert!(
        shown.ends_with(" wait_for=<Future pending cb=[wakeup:waits]>>"),
        "{shown}"
    );
    waits.cancel();
    assert!(format!("{waits:?}").starts_with("<Task cancelling name='waits' "));
}

#[test]
fn the_current_task_is_the_one_whose_step_runs() {
    let stage = Stage::new();
    assert!(current_task().is_none());
    let notes = stage.notes();
    stage
        .event_loop
        .call_soon(|| assert!(current_task().is_none()))
        .unwrap();
    stage.task("worker", async move {
        for _ in 0..2 {
            notes.add(&*current_task().unwrap().name());
            yield_now().await?;
        }
        Ok(())
    });
    stage.turn(3);
    assert_eq!(stage.noted(), ["1: worker", "2: worker"]);
    assert!(stage.reports().is_empty());
}

#[test]
fn all_tasks_are_those_that_are_not_done_in_the_order_they_were_made() {
    let stage = Stage::new();
    let names = |stage: &Stage| {
        let all = all_tasks(&stage.event_loop);
        all.iter()
            .map(|task| task.name().to_string())
            .collect::<Vec<_>>()
    };
    let never: Future<()> = stage.event_loop.create_future();
    for name in ["a", "b", "c"] {
        let never = never.clone();
        let waits = name == "b";
        stage.task(
            name,
            async move { if waits { never.await } else { Ok(()) } },
        );
    }
    assert_eq!(names(&stage), ["a", "b", "c"]);
    stage.turn(1);
    assert_eq!(names(&stage), ["b"]);
    // The places of those that are done are used again; the order is still that of creation.
    stage.task("d", never.clone().into_future());
    stage.task("e", never.into_future());
    assert_eq!(names(&stage), ["b", "d", "e"]);
}

#[test]
fn a_task_that_nobody_holds_runs_to_its_end() {
    let stage = Stage::new();
    let ended = Rc::new(Cell::new(false));
    let end = Rc::clone(&ended);
    drop(stage.task("worker", async move {
        yield_now().await?;
        end.set(true);
        Ok(())
    }));
    stage.turn(2);
    assert!(ended.get());
    assert_eq!(Rc::strong_count(&ended), 1, "and then it is gone");
}

#[test]
fn a_task_that_awaits_itself_is_told_so_at_the_await() {
    let stage = Stage::new();
    let me = Rc::new(Cell::new(None::<wakeup::Task<()>>));
    let (own, notes) = (Rc::clone(&me), stage.notes());
    let task = stage.task("me", async move {
        let me = own.take().unwrap();
        let error = me.await.unwrap_err();
        notes.add("told");
        Err(error)
    });
    me.set(Some(task.clone()));
    stage.turn(2);
    assert_eq!(stage.noted(), ["2: told"]);
    let exception = task.exception().unwrap().unwrap();
    assert!(matches!(
        exception.downcast_ref(),
        Some(TaskError::AwaitsItself(_))
    ));
    let text = exception.to_string();
    let start = "Task cannot await on itself: <Task pending name='me' coro=<wakeup::task::";
    assert!(text.starts_with(start), "{text}");
    assert!(
        stage.trace()[1].starts_with("step:me "),
        "a step, not a wakeup"
    );
}

#[test]
fn a_future_of_another_loop_cannot_be_awaited() {
    let stage = Stage::new();
    let elsewhere = EventLoop::with_selector(VirtualSelector::new());
    let future: Future<()> = elsewhere.create_future();
    let main = async move {
        let error = future.await.unwrap_err();
        assert!(matches!(
            error.downcast_ref(),
            Some(TaskError::DifferentLoop { .. })
        ));
        let text = error.to_string();
        let end = " got Future <Future pending> attached to a different loop";
        assert!(
            text.starts_with("Task <Task pending name='main' ") && text.ends_with(end),
            "{text}"
        );
        Ok(())
    };
    stage.run(main).unwrap();
}

#[test]
fn a_done_future_of_another_loop_has_nothing_to_wait_for() {
    let stage = Stage::new();
    let elsewhere = EventLoop::with_selector(VirtualSelector::new());
    let future = elsewhere.create_future();
    future.set_result(1).unwrap();
    assert_eq!(stage.run(future.into_future()).unwrap(), 1);
}

#[test]
fn no_task_without_a_loop() {
    let refused = create_task(async { Ok(()) }).unwrap_err();
    assert!(matches!(refused, LoopError::NoRunningLoop));
    let stage = Stage::new();
    stage.event_loop.close().unwrap();
    let held = Rc::new(());
    let kept = Rc::clone(&held);
    let refused = stage.event_loop.create_task(async move {
        drop(kept);
        Ok(())
    });
    assert!(matches!(refused, Err(LoopError::Closed)));
    assert_eq!(Rc::strong_count(&held), 1, "the coroutine is dropped");
}

#[test]
fn an_exit_ends_the_task_and_leaves_the_loop() {
    let stage = Stage::new();
    let notes = stage.notes();
    let leaving = stage.task("leaving", async {
        Err::<(), _>(Exception::exit("closing time"))
    });
    stage
        .event_loop
        .call_soon(move || notes.add("behind"))
        .unwrap();
    let left = stage.event_loop.run_forever().unwrap_err();
    assert!(matches!(left, LoopError::Exit(_)), "{left}");
    assert!(leaving.done() && stage.noted().is_empty());
    assert!(leaving.exception().unwrap().unwrap().is_exit());
    stage.turn(1);
    assert_eq!(
        stage.noted(),
        ["2: behind"],
        "the handles behind it stay ready"
    );
}
