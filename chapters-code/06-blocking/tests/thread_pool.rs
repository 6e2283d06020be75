//! The pool itself: when it starts a thread, how many, and when they end.

use std::cell::RefCell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread;

use blocking::{Executor, ExecutorError, Job, ThreadPool, default_threads};

/// A job that waits at a gate, and the gate.
fn gated(pool: &ThreadPool) -> Sender<()> {
    let (open, gate) = channel::<()>();
    let job = move || {
        let _ = gate.recv();
    };
    pool.submit(Job::new(job)).unwrap();
    open
}

/// Does a job to its end.
fn once_around(pool: &ThreadPool) {
    let (tell, told) = channel();
    pool.submit(Job::new(move || tell.send(()).unwrap()))
        .unwrap();
    told.recv().unwrap();
}

/// Until so many threads wait for a job.
fn wait_for_idle(pool: &ThreadPool, idle: usize) {
    while pool.idle() != idle {
        thread::yield_now();
    }
}

fn shut_down(pool: &ThreadPool) {
    let (tell, told) = channel();
    pool.shutdown(Box::new(move || tell.send(()).unwrap()));
    told.recv().unwrap();
}

thread_local! {
    static AT_THE_END: RefCell<Option<Sender<()>>> = const { RefCell::new(None) };
}

/// Has each of so many threads keep a sender until it ends; `recv` fails once all of them have.
fn until_they_end(pool: &ThreadPool, threads: usize) -> Receiver<()> {
    let (kept, all_ended) = channel();
    let all_at_once = Arc::new(Barrier::new(threads));
    for _ in 0..threads {
        let (kept, meet) = (kept.clone(), Arc::clone(&all_at_once));
        let job = move || {
            AT_THE_END.set(Some(kept));
            meet.wait();
        };
        pool.submit(Job::new(job)).unwrap();
    }
    all_ended
}

#[test]
fn a_pool_without_jobs_has_no_thread() {
    assert_eq!(ThreadPool::new().threads(), 0);
}

#[test]
fn one_job_is_one_thread_and_a_thread_that_waits_takes_the_next_one() {
    let pool = ThreadPool::with_threads(4);
    for _ in 0..100 {
        once_around(&pool);
        wait_for_idle(&pool, 1);
    }
    assert_eq!(pool.threads(), 1);
}

#[test]
fn jobs_that_overlap_are_threads_up_to_the_limit() {
    let pool = ThreadPool::with_threads(4);
    let mut gates = Vec::new();
    for jobs in 1..=10 {
        gates.push(gated(&pool));
        assert_eq!(pool.threads(), jobs.min(4));
    }
    drop(gates);
    shut_down(&pool);
    assert_eq!(pool.threads(), 4);
}

#[test]
fn two_jobs_at_once_never_count_on_the_same_idle_thread() {
    let pool = ThreadPool::with_threads(2);
    for _ in 0..200 {
        // Both have to run for either to end.
        let meet = Arc::new(Barrier::new(3));
        for _ in 0..2 {
            let meet = Arc::clone(&meet);
            pool.submit(Job::new(move || {
                meet.wait();
            }))
            .unwrap();
        }
        meet.wait();
    }
    assert_eq!(pool.threads(), 2);
}

#[test]
fn the_default_limit_is_pythons() {
    let processors = thread::available_parallelism().unwrap().get();
    assert_eq!(default_threads(), 32.min(processors + 4));
    let pool = ThreadPool::new();
    let gates: Vec<_> = (0..40).map(|_| gated(&pool)).collect();
    assert_eq!(pool.threads(), default_threads());
    drop(gates);
    shut_down(&pool);
}

#[test]
fn a_pool_of_none_is_a_pool_of_one() {
    let pool = ThreadPool::with_threads(0);
    once_around(&pool);
    assert_eq!(pool.threads(), 1);
}

#[test]
fn jobs_are_taken_in_the_order_in_which_they_came() {
    let pool = ThreadPool::with_threads(1);
    let gate = gated(&pool);
    let (tell, told) = channel();
    for n in 0..100 {
        let tell = tell.clone();
        pool.submit(Job::new(move || tell.send(n).unwrap()))
            .unwrap();
    }
    drop((gate, tell));
    assert_eq!(
        told.iter().collect::<Vec<_>>(),
        (0..100).collect::<Vec<_>>()
    );
}

#[test]
fn a_job_that_panics_costs_no_thread() {
    let pool = ThreadPool::with_threads(1);
    for _ in 0..3 {
        pool.submit(Job::new(|| panic!("a job of ours"))).unwrap();
    }
    once_around(&pool);
    assert_eq!(pool.threads(), 1);
    shut_down(&pool);
}

#[test]
fn shutdown_does_what_is_queued_joins_and_refuses() {
    let pool = ThreadPool::with_threads(1);
    let ended = until_they_end(&pool, 1);
    let gate = gated(&pool);
    let (tell, told) = channel();
    for n in 0..10 {
        let tell = tell.clone();
        pool.submit(Job::new(move || tell.send(n).unwrap()))
            .unwrap();
    }
    let (done, is_done) = channel();
    pool.shutdown(Box::new(move || done.send(()).unwrap()));
    let refused = pool.submit(Job::new(|| ()));
    assert!(matches!(refused, Err(ExecutorError::ShutDown)));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "cannot schedule new futures after shutdown"
    );
    drop((gate, tell));
    is_done.recv().unwrap();
    assert_eq!(
        told.try_iter().collect::<Vec<_>>(),
        (0..10).collect::<Vec<_>>()
    );
    // Joined: the thread's own variables are gone before `done` is called.
    assert!(matches!(
        ended.try_recv(),
        Err(std::sync::mpsc::TryRecvError::Disconnected)
    ));
}

#[test]
fn every_shutdown_is_told_and_none_too_early() {
    let pool = ThreadPool::with_threads(3);
    let ended = until_they_end(&pool, 3);
    let (tell, told) = channel();
    for _ in 0..5 {
        let tell = tell.clone();
        pool.shutdown(Box::new(move || tell.send(()).unwrap()));
    }
    drop(tell);
    told.recv().unwrap();
    assert!(ended.try_recv().is_err());
    assert_eq!(told.iter().count(), 4);
    shut_down(&pool);
}

#[test]
fn a_pool_that_is_dropped_does_its_jobs_and_lets_its_threads_end() {
    let pool = ThreadPool::with_threads(3);
    let ended = until_they_end(&pool, 3);
    let (tell, told) = channel();
    for n in 0..10 {
        let tell = tell.clone();
        pool.submit(Job::new(move || tell.send(n).unwrap()))
            .unwrap();
    }
    drop((pool, tell));
    assert_eq!(told.iter().count(), 10);
    assert!(ended.recv().is_err(), "all threads have ended");
}
