//! A runner from its making to its end, and what it refuses.

#[path = "../../07-debug-mode/tests/common/mod.rs"]
mod common;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use common::{capture, logged, texts, virtual_loop};
use debug_mode::DebugMode;
use log::Level;
use runner::{Interrupted, Runner, RunnerError};
use six_steps::{EventLoop, Exception, VirtualSelector, running_loop};
use wakeup::{Outcome, TaskError, Tasks, create_task, sleep};

fn virtual_runner() -> Runner {
    capture();
    Runner::new().with_loop_factory(|| EventLoop::with_selector(VirtualSelector::new()))
}

fn runner_error<T>(outcome: Outcome<T>) -> RunnerError {
    let exception = outcome.err().expect("it was refused");
    *exception.downcast_ref().expect("a RunnerError")
}

#[test]
fn run_gives_the_coroutines_result() {
    assert_eq!(runner::run(async { Ok("tea") }).unwrap(), "tea");
}

#[test]
fn run_gives_the_coroutines_exception() {
    let failed = runner::run(async { Err::<(), _>(Exception::error("no tea")) });
    assert_eq!(failed.unwrap_err().to_string(), "no tea");
}

#[test]
fn a_panic_in_main_comes_out_as_an_exception() {
    let failed = runner::run(async {
        assert!(running_loop().is_err(), "the kettle fell");
        Ok(())
    });
    assert_eq!(failed.unwrap_err().to_string(), "the kettle fell");
}

#[test]
fn a_main_that_cancels_itself_is_cancelled() {
    let mut runner = virtual_runner();
    let cancelled = runner.run(async { Err::<(), _>(Exception::Cancelled) });
    assert!(cancelled.unwrap_err().is_cancelled());
}

#[test]
fn an_exit_ends_the_run_and_the_runner_goes_on() {
    let mut runner = virtual_runner();
    let left = runner.run(async { Err::<(), _>(Exception::exit("leave")) });
    assert!(left.unwrap_err().is_exit());
    assert_eq!(runner.run(async { Ok(1) }).unwrap(), 1);
    runner.close().unwrap();
}

#[test]
fn one_loop_runs_many_coroutines_and_keeps_its_state_between_them() {
    let mut runner = virtual_runner();
    let first = runner.get_loop().unwrap();
    let task = runner
        .run(
            async {
                create_task(async {
                    sleep(common::ms(5)).await?;
                    Ok("still here")
                })
            }
            .into_outcome(),
        )
        .unwrap();
    assert!(!task.done());
    assert_eq!(runner.run(async move { task.await }).unwrap(), "still here");
    assert!(runner.get_loop().unwrap().is(&first));
    runner.close().unwrap();
    assert!(first.is_closed());
}

/// `create_task` gives a [`six_steps::LoopError`] where a coroutine ends with an exception.
trait IntoOutcome<T> {
    fn into_outcome(self) -> impl Future<Output = Outcome<T>>;
}

impl<T, E: Into<Exception>, F: Future<Output = Result<T, E>>> IntoOutcome<T> for F {
    async fn into_outcome(self) -> Outcome<T> {
        self.await.map_err(Into::into)
    }
}

#[test]
fn the_factory_is_asked_once_and_not_before_the_first_run() {
    capture();
    let made = Rc::new(Cell::new(0));
    let count = Rc::clone(&made);
    let mut runner = Runner::new().with_loop_factory(move || {
        count.set(count.get() + 1);
        EventLoop::with_selector(VirtualSelector::new())
    });
    assert_eq!(made.get(), 0);
    for _ in 0..3 {
        runner.run(async { Ok(()) }).unwrap();
    }
    runner.close().unwrap();
    assert_eq!(made.get(), 1);
}

#[test]
fn a_given_loop_is_used_and_closed() {
    let (event_loop, _) = virtual_loop();
    let mut runner = Runner::with_loop(event_loop.clone()).with_loop_factory(EventLoop::new);
    let other = event_loop.clone();
    let same = runner.run(async move { Ok(running_loop()?.is(&other)) });
    assert!(same.unwrap());
    runner.close().unwrap();
    assert!(event_loop.is_closed());
}

#[test]
fn debug_is_given_to_the_loop_whichever_way_it_came() {
    capture();
    let debug = |mut runner: Runner| runner.get_loop().unwrap().debug();
    assert!(debug(Runner::new().with_debug(true)));
    assert!(!debug(Runner::new().with_debug(false)));
    let in_debug_mode = || {
        let event_loop = EventLoop::new();
        event_loop.set_debug(true);
        event_loop
    };
    // As asyncio: only an explicit argument changes the mode of the factory's loop.
    assert!(debug(Runner::new().with_loop_factory(in_debug_mode)));
    let told_otherwise = Runner::new()
        .with_loop_factory(in_debug_mode)
        .with_debug(false);
    assert!(!debug(told_otherwise));
    assert!(debug(Runner::with_loop(EventLoop::new()).with_debug(true)));
    assert!(!debug(Runner::with_loop(in_debug_mode()).with_debug(false)));
}

#[test]
fn run_within_a_running_loop_is_refused() {
    let mut runner = virtual_runner();
    let refused = runner.run(async { Ok(runner_error(runner::run(async { Ok(()) }))) });
    let refused = refused.unwrap();
    assert_eq!(
        refused.to_string(),
        "run() cannot be called from a running event loop"
    );
}

