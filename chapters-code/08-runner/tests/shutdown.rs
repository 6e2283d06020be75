//! The order of the end: what is left is cancelled and waited for, generators are closed, the
//! default executor is joined, the loop is closed; and what goes wrong on the way is said.

#[path = "../../07-debug-mode/tests/common/mod.rs"]
mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use common::{ms, texts, virtual_loop};
use log::Level;
use runner::{AsyncGenerator, Phase, Runner, RunnerError};
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

/// A generator that notes that it is closed, in a number of turns.
fn open(log: &Log, name: &'static str, turns: u32, ends: Outcome<()>) -> Outcome<AsyncGenerator> {
    let log = Rc::clone(log);
    let last = async move {
        for _ in 0..turns {
            yield_now().await?;
        }
        note(&log, name);
        ends
    };
    Ok(AsyncGenerator::open(name, last)?)
}

#[test]
fn generators_are_closed_in_the_order_of_their_opening() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        for name in ["second", "first", "third"] {
            open(&opened, name, 0, Ok(()))?;
        }
        Ok(())
    };
    runner.run(main).unwrap();
    assert_eq!(*log.borrow(), [""; 0]);
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["second", "first", "third"]);
}

/// They are closed at the same time: one that takes a turn ends behind one that takes none.
#[test]
fn generators_are_closed_together() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        open(&opened, "slow", 3, Ok(()))?;
        open(&opened, "quick", 0, Ok(()))?;
        Ok(())
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["quick", "slow"]);
}

#[test]
fn an_error_in_a_generator_is_reported_and_the_others_are_closed() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        open(&opened, "bad", 0, Err(Boo.into()))?;
        open(&opened, "good", 0, Ok(()))?;
        Ok(())
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["bad", "good"]);
    assert_eq!(
        texts(Level::Error),
        [
            "an error occurred during closing of asynchronous generator <async_generator object bad>\n\
          asyncgen: <async_generator object bad>\n\
          boo"
        ]
    );
}

#[test]
fn a_generator_that_is_closed_already_is_left_alone() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        let generator = open(&opened, "closed by hand", 0, Ok(()))?;
        generator.aclose().await?;
        generator.aclose().await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["closed by hand"]);
}

#[test]
fn a_generator_cannot_be_closed_by_two_at_once() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        let generator = open(&opened, "g", 2, Ok(()))?;
        let again = generator.clone();
        let closing = create_task(async move { again.aclose().await })?;
        yield_now().await?;
        let refused = generator.aclose().await.unwrap_err();
        assert_eq!(refused.downcast_ref(), Some(&RunnerError::GeneratorRunning));
        closing.await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), ["g"]);
}

/// A closing that is dropped half way leaves the generator closed, not for ever running.
#[test]
fn a_closing_that_is_dropped_has_ended() {
    let (mut runner, _, log) = runner();
    let opened = Rc::clone(&log);
    let main = async move {
        let generator = open(&opened, "g", 2, Ok(()))?;
        let mut closing = Box::pin(generator.aclose());
        std::future::poll_fn(|context| {
            assert!(closing.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
        drop(closing);
        generator.aclose().await
    };
    runner.run(main).unwrap();
    runner.close().unwrap();
    assert_eq!(*log.borrow(), [""; 0]);
}

/// A loop that lives long keeps no generator that is done and gone.
#[test]
fn closed_generators_are_forgotten() {
    struct Canary(Rc<()>);
    let (mut runner, _, log) = runner();
    let alive = Rc::new(());
    let held = Rc::clone(&alive);
    let main = async move {
        for _ in 0..1_000 {
            let canary = Canary(Rc::clone(&held));
            let generator = AsyncGenerator::open("g", async move {
                drop(canary.0);
                Ok(())
            })?;
            generator.aclose().await?;
        }
        open(&log, "last", 0, Ok(()))?;
        Ok(())
    };
    runner.run(main).unwrap();
    assert_eq!(Rc::strong_count(&alive), 1);
    let mut tasks = 0;
    let event_loop = runner.get_loop().unwrap();
    let before = event_loop.create_task(async { Ok(()) }).unwrap().name();
    runner.close_observed(|_| tasks += 1).unwrap();
    // The closing made a task for each generator it knew of: a thousand would show in the names.
    assert_eq!(before.as_ref(), "Task-2");
    assert_eq!(tasks, 3);
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
