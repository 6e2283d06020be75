//! What is reported when nobody is left to be told, in CPython's words.

use std::io;

use six_steps::{EventLoop, ExceptionContext};
use wakeup::{Future, Tasks, create_task, gather};

use crate::stage::Stage;

#[expect(clippy::unused_async, reason = "a coroutine that fails at once")]
async fn bad() -> wakeup::Outcome<()> {
    Err(io::Error::other("boo").into())
}

async fn waits(future: Future<()>) -> wakeup::Outcome<()> {
    future.await
}

const BOO: &str = "Custom { kind: Other, error: \"boo\" }";

#[test]
fn a_tasks_exception_that_nobody_asked_for() {
    let stage = Stage::new();
    let task = stage.task("bad", bad());
    stage.turn(1);
    assert!(stage.reports().is_empty(), "somebody may still ask");
    drop(task);
    let expected = format!(
        "Task exception was never retrieved\n\
         future: <Task finished name='bad' coro=<wakeup::reports::bad() done> exception={BOO}>\n\
         boo",
    );
    assert_eq!(stage.reports(), [expected]);
}

#[test]
fn a_futures_exception_that_nobody_asked_for() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    future.set_exception(io::Error::other("boo")).unwrap();
    drop(future);
    let expected = format!(
        "Future exception was never retrieved\nfuture: <Future finished exception={BOO}>\nboo"
    );
    assert_eq!(stage.reports(), [expected]);
}

#[test]
fn a_gatherings_exception_that_nobody_asked_for() {
    let stage = Stage::new();
    let main = async {
        let gathering = gather([bad()])?;
        create_task(async { Ok(()) })?.await?;
        create_task(async { Ok(()) })?.await?;
        assert!(gathering.done());
        Ok(())
    };
    stage.run(main).unwrap();
    let expected = format!(
        "_GatheringFuture exception was never retrieved\n\
         future: <_GatheringFuture finished exception={BOO}>\n\
         boo",
    );
    assert_eq!(stage.reports(), [expected]);
}

#[test]
fn one_that_was_asked_for_is_not_reported() {
    let asks: [fn(&Future<()>); 3] = [
        |future| drop(future.result()),
        |future| drop(future.exception()),
        |future| assert!(!future.cancel()),
    ];
    for ask in asks {
        let stage = Stage::new();
        let future: Future<()> = stage.event_loop.create_future();
        future.set_exception(io::Error::other("boo")).unwrap();
        ask(&future);
        drop(future);
        assert!(stage.reports().is_empty());
    }
}

#[test]
fn a_result_or_a_cancellation_needs_no_report() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    future.set_result(1).unwrap();
    drop(future);
    stage.event_loop.create_future::<()>().cancel();
    let task = stage.task("worker", async { Ok(()) });
    task.cancel();
    drop(task);
    stage.turn(1);
    assert!(stage.reports().is_empty());
}

#[test]
fn a_task_that_is_pending_as_its_loop_closes() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    stage.task("waits", waits(future));
    stage.turn(1);
    stage.event_loop.close().unwrap();
    let expected = "Task was destroyed but it is pending!\n\
         task: <Task pending name='waits' coro=<wakeup::reports::waits() running> \
         wait_for=<Future pending cb=[wakeup:waits]>>";
    assert_eq!(stage.reports(), [expected]);
}

#[test]
fn one_that_never_had_a_step_is_destroyed_too_and_in_the_order_of_creation() {
    let stage = Stage::new();
    for name in ["a", "b"] {
        stage.task(name, async { Ok(()) });
    }
    stage.event_loop.close().unwrap();
    let reports = stage.reports();
    assert_eq!(reports.len(), 2);
    for (report, name) in reports.iter().zip(["a", "b"]) {
        let start = "Task was destroyed but it is pending!\ntask: <Task pending name=";
        assert!(report.starts_with(&format!("{start}'{name}' ")), "{report}");
    }
}

#[test]
fn one_that_was_told_to_keep_quiet_does() {
    let stage = Stage::new();
    stage
        .task("quiet", async { Ok(()) })
        .keep_quiet_if_destroyed();
    stage.event_loop.close().unwrap();
    assert!(stage.reports().is_empty());
}

#[test]
fn a_report_can_be_asked_for_the_exception_itself() {
    let event_loop = EventLoop::new();
    let kinds = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let kept = std::rc::Rc::clone(&kinds);
    let handler = move |_: &EventLoop, context: &ExceptionContext| {
        let exception = context.exception.as_ref().unwrap();
        kept.borrow_mut()
            .push(exception.downcast_ref::<io::Error>().unwrap().kind());
    };
    event_loop.set_exception_handler(Some(handler));
    let future: Future<()> = event_loop.create_future();
    future
        .set_exception(io::Error::from(io::ErrorKind::NotFound))
        .unwrap();
    drop(future);
    assert_eq!(*kinds.borrow(), [io::ErrorKind::NotFound]);
}

#[test]
fn in_debug_mode_a_report_says_where_the_task_was_made() {
    let stage = Stage::new();
    wakeup::set_show_origins(&stage.event_loop, true);
    let line = line!() + 1;
    let task = stage.event_loop.create_task(bad()).unwrap();
    let end = format!(" created at {}:{line}>", file!());
    assert!(format!("{task:?}").ends_with(&end), "{task:?}");
    wakeup::set_show_origins(&stage.event_loop, false);
    let later = stage.event_loop.create_task(bad()).unwrap();
    assert!(!format!("{later:?}").contains("created at"), "{later:?}");
    task.cancel();
    later.cancel();
}
