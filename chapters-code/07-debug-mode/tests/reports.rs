//! What is said of exceptions that nobody got, of tasks that never ended and of coroutines that
//! never began; with the place where each was made in debug mode, and only then.

mod common;

use common::{text, texts, virtual_loop};
use debug_mode::{DebugMode, coroutine};
use log::Level;
use six_steps::EventLoop;
use wakeup::{Outcome, Tasks, create_task, gather};

fn one_turn(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("boo")]
struct Boo;

fn bad() -> Result<(), Boo> {
    Err(Boo)
}

#[expect(clippy::unused_async, reason = "a report names the function")]
async fn bad_coroutine() -> Outcome<()> {
    Err(Boo.into())
}

#[test]
fn a_callback_that_fails() {
    let (event_loop, _) = virtual_loop();
    event_loop.call_soon(bad).unwrap();
    one_turn(&event_loop);
    assert_eq!(
        text(Level::Error),
        "Exception in callback reports::bad()\n\
         handle: <Handle reports::bad()>\n\
         boo"
    );
}

#[test]
fn a_callback_that_fails_in_debug_mode() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.call_soon(bad).unwrap();
    let (file, line) = (file!(), line!() - 1);
    one_turn(&event_loop);
    assert_eq!(
        text(Level::Error),
        format!(
            "Exception in callback reports::bad()\n\
             handle: <Handle reports::bad() created at {file}:{line}>\n\
             source_traceback: Object created at (most recent call last):\n  \
             File \"{file}\", line {line}\n\
             boo"
        )
    );
}

#[test]
fn a_tasks_exception_that_nobody_retrieved() {
    let (event_loop, _) = virtual_loop();
    let task = event_loop.create_task(bad_coroutine()).unwrap();
    task.set_name("bad");
    one_turn(&event_loop);
    assert_eq!(texts(Level::Error), [""; 0], "only once it is dropped");
    drop(task);
    assert_eq!(
        text(Level::Error),
        "Task exception was never retrieved\n\
         future: <Task finished name='bad' coro=<reports::bad_coroutine() done> exception=Boo>\n\
         boo"
    );
}

#[test]
fn the_same_in_debug_mode() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    let task = event_loop.create_task(bad_coroutine()).unwrap();
    let (file, line) = (file!(), line!() - 1);
    task.set_name("bad");
    one_turn(&event_loop);
    drop(task);
    assert_eq!(
        text(Level::Error),
        format!(
            "Task exception was never retrieved\n\
             future: <Task finished name='bad' coro=<reports::bad_coroutine() done> \
             exception=Boo created at {file}:{line}>\n\
             source_traceback: Object created at (most recent call last):\n  \
             File \"{file}\", line {line}\n\
             boo"
        )
    );
}

/// A look for a report is not a retrieval: not by a slow line, not by `{:?}`.
#[test]
fn showing_a_task_does_not_retrieve_its_exception() {
    let (event_loop, _) = virtual_loop();
    let task = event_loop.create_task(bad_coroutine()).unwrap();
    one_turn(&event_loop);
    let shown = format!("{task:?}");
    assert!(shown.contains("exception=Boo"), "{shown}");
    drop(task);
    assert_eq!(texts(Level::Error).len(), 1);
}

#[test]
fn an_exception_that_was_retrieved_is_not_reported() {
    let (event_loop, _) = virtual_loop();
    let task = event_loop.create_task(bad_coroutine()).unwrap();
    one_turn(&event_loop);
    assert!(task.exception().unwrap().is_some());
    drop(task);
    assert_eq!(texts(Level::Error), [""; 0]);
}

#[test]
fn a_futures_exception_that_nobody_retrieved() {
    let (event_loop, _) = virtual_loop();
    let future = event_loop.create_future::<()>();
    future.set_exception(Boo).unwrap();
    drop(future);
    assert_eq!(
        text(Level::Error),
        "Future exception was never retrieved\n\
         future: <Future finished exception=Boo>\n\
         boo"
    );
}

