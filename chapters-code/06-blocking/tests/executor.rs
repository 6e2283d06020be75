//! The contract of jobs on other threads. No clock is read: every moment that matters is one end
//! of a channel.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use blocking::{
    ExecutorError, ThreadPool, run_in, run_in_executor, set_default_executor,
    shutdown_default_executor, to_thread,
};
use six_steps::{EventLoop, Exception, LoopError, running_loop};
use wakeup::{
    FutureError, Outcome, Tasks, create_task, gather, gather_return_exceptions, sleep, yield_now,
};

fn run<T, F>(main: F) -> Outcome<T>
where
    T: Clone + 'static,
    F: Future<Output = Outcome<T>> + 'static,
{
    runner::run(main)
}

/// On a default executor of one thread.
fn run_on_one_thread<T, F>(main: F) -> Outcome<T>
where
    T: Clone + 'static,
    F: Future<Output = Outcome<T>> + 'static,
{
    run(async {
        let pool = ThreadPool::with_threads(1);
        set_default_executor(&running_loop()?, Rc::new(pool));
        main.await
    })
}

#[test]
fn the_job_runs_on_another_thread_and_the_future_is_set_on_the_loops() {
    let here = thread::current().id();
    let there = run(async {
        let job = run_in_executor(|| thread::current().id())?;
        let (told, told_on) = channel();
        job.add_done_callback(move |_| told.send(thread::current().id()));
        let there = job.await?;
        Ok((there, told_on.recv()?))
    });
    let (there, told_on) = there.unwrap();
    assert_ne!(there, here);
    assert_eq!(told_on, here);
}

#[test]
fn jobs_one_after_another_are_all_done_by_one_thread() {
    let threads = run(async {
        let pool = Rc::new(ThreadPool::new());
        set_default_executor(&running_loop()?, pool.clone());
        for _ in 0..1_000 {
            to_thread(|| ()).await?;
        }
        Ok(pool.threads())
    });
    assert_eq!(threads.unwrap(), 1);
}

#[test]
fn a_panic_comes_back_as_an_exception_and_the_thread_lives_on() {
    let (failed, after) = run_on_one_thread(async {
        let failed = to_thread(|| -> u8 { panic!("the tea is cold") }).await;
        Ok((failed.unwrap_err(), to_thread(|| 5).await?))
    })
    .unwrap();
    assert_eq!(failed.to_string(), "the tea is cold");
    assert_eq!(after, 5);
}

#[test]
fn an_error_that_a_job_returns_is_a_value_like_any_other() {
    let refused = run(to_thread(|| "x".parse::<u8>())).unwrap();
    assert!(refused.is_err());
}

#[test]
fn a_job_cancelled_before_it_began_never_runs() {
    let ran = Arc::new(AtomicUsize::new(0));
    let runs = Arc::clone(&ran);
    let cancelled = run_on_one_thread(async move {
        let (open, gate) = channel::<()>();
        let first = run_in_executor(move || gate.recv())?;
        let second = run_in_executor(move || runs.fetch_add(1, Ordering::SeqCst))?;
        second.cancel();
        let cancelled = second.await.unwrap_err().is_cancelled();
        // The cancellation is passed on by a done callback, which runs in the next turn.
        yield_now().await?;
        open.send(())?;
        first.await??;
        to_thread(|| ()).await?; // stood behind it in the queue
        Ok(cancelled)
    });
    assert!(cancelled.unwrap());
    assert_eq!(ran.load(Ordering::SeqCst), 0);
    assert_eq!(Arc::strong_count(&ran), 1, "and the job is dropped");
}

#[test]
fn a_job_cancelled_while_it_runs_goes_on_and_its_result_is_dropped() {
    let left = run_on_one_thread(async {
        let alive = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&alive);
        let (open, gate) = channel::<()>();
        let (begun, has_begun) = channel();
        let job = run_in_executor(move || {
            begun.send(()).unwrap();
            gate.recv().unwrap();
            Arc::new(Counted::new(&theirs))
        })?;
        has_begun.recv()?;
        job.cancel();
        let cancelled = job.await.unwrap_err().is_cancelled();
        open.send(())?;
        to_thread(|| ()).await?; // stood behind it in the queue
        assert_eq!(alive.load(Ordering::SeqCst), 0);
        Ok(cancelled)
    });
    assert!(left.unwrap());
}

