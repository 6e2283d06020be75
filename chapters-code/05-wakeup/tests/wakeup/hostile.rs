//! Handles dropped, destructors that call the loop, destructors that panic: the loop and the
//! other tasks go on.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::Poll;

use six_steps::{EventLoop, ExceptionContext};
use wakeup::{Future, Outcome, Task, Tasks, all_tasks, create_task, current_task, yield_now};

use crate::stage::Stage;

/// Runs a closure as it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

async fn for_ever<T>(_held: T) -> Outcome<()> {
    std::future::poll_fn(|_| Poll::<()>::Pending).await;
    Ok(())
}

/// Calls everything there is to call.
fn calls_the_loop(stage: &Stage) -> OnDrop<impl FnMut() + use<>> {
    let (event_loop, notes) = (stage.event_loop.clone(), stage.notes());
    OnDrop(move || {
        let made = event_loop.create_task(async { Ok(()) }).is_ok();
        let future: Future<()> = event_loop.create_future();
        future.cancel();
        let _ = event_loop.call_soon(|| ());
        let known = all_tasks(&event_loop).len();
        let current = current_task().is_some();
        notes.add(format!(
            "dropped: made {made}, known {}, current {current}",
            known > 0
        ));
    })
}

#[test]
fn a_dropped_task_handle_changes_nothing() {
    let stage = Stage::new();
    let notes = stage.notes();
    let main = async move {
        let inner = notes.clone();
        let task = create_task(async move {
            yield_now().await?;
            inner.add("ran to the end");
            Ok(())
        })?;
        drop(task);
        for _ in 0..3 {
            yield_now().await?;
        }
        Ok(())
    };
    stage.run(main).unwrap();
    assert_eq!(stage.noted(), ["3: ran to the end"]);
}

#[test]
fn a_coroutine_that_calls_the_loop_as_it_is_dropped_by_a_cancellation() {
    let stage = Stage::new();
    let held = calls_the_loop(&stage);
    let task = stage.task("held", for_ever(held));
    stage.turn(1);
    task.cancel();
    stage.turn(2);
    assert!(task.cancelled());
    assert_eq!(
        stage.noted(),
        ["2: dropped: made true, known true, current false"]
    );
    assert!(stage.reports().is_empty());
}

#[test]
fn a_coroutine_that_calls_the_loop_as_it_is_dropped_by_the_close() {
    let stage = Stage::new();
    let held = calls_the_loop(&stage);
    stage.task("held", for_ever(held));
    stage.turn(1);
    stage.event_loop.close().unwrap();
    assert_eq!(
        stage.noted(),
        ["1: dropped: made false, known false, current false"]
    );
    assert_eq!(
        stage.reports().len(),
        1,
        "destroyed while pending, and no more"
    );
}

#[test]
fn a_destructor_that_panics_ends_the_task_and_reaches_the_awaiter() {
    for first_step in [false, true] {
        let stage = Stage::new();
        let held = OnDrop(|| panic!("the tray fell"));
        let task = stage.task("held", for_ever(held));
        if first_step {
            stage.turn(1);
        }
        task.cancel();
        let awaited = task.clone();
        let main = async move { Ok(awaited.await.unwrap_err().to_string()) };
        assert_eq!(stage.run(main).unwrap(), "the tray fell");
        assert!(task.done() && all_tasks(&stage.event_loop).is_empty());
    }
}

#[test]
fn destructors_that_panic_at_the_close_are_reported_and_all_tasks_are_dropped() {
    let stage = Stage::new();
    let dropped = Rc::new(Cell::new(0));
    for name in ["a", "b"] {
        let count = Rc::clone(&dropped);
        let held = OnDrop(move || {
            count.set(count.get() + 1);
            panic!("the tray fell");
        });
        stage.task(name, for_ever(held)).keep_quiet_if_destroyed();
    }
    stage.turn(1);
    let closed = catch_unwind(AssertUnwindSafe(|| stage.event_loop.close()));
    assert!(closed.is_ok_and(|closed| closed.is_ok()));
    assert_eq!(dropped.get(), 2);
    let reports = stage.reports();
    assert_eq!(reports.len(), 2);
    assert!(
        reports
            .iter()
            .all(|report| report.ends_with("\nthe tray fell")),
        "{reports:?}"
    );
}

