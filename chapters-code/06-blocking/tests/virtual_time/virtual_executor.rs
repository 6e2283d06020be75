//! The executor of the virtual clock: the same contract, without a thread.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use blocking::{
    Executor, ExecutorError, Job, VirtualExecutor, run_in_executor, shutdown_default_executor,
    to_thread,
};
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Tasks, gather, sleep};

const MS: Duration = Duration::from_millis(1);

fn jobs_take(takes: Duration) -> EventLoop {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    VirtualExecutor::make_default(&event_loop, takes);
    event_loop
}

#[test]
fn a_job_takes_the_time_it_was_given() {
    let event_loop = jobs_take(70 * MS);
    let answer = event_loop.run_until_complete(to_thread(|| 42)).unwrap();
    assert_eq!((answer, event_loop.time()), (42, 70 * MS));
    event_loop.close().unwrap();
}

#[test]
fn jobs_run_side_by_side() {
    let event_loop = jobs_take(70 * MS);
    let all = event_loop
        .run_until_complete(async { gather((0..1_000).map(|n| to_thread(move || n)))?.await });
    assert_eq!(all.unwrap(), (0..1_000).collect::<Vec<_>>());
    assert_eq!(event_loop.time(), 70 * MS);
    event_loop.close().unwrap();
}

#[test]
fn a_job_that_was_cancelled_in_time_never_runs() {
    let event_loop = jobs_take(70 * MS);
    let ran = Arc::new(AtomicBool::new(false));
    let runs = Arc::clone(&ran);
    let cancelled = event_loop.run_until_complete(async move {
        let job = run_in_executor(move || runs.store(true, Ordering::SeqCst))?;
        sleep(30 * MS).await?;
        job.cancel();
        sleep(100 * MS).await?;
        Ok(job.cancelled())
    });
    assert!(cancelled.unwrap());
    assert!(!ran.load(Ordering::SeqCst));
    event_loop.close().unwrap();
}

#[test]
fn shutdown_waits_for_the_jobs_that_are_out_and_takes_no_more() {
    let event_loop = jobs_take(70 * MS);
    let here = event_loop.clone();
    let (job, ended, refused) = event_loop
        .run_until_complete(async move {
            let job = run_in_executor(|| 1)?;
            sleep(20 * MS).await?;
            shutdown_default_executor().await?;
            let ended = here.time();
            let refused = run_in_executor(|| 2).map(drop).unwrap_err();
            Ok((job.await?, ended, refused.to_string()))
        })
        .unwrap();
    assert_eq!((job, ended), (1, 70 * MS));
    assert_eq!(refused, "Executor shutdown has been called");
    event_loop.close().unwrap();
}

#[test]
fn it_refuses_jobs_itself_once_it_is_shut_down() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let executor = VirtualExecutor::new(&event_loop, MS);
    let done = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&done);
    executor.shutdown(Box::new(move || told.store(true, Ordering::SeqCst)));
    assert!(done.load(Ordering::SeqCst), "nothing is out");
    let refused = executor.submit(Job::new(|| ()));
    assert!(matches!(refused, Err(ExecutorError::ShutDown)));
}

#[test]
fn a_job_that_panics_is_back_all_the_same() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let reports = Rc::new(Cell::new(0));
    let reported = Rc::clone(&reports);
    event_loop.set_exception_handler(Some(move |_: &_, _: &_| reported.set(reported.get() + 1)));
    let executor = VirtualExecutor::new(&event_loop, MS);
    let hatch = event_loop.hatch();
    executor
        .submit(Job::new(|| panic!("a job of ours")))
        .unwrap();
    executor.shutdown(Box::new(move || {
        hatch
            .call_soon_threadsafe(|| six_steps::running_loop().unwrap().stop())
            .unwrap();
    }));
    event_loop.run_forever().unwrap();
    assert_eq!(reports.get(), 1);
}