/// Raises a count for as long as it lives.
#[derive(Debug)]
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn nothing_is_left_of_results_that_nobody_took() {
    let alive = Arc::new(AtomicUsize::new(0));
    let theirs = Arc::clone(&alive);
    run(async move {
        for n in 0..100 {
            let count = Arc::clone(&theirs);
            let job = run_in_executor(move || Arc::new(Counted::new(&count)))?;
            match n % 3 {
                0 => drop(job.cancel()),
                1 => drop(job),
                _ => drop(job.await?),
            }
        }
        shutdown_default_executor().await
    })
    .unwrap();
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn the_awaiting_task_can_be_cancelled_and_go_on() {
    let went_on = run_on_one_thread(async {
        let (open, gate) = channel::<()>();
        let (begun, has_begun) = channel();
        let task = create_task(async move {
            let waits = move || (begun.send(()), gate.recv()).1.is_ok();
            let waited = to_thread(waits).await;
            assert!(waited.unwrap_err().is_cancelled());
            to_thread(|| "cleaned up").await
        })?;
        wakeup::yield_now().await?;
        has_begun.recv()?;
        task.cancel();
        wakeup::yield_now().await?;
        open.send(())?;
        task.await
    });
    assert_eq!(went_on.unwrap(), "cleaned up");
}

#[test]
fn a_thousand_jobs_come_back_to_their_own_futures() {
    let all = run(async { gather((0..1_000_u64).map(|n| to_thread(move || n * n)))?.await });
    let squares: Vec<u64> = (0..1_000).map(|n| n * n).collect();
    assert_eq!(all.unwrap(), squares);
}

#[test]
fn a_thousand_jobs_of_which_every_tenth_panics() {
    let all = run(async {
        let job = |n: u32| async move {
            let checked = to_thread(move || assert_ne!(n % 10, 0, "{n}")).await;
            checked.map(|()| n)
        };
        gather_return_exceptions((0..1_000).map(job))?.await
    });
    for (n, outcome) in all.unwrap().into_iter().enumerate() {
        assert_eq!(outcome.is_err(), n % 10 == 0, "{n}");
        assert!(outcome.map_or_else(
            |e| e.to_string().contains(&n.to_string()),
            |m| m as usize == n
        ));
    }
}

#[test]
fn loops_on_several_threads_may_share_nothing_and_their_jobs_never_mix() {
    let sums = (0..4_u64).map(|t| {
        thread::spawn(move || {
            run(async move {
                let jobs = (0..100).map(|n| to_thread(move || 1_000 * t + n));
                Ok(gather(jobs)?.await?.into_iter().sum::<u64>())
            })
            .map_err(|e| e.to_string())
        })
    });
    let sums: Vec<_> = sums.collect();
    for (t, sum) in (0..).zip(sums) {
        assert_eq!(sum.join().unwrap(), Ok(100_000 * t + 4_950));
    }
}

#[test]
fn jobs_of_two_loops_on_one_thread_come_back_to_their_own() {
    let (one, two) = (EventLoop::new(), EventLoop::new());
    let job = |n: u32| async move { run_in_executor(move || n) };
    let of_one = one.run_until_complete(job(1)).unwrap();
    let of_two = two.run_until_complete(job(2)).unwrap();
    assert_eq!(two.run_until_complete(of_two).unwrap(), 2);
    assert_eq!(one.run_until_complete(of_one).unwrap(), 1);
    one.close().unwrap();
    two.close().unwrap();
}

#[test]
fn after_the_shutdown_jobs_are_refused_and_those_it_had_are_done() {
    let (done, refused) = run_on_one_thread(async {
        let jobs: Vec<_> = (0..10)
            .map(|n| run_in_executor(move || n))
            .collect::<Outcome<_>>()?;
        shutdown_default_executor().await?;
        let refused = to_thread(|| ()).await.unwrap_err();
        Ok((gather(jobs)?.await?, refused))
    })
    .unwrap();
    assert_eq!(done, (0..10).collect::<Vec<_>>());
    assert_eq!(refused.to_string(), "Executor shutdown has been called");
    let refused = refused.downcast_ref::<ExecutorError>();
    assert!(matches!(refused, Some(ExecutorError::DefaultShutDown)));
}

#[test]
fn an_executor_of_ones_own_outlives_the_loop_and_its_shutdown() {
    let pool = Rc::new(ThreadPool::with_threads(1));
    for n in 0..3 {
        let theirs = Rc::clone(&pool);
        let outcome = run(async move {
            let job = run_in(&*theirs, move || n)?;
            shutdown_default_executor().await?;
            job.await
        });
        assert_eq!(outcome.unwrap(), n);
    }
}

#[test]
fn a_loop_closed_while_a_job_is_out_wants_no_result() {
    let count = Arc::new(AtomicUsize::new(0));
    let (open, gate) = channel::<()>();
    let (ended, has_ended) = channel::<()>();
    let event_loop = EventLoop::new();
    let theirs = Arc::clone(&count);
    let job = event_loop
        .run_until_complete(async move {
            run_in_executor(move || {
                let _at_the_very_end = ended;
                gate.recv().unwrap();
                Arc::new(Counted::new(&theirs))
            })
        })
        .unwrap();
    event_loop.close().unwrap();
    open.send(()).unwrap();
    assert!(has_ended.recv().is_err(), "the job ran to its end");
    let unset = job.result().map(drop).unwrap_err();
    assert!(matches!(
        unset.downcast_ref(),
        Some(FutureError::ResultNotSet)
    ));
    // A result that waits in the place both threads see goes with the future's side of it.
    drop(job);
    while count.load(Ordering::SeqCst) > 0 {
        thread::yield_now();
    }
}

#[test]
fn outside_of_a_turn_there_is_no_executor() {
    let refused = run_in_executor(|| ()).map(drop).unwrap_err();
    assert!(matches!(
        refused.downcast_ref(),
        Some(LoopError::NoRunningLoop)
    ));
}

#[test]
fn a_result_that_somebody_set_meanwhile_stays() {
    let early: Outcome<u8> = run_on_one_thread(async {
        let (open, gate): (Sender<()>, Receiver<()>) = channel();
        let job = run_in_executor(move || gate.recv().map_or(0, |()| 1))?;
        job.set_result(2)?;
        open.send(())?;
        shutdown_default_executor().await?;
        job.await
    });
    assert_eq!(early.unwrap(), 2);
}

#[test]
fn a_job_may_use_a_loop_of_its_own() {
    let inner = run(to_thread(|| {
        let inner = run(async {
            sleep(std::time::Duration::ZERO).await?;
            to_thread(|| 7).await
        });
        inner.map_err(|e: Exception| e.to_string())
    }));
    assert_eq!(inner.unwrap(), Ok(7));
}
