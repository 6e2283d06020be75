//! Whole runs with real threads. How long a thread takes changes nothing in the turns, so they are
//! counted and named, and no clock is read.

use std::rc::Rc;
use std::sync::mpsc::channel;

use blocking::{ThreadPool, run_in_executor, set_default_executor, to_thread};
use runner::Runner;
use six_steps::{EventLoop, Recorder};
use wakeup::{Outcome, sleep, yield_now};

/// What each turn ran, a closure by the name of its function.
fn turns<F>(threads: usize, main: F) -> Vec<String>
where
    F: Future<Output = Outcome<()>> + 'static,
{
    let event_loop = EventLoop::new();
    set_default_executor(&event_loop, Rc::new(ThreadPool::with_threads(threads)));
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(main).unwrap();
    runner.close().unwrap();
    let short = |name: &String| {
        let function = name.trim_end_matches("::{{closure}}()");
        function.rsplit("::").next().unwrap().to_owned()
    };
    let line = |ran: &Vec<String>| ran.iter().map(short).collect::<Vec<_>>().join(" ");
    recorder
        .turns()
        .iter()
        .map(|turn| line(&turn.ran))
        .collect()
}

const SHUTDOWN: [&str; 6] = [
    "step:shutdown_asyncgens",
    "run_done:shutdown_asyncgens",
    "step:shutdown_default_executor",
    "set_state",
    "wakeup:shutdown_default_executor",
    "run_done:shutdown_default_executor",
];

#[test]
fn to_thread_takes_ten_turns() {
    let main = [
        "step:Task-1",
        "set_state",
        "check_cancel wakeup:Task-1",
        "run_done:Task-1",
    ];
    let expected = [&main[..], &SHUTDOWN].concat();
    assert_eq!(expected.len(), 10);
    // A job that is done before the loop goes to sleep, and one that waits until it may.
    assert_eq!(turns(1, to_thread(|| ())), expected);
    let slow = async {
        let (open, gate) = channel();
        let job = run_in_executor(move || gate.recv())?;
        open.send(())?;
        Ok(job.await??)
    };
    assert_eq!(turns(1, slow), expected);
}

#[test]
fn a_loop_that_never_offloaded_has_nothing_to_shut_down() {
    let event_loop = EventLoop::new();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(async { Ok(()) }).unwrap();
    runner.close().unwrap();
    assert_eq!(recorder.turns().len(), 6);
}

/// As CPython 3.13.0 runs it: the job's own future is cancelled with the job, and reports that to a
/// destination which is done already.
#[test]
fn a_job_cancelled_before_it_began_reports_to_nobody() {
    let cancelled = async {
        let (open, gate) = channel::<()>();
        let first = run_in_executor(move || gate.recv())?;
        let second = run_in_executor(|| unreachable!("it was cancelled before it began"))?;
        let waits = second.clone();
        six_steps::running_loop()?.call_soon(move || {
            waits.cancel();
        })?;
        assert!(second.await.unwrap_err().is_cancelled());
        yield_now().await?;
        yield_now().await?;
        open.send(())?;
        first.await??;
        Ok(())
    };
    let main = [
        "step:Task-1",
        "turns", // the closure that cancels
        "check_cancel wakeup:Task-1",
        "set_state step:Task-1",
        "step:Task-1",
        "set_state",
        "check_cancel wakeup:Task-1",
        "run_done:Task-1",
    ];
    let mut ran = turns(1, cancelled);
    ran[1] = "turns".to_owned();
    assert_eq!(ran, [&main[..], &SHUTDOWN].concat());
}

/// CPython keeps the executor, shut down: it is joined again, in two turns, each time it is asked.
#[test]
fn shutting_down_twice_waits_twice() {
    let main = async {
        to_thread(|| ()).await?;
        blocking::shutdown_default_executor().await
    };
    let expected = [
        "step:Task-1",
        "set_state",
        "check_cancel wakeup:Task-1",
        "set_state",
        "wakeup:Task-1",
        "run_done:Task-1",
    ];
    assert_eq!(turns(1, main), [&expected[..], &SHUTDOWN].concat());
}

/// The loop sleeps while a job is out: a timer costs its own two turns and no more.
#[test]
fn a_loop_with_a_job_out_is_asleep() {
    let main = async {
        let (open, gate) = channel::<()>();
        let job = run_in_executor(move || gate.recv())?;
        sleep(std::time::Duration::from_millis(2)).await?;
        open.send(())?;
        Ok(job.await??)
    };
    let expected = [
        "step:Task-1",
        "sleep",
        "wakeup:Task-1",
        "set_state",
        "check_cancel wakeup:Task-1",
        "run_done:Task-1",
    ];
    assert_eq!(turns(1, main), [&expected[..], &SHUTDOWN].concat());
}