#[test]
fn a_task_that_cancels_itself_as_it_is_dropped() {
    let stage = Stage::new();
    let own = Rc::new(Cell::new(None::<Task<()>>));
    let taken = Rc::clone(&own);
    let held = OnDrop(move || {
        if let Some(task) = taken.take() {
            task.cancel();
        }
    });
    let task = stage.task("held", for_ever(held));
    own.set(Some(task.clone()));
    stage.turn(1);
    task.cancel();
    stage.turn(2);
    assert!(task.cancelled());
    assert_eq!(stage.event_loop.ready_len(), 0);
}

#[test]
fn a_result_goes_with_the_last_handle_of_its_task() {
    let stage = Stage::new();
    let notes = stage.notes();
    let task = stage.task("gives", async move {
        let notes = notes.clone();
        Ok(Rc::new(OnDrop(move || {
            notes.add(format!("result gone, step {}", current_task().is_some()));
        })))
    });
    stage.turn(1);
    assert!(stage.noted().is_empty());
    drop(task);
    assert_eq!(stage.noted(), ["1: result gone, step false"]);
}

#[test]
fn a_future_dropped_while_it_is_parked_on_may_be_reported_within_the_step() {
    let stage = Stage::new();
    let seen = Rc::new(Cell::new(false));
    let saw = Rc::clone(&seen);
    // The handler asks for the current task while the step is going on.
    stage.event_loop.set_exception_handler(Some(
        move |_: &EventLoop, context: &ExceptionContext| {
            assert_eq!(context.message, "Future exception was never retrieved");
            saw.set(current_task().is_some());
        },
    ));
    let main = async {
        let event_loop = six_steps::running_loop()?;
        let future: Future<()> = event_loop.create_future();
        let mut awaiting = Box::pin(future.clone().into_future());
        assert!(futures::poll!(&mut awaiting).is_pending());
        future.set_exception(std::io::Error::other("no tea"))?;
        drop((awaiting, future));
        // The task has noted that it waits for it; now it waits for something else.
        yield_now().await
    };
    stage.run(main).unwrap();
    assert!(seen.get());
}

#[test]
fn a_loop_closed_with_everything_pending_leaves_nothing_alive() {
    let stage = Stage::new();
    let alive = Rc::new(());
    let future: Future<()> = stage.event_loop.create_future();
    for _ in 0..3 {
        let (held, awaited) = (Rc::clone(&alive), future.clone());
        let task = stage.task("ours", async move {
            let outcome = awaited.await;
            drop(held);
            outcome
        });
        let held = Rc::clone(&alive);
        stage.task("awaits", async move {
            let outcome = task.await;
            drop(held);
            outcome
        });
        stage.task("foreign", for_ever(Rc::clone(&alive)));
        stage.task("never stepped", for_ever(Rc::clone(&alive)));
    }
    stage.turn(1);
    stage.event_loop.close().unwrap();
    assert_eq!(Rc::strong_count(&alive), 1);
}

#[test]
fn tasks_spawned_and_dropped_by_the_thousand_use_few_places() {
    let stage = Stage::new();
    let main = async {
        for _ in 0..1_000 {
            let held = Rc::new(());
            let kept = Rc::clone(&held);
            create_task(async move {
                drop(kept);
                Ok(())
            })?
            .await?;
            assert_eq!(Rc::strong_count(&held), 1);
        }
        Ok(())
    };
    stage.run(main).unwrap();
    assert!(all_tasks(&stage.event_loop).is_empty());
}