#[test]
fn a_gatherings_exception_that_nobody_retrieved() {
    let (event_loop, _) = virtual_loop();
    let main = async {
        let gathering = gather([bad_coroutine()])?;
        wakeup::yield_now().await?;
        wakeup::yield_now().await?;
        assert!(gathering.done());
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
    assert_eq!(
        text(Level::Error),
        "_GatheringFuture exception was never retrieved\n\
         future: <_GatheringFuture finished exception=Boo>\n\
         boo"
    );
}

async fn waits(future: wakeup::Future<()>) -> Outcome<()> {
    future.await
}

#[test]
fn a_task_that_never_ended() {
    for debug in [false, true] {
        let (event_loop, _) = virtual_loop();
        event_loop.set_debug(debug);
        let future = event_loop.create_future();
        let task = event_loop.create_task(waits(future)).unwrap();
        let (file, line) = (file!(), line!() - 1);
        task.set_name("waits");
        one_turn(&event_loop);
        event_loop.close().unwrap();
        let (mut traceback, mut origin) = (String::new(), String::new());
        if debug {
            traceback = format!(
                "source_traceback: Object created at (most recent call last):\n  \
                 File \"{file}\", line {line}\n"
            );
            origin = format!(" created at {file}:{line}");
        }
        let expected = format!(
            "Task was destroyed but it is pending!\n\
             {traceback}\
             task: <Task pending name='waits' coro=<reports::waits() running> \
             wait_for=<Future pending cb=[wakeup:waits]>{origin}>"
        );
        assert_eq!(text(Level::Error), expected);
    }
}

#[expect(clippy::unused_async, reason = "a report names the function")]
async fn order() -> Outcome<()> {
    Ok(())
}

#[test]
fn a_coroutine_that_was_never_awaited() {
    let (event_loop, _) = virtual_loop();
    let main = async {
        let forgotten = coroutine(order());
        drop(forgotten);
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
    assert_eq!(
        text(Level::Warn),
        "coroutine 'reports::order' was never awaited"
    );
}

#[test]
fn in_debug_mode_it_says_where_it_was_made() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    let (file, line) = (file!(), line!() + 2);
    let main = async {
        let forgotten = coroutine(order());
        drop(forgotten);
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
    assert_eq!(
        text(Level::Warn),
        format!(
            "coroutine 'reports::order' was never awaited\n\
             Coroutine created at (most recent call last)\n  \
             File \"{file}\", line {line}"
        )
    );
}

/// The place is noted when the coroutine is made; a switch later comes too late for it.
#[test]
fn what_was_made_before_the_switch_has_no_place() {
    let (event_loop, _) = virtual_loop();
    let inner = event_loop.clone();
    let main = async move {
        let forgotten = coroutine(order());
        inner.set_debug(true);
        drop(forgotten);
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
    assert_eq!(
        text(Level::Warn),
        "coroutine 'reports::order' was never awaited"
    );
}

#[test]
fn a_coroutine_that_was_polled_is_not_reported() {
    let (event_loop, _) = virtual_loop();
    let main = async {
        coroutine(order()).await?;
        // Begun and left is not forgotten.
        let begun = create_task(coroutine(async { wakeup::yield_now().await }))?;
        wakeup::yield_now().await?;
        begun.cancel();
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
    event_loop.close().unwrap();
    let texts: Vec<_> = common::logged()
        .into_iter()
        .filter(|(level, ..)| *level == Level::Warn)
        .collect();
    assert_eq!(texts, []);
}

/// A task that is cancelled before its first step never polls its coroutine.
#[test]
fn a_task_cancelled_before_its_first_step_leaves_its_coroutine_unawaited() {
    let (event_loop, _) = virtual_loop();
    let task = event_loop.create_task(coroutine(order())).unwrap();
    task.cancel();
    one_turn(&event_loop);
    assert!(task.cancelled());
    assert_eq!(
        text(Level::Warn),
        "coroutine 'reports::order' was never awaited"
    );
}
