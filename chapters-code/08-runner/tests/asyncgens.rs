//! Asynchronous generators that are open at the end: closed in the order of their opening, together,
//! and what goes wrong in one is said.

#[path = "../../07-debug-mode/tests/common/mod.rs"]
mod common;

use std::cell::RefCell;
use std::rc::Rc;

use common::{texts, virtual_loop};
use log::Level;
use runner::{AsyncGenerator, Runner, RunnerError};
use six_steps::EventLoop;
use wakeup::{Outcome, Tasks, create_task, yield_now};

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

#[derive(Debug, Clone, thiserror::Error)]
#[error("boo")]
struct Boo;

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
