//! The order of the end: what is left is cancelled and waited for, the default executor is joined,
//! the loop is closed; and what goes wrong on the way is said.

#[path = "../../07-debug-mode/tests/common/mod.rs"]
mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use common::{ms, texts, virtual_loop};
use log::Level;
use runner::{Phase, Runner};
use six_steps::{EventLoop, Exception, running_loop};
use wakeup::{Outcome, Task, TaskError, Tasks, create_task, sleep, yield_now};

type Log = Rc<RefCell<Vec<String>>>;

/// A runner on a virtual clock, its loop, and a place to note things.
fn runner() -> (Runner, EventLoop, Log) {
    let (event_loop, _) = virtual_loop();
    (
        Runner::with_loop(event_loop.clone()),
        event_loop,
        Log::default(),
    )
}

fn note(log: &Log, text: impl Into<String>) {
    log.borrow_mut().push(text.into());
}

/// A task that sleeps for ever, and cleans up with a further await when it is cancelled.
fn tidy(log: &Log, name: &'static str) -> Outcome<Task<()>> {
    let log = Rc::clone(log);
    let task = create_task(async move {
        let slept = sleep(ms(1_000_000)).await;
        note(&log, format!("{name}: cancelled"));
        sleep(ms(10)).await?;
        note(&log, format!("{name}: clean"));
        slept
    })?;
    task.set_name(name);
    Ok(task)
}

#[test]
fn tasks_left_are_cancelled_in_the_order_of_their_making_and_waited_for() {
    let (mut runner, event_loop, log) = runner();
    let main = {
        let log = Rc::clone(&log);
        async move {
            for name in ["c", "a", "b"] {
                tidy(&log, name)?;
            }
            yield_now().await
        }
    };
    runner.run(main).unwrap();
    assert_eq!(*log.borrow(), [""; 0]);
    runner.close().unwrap();
    assert_eq!(
        *log.borrow(),
        [
            "c: cancelled",
            "a: cancelled",
            "b: cancelled",
            // Three timers of one deadline leave the heap as heapq's do: first, third, second.
            "c: clean",
            "b: clean",
            "a: clean"
        ]
    );
    // All three cleaned up at the same time, and nobody slept to the end.
    assert_eq!(event_loop.time(), ms(10));
    assert_eq!(texts(Level::Error), [""; 0]);
}

/// A task that is cancelled before its first step never runs.
#[test]
fn a_task_that_never_began_never_begins() {
    let (mut runner, _, log) = runner();
    let spawned = Rc::clone(&log);
    let main = async move {
        create_task(async move {
            // Made in the turn of main's last callback: its own first step is one turn too late.
            let log = Rc::clone(&spawned);
            create_task(async move {
                note(&log, "begun");
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), [""; 0]);
}

#[test]
fn a_task_that_ignores_its_cancellation_once_is_waited_for() {
    let (mut runner, event_loop, log) = runner();
    let stubborn = Rc::clone(&log);
    let main = async move {
        create_task(async move {
            let first = sleep(ms(1_000)).await;
            note(&stubborn, format!("{}", first.unwrap_err()));
            sleep(ms(70)).await?;
            note(&stubborn, "done when I am done");
            Ok(())
        })?;
        yield_now().await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["cancelled", "done when I am done"]);
    assert_eq!(event_loop.time(), ms(70));
}

#[derive(Debug, Clone, thiserror::Error)]
#[error("boo")]
struct Boo;

async fn fails() -> Outcome<()> {
    let _ = sleep(ms(1_000)).await;
    Err(Boo.into())
}

#[test]
fn an_exception_in_the_cancel_phase_is_reported_with_its_task() {
    let (mut runner, event_loop, _) = runner();
    let main = async {
        create_task(fails())?.set_name("bad");
        yield_now().await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert!(event_loop.is_closed());
    assert_eq!(
        texts(Level::Error),
        ["unhandled exception during asyncio.run() shutdown\n\
          task: <Task finished name='bad' coro=<shutdown::fails() done> exception=Boo>\n\
          boo"]
    );
}

/// The gathering of the cancel phase waits for those that were there when it began.
#[test]
fn a_task_spawned_in_the_cancel_phase_is_left_and_reported() {
    let (mut runner, _, log) = runner();
    let late = Rc::clone(&log);
    let main = async move {
        create_task(async move {
            let slept = sleep(ms(1_000)).await;
            tidy(&late, "late")?;
            slept
        })?;
        yield_now().await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), [""; 0]);
    let texts = texts(Level::Error);
    assert_eq!(texts.len(), 1, "{texts:#?}");
    let start = "Task was destroyed but it is pending!\ntask: <Task pending name='late' \
                 coro=<shutdown::tidy() running> wait_for=<Future pending cb=[wakeup:late]>>";
    assert_eq!(texts[0], start);
}

#[test]
fn a_stop_in_the_cancel_phase_ends_the_closing_and_the_loop_is_closed() {
    let (mut runner, event_loop, _) = runner();
    let main = async {
        create_task(async {
            let slept = sleep(ms(1_000)).await;
            running_loop()?.stop();
            yield_now().await?;
            slept
        })?;
        yield_now().await
    };
    runner.run(main).unwrap();
    let mut phases = Vec::new();
    let ended = runner.close_observed(|phase| phases.push(phase));
    assert_eq!(ended.unwrap_err().downcast_ref(), Some(&TaskError::Stopped));
    assert_eq!(phases, [Phase::Cancel]);
    assert!(event_loop.is_closed());
}

/// A task that answers its cancellation by waiting for what never comes: a real loop hangs there,
/// as CPython's does; on the virtual clock it is an error.
#[test]
fn a_phase_that_waits_for_nothing_is_a_deadlock() {
    let (mut runner, event_loop, _) = runner();
    let main = async {
        create_task(async {
            let _ = sleep(ms(1_000)).await;
            running_loop()?.create_future::<()>().await
        })?;
        yield_now().await
    };
    runner.run(main).unwrap();
    let ended = runner.close().unwrap_err();
    assert!(
        ended.to_string().contains("nothing will ever happen"),
        "{ended}"
    );
    assert!(event_loop.is_closed());
    let texts = texts(Level::Error);
    assert!(
        texts[0].starts_with("Task was destroyed but it is pending!"),
        "{texts:?}"
    );
}

#[test]
fn the_default_executor_is_joined() {
    let finished = Arc::new(AtomicBool::new(false));
    let mark = Arc::clone(&finished);
    let (go, wait) = mpsc::channel::<()>();
    runner::run(async move {
        // Not awaited: main ends while the job waits.
        let _job = blocking::run_in_executor(move || {
            let _ = wait.recv();
            mark.store(true, Ordering::SeqCst);
        })?;
        drop(go);
        Ok(())
    })
    .unwrap();
    assert!(finished.load(Ordering::SeqCst));
}

#[test]
fn an_exit_in_the_cancel_phase_leaves_and_the_loop_is_closed() {
    let (mut runner, event_loop, _) = runner();
    let main = async {
        create_task(async {
            let _ = sleep(ms(1_000)).await;
            Err::<(), _>(Exception::exit("leave"))
        })?;
        yield_now().await
    };
    runner.run(main).unwrap();
    assert!(runner.close().unwrap_err().is_exit());
    assert!(event_loop.is_closed());
}
