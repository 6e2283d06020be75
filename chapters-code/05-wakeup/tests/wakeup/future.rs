//! A future by itself: its three states, and what each of them refuses.

use std::io;

use six_steps::{EventLoop, Exception};
use wakeup::{Future, FutureError, FutureState, Tasks};

use crate::stage::Stage;

fn refused<T>(outcome: Result<T, Exception>) -> FutureError {
    let exception = outcome.err().expect("it is refused");
    *exception.downcast_ref().expect("for the future's state")
}

#[test]
fn a_new_future_is_pending_and_has_nothing_to_tell() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    assert_eq!(future.state(), FutureState::Pending);
    assert!(!future.done() && !future.cancelled());
    assert_eq!(refused(future.result()), FutureError::ResultNotSet);
    assert_eq!(refused(future.exception()), FutureError::ExceptionNotSet);
    assert!(future.event_loop().is(&stage.event_loop));
    assert_eq!(format!("{future:?}"), "<Future pending>");
}

#[test]
fn a_result_is_there_for_everybody() {
    let stage = Stage::new();
    let future = stage.event_loop.create_future();
    future.set_result(vec![1, 2]).unwrap();
    assert_eq!(future.state(), FutureState::Finished);
    assert!(future.done() && !future.cancelled());
    assert_eq!(future.result().unwrap(), [1, 2]);
    assert_eq!(future.clone().result().unwrap(), [1, 2]);
    assert!(future.exception().unwrap().is_none());
    assert_eq!(
        format!("{future:?}"),
        "<Future finished result=<alloc::vec::Vec<i32>>>"
    );
}

#[test]
fn an_exception_is_raised_by_result_and_shown_by_exception() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    future.set_exception(io::Error::other("no tea")).unwrap();
    assert!(future.done() && !future.cancelled());
    assert_eq!(future.result().unwrap_err().to_string(), "no tea");
    let shown = future.exception().unwrap().unwrap();
    assert!(shown.downcast_ref::<io::Error>().is_some());
    drop(future);
    assert!(stage.reports().is_empty(), "it was asked for");
}

#[test]
fn a_cancelled_future_raises_a_cancellation_from_both() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    assert!(future.cancel());
    assert_eq!(future.state(), FutureState::Cancelled);
    assert!(future.done() && future.cancelled());
    assert!(future.result().unwrap_err().is_cancelled());
    assert!(future.exception().unwrap_err().is_cancelled());
    assert!(!future.cancel(), "the second time it is done");
    assert_eq!(format!("{future:?}"), "<Future cancelled>");
}

#[test]
fn a_future_is_done_once() {
    let stage = Stage::new();
    let ends: [fn(&Future<u32>); 3] = [
        |future| future.set_result(1).unwrap(),
        |future| future.set_exception(io::Error::other("first")).unwrap(),
        |future| assert!(future.cancel()),
    ];
    for end in ends {
        let future = stage.event_loop.create_future();
        end(&future);
        let state = future.state();
        assert_eq!(future.set_result(2), Err(FutureError::InvalidState));
        let again = future.set_exception(io::Error::other("again"));
        assert_eq!(again, Err(FutureError::InvalidState));
        assert!(!future.cancel());
        assert_eq!(future.state(), state, "and stays what it was");
        if let Ok(value) = future.result() {
            assert_eq!(value, 1);
        }
    }
}

#[test]
fn the_texts_are_those_of_cpythons_c_future() {
    assert_eq!(FutureError::InvalidState.to_string(), "invalid state");
    assert_eq!(FutureError::ResultNotSet.to_string(), "Result is not set.");
    let text = FutureError::ExceptionNotSet.to_string();
    assert_eq!(text, "Exception is not set.");
}

#[test]
fn a_tasks_result_is_its_coroutines_and_nobody_elses() {
    let stage = Stage::new();
    let task = stage.task("worker", async { Ok(1) });
    let future = task.future();
    assert_eq!(future.set_result(2), Err(FutureError::TaskResult));
    let refused = future.set_exception(io::Error::other("no"));
    assert_eq!(refused, Err(FutureError::TaskException));
    let text = FutureError::TaskResult.to_string();
    assert_eq!(text, "Task does not support set_result operation");
    let text = FutureError::TaskException.to_string();
    assert_eq!(text, "Task does not support set_exception operation");
    assert_eq!(stage.event_loop.run_until_complete(task).unwrap(), 1);
}

#[test]
fn a_plain_future_keeps_its_first_name() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    assert_eq!(future.name(), None);
    future.set_name("kettle");
    future.set_name("pot");
    assert_eq!(future.name().as_deref(), Some("kettle"));
    assert_eq!(future.any().name().as_deref(), Some("kettle"));
}

#[test]
fn clones_are_the_same_future() {
    let event_loop = EventLoop::new();
    let one: Future<()> = event_loop.create_future();
    let other = event_loop.create_future();
    assert!(one.is(&one.clone()));
    assert!(!one.is(&other));
    let same = one.clone();
    same.set_result(()).unwrap();
    assert!(one.done() && !other.done());
}

#[test]
fn without_its_type_a_future_does_the_same() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let any = future.any();
    assert_eq!(any.state(), FutureState::Pending);
    assert!(any.cancel());
    assert!(future.cancelled());
}

#[test]
fn looking_at_an_exception_for_a_report_does_not_retrieve_it() {
    let stage = Stage::new();
    let future: Future<()> = stage.event_loop.create_future();
    future.set_exception(io::Error::other("no tea")).unwrap();
    let found = future.unretrieved_exception().unwrap();
    assert_eq!(found.to_string(), "no tea");
    let _ = format!("{future:?}");
    assert!(future.unretrieved_exception().is_some());
    let _ = future.exception();
    assert!(future.unretrieved_exception().is_none());
}