#[test]
fn a_nested_runner_is_refused_and_can_be_used_afterwards() {
    let mut outer = virtual_runner();
    let mut inner = outer
        .run(async {
            let mut inner = virtual_runner();
            let refused = runner_error(inner.run(async { Ok(()) }));
            assert_eq!(
                refused.to_string(),
                "Runner.run() cannot be called from a running event loop"
            );
            inner.get_loop()?;
            assert_eq!(
                runner_error(inner.close()).to_string(),
                "Runner.close() cannot be called from a running event loop"
            );
            Ok(Rc::new(RefCell::new(Some(inner))))
        })
        .unwrap()
        .take()
        .unwrap();
    assert_eq!(inner.run(async { Ok(7) }).unwrap(), 7);
    inner.close().unwrap();
}

#[test]
fn a_run_after_close_is_refused() {
    let mut runner = virtual_runner();
    runner.run(async { Ok(()) }).unwrap();
    runner.close().unwrap();
    let refused = runner_error(runner.run(async { Ok(()) }));
    assert_eq!(refused, RunnerError::Closed);
    assert_eq!(refused.to_string(), "Runner is closed");
    assert_eq!(runner.get_loop().err(), Some(RunnerError::Closed));
}

#[test]
fn a_second_close_does_nothing() {
    let mut runner = virtual_runner();
    runner.run(async { Ok(()) }).unwrap();
    runner.close().unwrap();
    let mut phases = 0;
    runner.close_observed(|_| phases += 1).unwrap();
    assert_eq!(phases, 0);
}

/// As CPython: there is nothing to close, and nothing is.
#[test]
fn a_close_before_the_first_run_does_nothing() {
    let mut runner = virtual_runner();
    runner.close().unwrap();
    assert_eq!(runner.run(async { Ok(3) }).unwrap(), 3);
}

#[test]
fn a_dropped_runner_is_closed() {
    let (event_loop, _) = virtual_loop();
    let ended = Rc::new(RefCell::new("pending"));
    let end = Rc::clone(&ended);
    let mut runner = Runner::with_loop(event_loop.clone());
    runner
        .run(async move {
            create_task(async move {
                let slept = sleep(common::ms(1_000)).await;
                end.replace(if matches!(slept, Err(Exception::Cancelled)) {
                    "cancelled"
                } else {
                    "slept"
                });
                slept
            })?;
            Ok(())
        })
        .unwrap();
    drop(runner);
    assert!(event_loop.is_closed());
    assert_eq!(*ended.borrow(), "cancelled");
}

/// Within a turn no phase can run: the loop is closed without them, and says what it left.
#[test]
fn a_runner_dropped_within_a_turn_closes_its_loop() {
    let (event_loop, _) = virtual_loop();
    let mut inner = Runner::with_loop(event_loop.clone());
    inner
        .run(async {
            create_task(sleep(common::ms(1_000)))?.set_name("left");
            Ok(())
        })
        .unwrap();
    let mut outer = virtual_runner();
    outer
        .run(async move {
            drop(inner);
            Ok(())
        })
        .unwrap();
    assert!(event_loop.is_closed());
    let texts = texts(Level::Error);
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(
        texts[0]
            .starts_with("Task was destroyed but it is pending!\ntask: <Task pending name='left'")
    );
}

/// A dropped runner reports what its closing failed with; there is nobody to return it to.
#[test]
fn a_dropped_runner_reports_what_goes_wrong() {
    let mut runner = virtual_runner();
    runner
        .run(async {
            create_task(async {
                let _ = sleep(common::ms(1_000)).await;
                Err::<(), _>(Exception::exit("leave"))
            })?;
            Ok(())
        })
        .unwrap();
    drop(runner);
    let texts = texts(Level::Error);
    let expected = "unhandled exception in the closing of a dropped Runner\nleave";
    assert!(texts.iter().any(|text| text == expected), "{texts:#?}");
}

/// Two exceptions, and one place to return them: the later one is returned, as Python raises it,
/// and the earlier one is not lost.
#[test]
fn run_loses_no_exception() {
    capture();
    let failed = runner::run(async {
        create_task(async {
            let _ = sleep(common::ms(1_000)).await;
            Err::<(), _>(Exception::exit("leave"))
        })?;
        wakeup::yield_now().await?;
        Err::<(), _>(Exception::error("no tea"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "leave");
    let reported = logged().into_iter().any(|(_, _, text)| {
        text == "unhandled exception before the closing of the loop failed\nno tea"
    });
    assert!(reported);
}

#[test]
fn a_run_that_is_stopped_says_so() {
    let mut runner = virtual_runner();
    let stopped = runner.run(async {
        running_loop()?.stop();
        sleep(common::ms(1)).await
    });
    let stopped = stopped.unwrap_err();
    assert_eq!(stopped.downcast_ref(), Some(&TaskError::Stopped));
}

/// On the virtual clock a program that waits for nothing is an error, where a real one hangs.
#[test]
fn a_main_that_nothing_can_wake_is_a_deadlock() {
    let mut runner = virtual_runner();
    let never = runner.run(async {
        let event_loop = running_loop()?;
        event_loop.create_future::<()>().await
    });
    assert!(
        never
            .unwrap_err()
            .to_string()
            .contains("nothing will ever happen")
    );
    // Its task is left, and the end takes care of it.
    runner.close().unwrap();
    assert_eq!(texts(Level::Error), [""; 0]);
}

#[test]
fn a_task_of_another_loop_is_refused() {
    let (other, _) = virtual_loop();
    let task = other.create_task(async { Ok(()) }).unwrap();
    let mut runner = virtual_runner();
    let refused = runner.run_task(task).unwrap_err();
    assert_eq!(
        refused.downcast_ref(),
        Some(&TaskError::BelongsToDifferentLoop)
    );
}

#[test]
fn an_interrupt_has_a_name_and_a_code() {
    assert_eq!(Interrupted.to_string(), "interrupted");
    assert_eq!(Interrupted::EXIT_CODE, 130);
}
