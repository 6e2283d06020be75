//! Futures of other libraries on the loop, woken from its own thread. None of them has heard of
//! it: they keep the task's waker, and the waker is `call_soon(task.wakeup)`.

use std::rc::Rc;
use std::sync::Arc;

use futures::stream::{FuturesUnordered, StreamExt};
use futures::{FutureExt, SinkExt};
use wakeup::{Tasks, create_task, gather, sleep, yield_now};

use crate::stage::{MS, Stage};

#[test]
fn a_foreign_wake_is_the_same_chain() {
    let stage = Stage::new();
    let (sender, receiver) = futures::channel::oneshot::channel();
    let notes = stage.notes();
    let waiter = stage.task("waiter", async move {
        let tea = receiver.await?;
        notes.add(format!("has {tea}"));
        Ok(())
    });
    let notes = stage.notes();
    stage.task("sender", async move {
        sender.send("tea").unwrap();
        notes.add("has sent");
        Ok(())
    });
    stage.event_loop.run_until_complete(waiter).unwrap();
    assert_eq!(stage.noted(), ["1: has sent", "2: has tea"]);
    let trace = stage.trace();
    assert_eq!(
        trace,
        [
            "step:waiter step:sender",
            "wakeup:waiter",
            "run_done:waiter"
        ]
    );
}

#[test]
fn the_bounded_channel_of_futures() {
    let stage = Stage::new();
    let (mut sender, receiver) = futures::channel::mpsc::channel::<u32>(0);
    let main = async move {
        create_task(async move {
            for n in 0..10 {
                sender.send(n).await?;
            }
            Ok(())
        })?;
        Ok(receiver.collect::<Vec<_>>().await)
    };
    assert!(stage.run(main).unwrap().into_iter().eq(0..10));
}

#[test]
fn async_channel_between_many() {
    let stage = Stage::new();
    let (sender, receiver) = async_channel::bounded::<u32>(2);
    let main = async move {
        let workers: Vec<_> = (0..3)
            .map(|_| {
                let receiver = receiver.clone();
                create_task(async move {
                    let mut sum = 0;
                    while let Ok(n) = receiver.recv().await {
                        sum += n;
                        yield_now().await?;
                    }
                    Ok(sum)
                })
            })
            .collect::<Result<_, _>>()?;
        for n in 1..=100 {
            sender.send(n).await?;
        }
        drop(sender);
        Ok(gather(workers)?.await?.iter().sum::<u32>())
    };
    assert_eq!(stage.run(main).unwrap(), 5_050);
}

#[test]
fn tokios_oneshot_and_mpsc() {
    let stage = Stage::new();
    let (reply, answer) = tokio::sync::oneshot::channel();
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<u32>(1);
    let main = async move {
        create_task(async move {
            let mut all = Vec::new();
            while let Some(n) = receiver.recv().await {
                all.push(n);
            }
            reply.send(all).unwrap();
            Ok(())
        })?;
        for n in 0..20 {
            sender.send(n).await?;
        }
        drop(sender);
        Ok(answer.await?)
    };
    assert!(stage.run(main).unwrap().into_iter().eq(0..20));
}

#[test]
fn tokios_mutex_lets_one_in_at_a_time_and_in_order() {
    let stage = Stage::new();
    let mutex = Rc::new(tokio::sync::Mutex::new(()));
    let notes = stage.notes();
    let main = async move {
        let each = |name: &'static str| {
            let (mutex, notes) = (Rc::clone(&mutex), notes.clone());
            async move {
                let _inside = mutex.lock().await;
                notes.add(format!("{name} in"));
                sleep(MS).await?;
                notes.add(format!("{name} out"));
                Ok(())
            }
        };
        gather(["a", "b", "c"].map(each))?.await
    };
    stage.run(main).unwrap();
    let order: Vec<_> = stage
        .noted()
        .iter()
        .map(|note| note[note.len() - 5..].trim().to_owned())
        .collect();
    assert_eq!(order, ["a in", "a out", "b in", "b out", "c in", "c out"]);
    assert_eq!(stage.event_loop.time(), 3 * MS);
}

#[test]
fn tokios_notify() {
    let stage = Stage::new();
    let notify = Arc::new(tokio::sync::Notify::new());
    let main = async move {
        let waiting = Arc::clone(&notify);
        let waiter = create_task(async move {
            waiting.notified().await;
            Ok(1)
        })?;
        yield_now().await?;
        assert!(!waiter.done());
        notify.notify_one();
        waiter.await
    };
    assert_eq!(stage.run(main).unwrap(), 1);
}

#[test]
fn join_runs_two_coroutines_inside_one_task() {
    let stage = Stage::new();
    let main = async {
        let (a, b) = futures::join!(sleep(20 * MS), sleep(30 * MS));
        a.and(b)
    };
    stage.run(main).unwrap();
    assert_eq!(stage.event_loop.time(), 30 * MS, "at once, not in a row");
}

#[test]
fn select_takes_the_first() {
    let stage = Stage::new();
    let main = async {
        let (mut tortoise, mut hare) = (
            Box::pin(sleep(50 * MS).fuse()),
            Box::pin(sleep(10 * MS).fuse()),
        );
        Ok(futures::select! {
            _ = tortoise => "tortoise",
            _ = hare => "hare",
        })
    };
    assert_eq!(stage.run(main).unwrap(), "hare");
    assert_eq!(stage.event_loop.time(), 10 * MS);
    assert_eq!(
        stage.event_loop.timer_cancelled_count(),
        0,
        "the tortoise's timer was swept"
    );
    assert_eq!(stage.event_loop.scheduled_len(), 0);
}

#[test]
fn futures_unordered_of_ours_with_wakers_of_its_own() {
    let stage = Stage::new();
    let main = async {
        let mut naps: FuturesUnordered<_> = [30_u32, 10, 20]
            .map(|ms| async move { sleep(ms * MS).await.map(|()| ms) })
            .into_iter()
            .collect();
        let mut order = Vec::new();
        while let Some(ms) = naps.next().await {
            order.push(ms?);
        }
        Ok(order)
    };
    assert_eq!(stage.run(main).unwrap(), [10, 20, 30]);
}

#[test]
fn futures_unordered_of_a_thousand_on_one_future() {
    let stage = Stage::new();
    let future = stage.event_loop.create_future();
    let main = async move {
        let all: FuturesUnordered<_> = (0..1_000).map(|_| future.clone().into_future()).collect();
        let set = future.clone();
        create_task(async move { Ok(set.set_result(1_u32)?) })?;
        Ok(all.map(Result::unwrap).collect::<Vec<_>>().await)
    };
    assert_eq!(stage.run(main).unwrap().len(), 1_000);
}

#[test]
fn ours_can_be_awaited_by_a_foreign_executor_between_runs() {
    let stage = Stage::new();
    let future = stage.event_loop.create_future();
    future.set_result(7).unwrap();
    assert_eq!(
        futures::executor::block_on(async { (&future).await }).unwrap(),
        7
    );
    let pending: wakeup::Future<u32> = stage.event_loop.create_future();
    let mut awaiting = std::pin::pin!(pending.clone().into_future());
    assert!(awaiting.as_mut().now_or_never().is_none());
    pending.set_result(8).unwrap();
    assert_eq!(awaiting.now_or_never().unwrap().unwrap(), 8);
}

#[test]
fn a_foreign_executor_inside_a_step_does_not_park_the_task() {
    let stage = Stage::new();
    let main = async {
        let event_loop = six_steps::running_loop()?;
        let future: wakeup::Future<u32> = event_loop.create_future();
        // Polled with a waker that is not the task's: no business of the task.
        assert!(future.clone().into_future().now_or_never().is_none());
        yield_now().await?;
        future.set_result(1)?;
        future.await
    };
    assert_eq!(stage.run(main).unwrap(), 1);
    assert_eq!(stage.trace(), ["step:main", "step:main", "run_done:main"]);
}
