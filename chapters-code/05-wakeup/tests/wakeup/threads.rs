//! Woken from another thread: through the hatch, while the loop is asleep in its selector.
//! Threads are told when to go on by channels; nothing sleeps.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use wakeup::{create_task, gather};

use crate::stage::Stage;

#[test]
fn a_oneshot_sent_by_another_thread() {
    let stage = Stage::real();
    let (ask, asked) = mpsc::channel::<()>();
    let (sender, receiver) = futures::channel::oneshot::channel();
    let other = thread::spawn(move || {
        asked.recv().unwrap();
        sender.send(thread::current().id()).unwrap();
    });
    let id = other.thread().id();
    let main = async move {
        ask.send(())?;
        Ok(receiver.await?)
    };
    assert_eq!(stage.run(main).unwrap(), id);
    other.join().unwrap();
}

#[test]
fn tokios_channels_across_threads_there_and_back() {
    let stage = Stage::real();
    let (there, mut at_work) =
        tokio::sync::mpsc::channel::<(u32, tokio::sync::oneshot::Sender<u32>)>(1);
    let other = thread::spawn(move || {
        while let Some((n, reply)) = at_work.blocking_recv() {
            reply.send(n * n).unwrap();
        }
    });
    let main = async move {
        let mut squares = Vec::new();
        for n in 0..200 {
            let (reply, answer) = tokio::sync::oneshot::channel();
            there.send((n, reply)).await?;
            squares.push(answer.await?);
        }
        Ok(squares)
    };
    let squares = stage.run(main).unwrap();
    assert!(squares.into_iter().eq((0..200).map(|n| n * n)));
    other.join().unwrap();
}

#[test]
fn async_channel_filled_by_many_threads() {
    let stage = Stage::real();
    let (sender, receiver) = async_channel::bounded::<u64>(3);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let sender = sender.clone();
            thread::spawn(move || (1..=500).for_each(|n| sender.send_blocking(n).unwrap()))
        })
        .collect();
    drop(sender);
    let main = async move {
        let readers = (0..5).map(|_| {
            let receiver = receiver.clone();
            async move {
                let mut sum = 0;
                while let Ok(n) = receiver.recv().await {
                    sum += n;
                }
                Ok(sum)
            }
        });
        Ok(gather(readers)?.await?.iter().sum::<u64>())
    };
    assert_eq!(stage.run(main).unwrap(), 4 * 500 * 501 / 2);
    for thread in threads {
        thread.join().unwrap();
    }
}

/// A value that another thread puts there, with the waker that waits for it.
#[derive(Default)]
struct Shelf {
    value: Option<u32>,
    waker: Option<Waker>,
}

#[test]
fn thousands_of_wakes_from_a_thread_lose_none_and_storm_nobody() {
    const ROUNDS: u32 = 2_000;
    let stage = Stage::real();
    let shelf = Arc::new(Mutex::new(Shelf::default()));
    let (take, taken) = mpsc::channel::<()>();
    let other = {
        let shelf = Arc::clone(&shelf);
        thread::spawn(move || {
            for n in 0..ROUNDS {
                taken.recv().unwrap();
                // One that counts, between others that do not.
                let waker = shelf.lock().unwrap().waker.clone();
                if let Some(waker) = &waker {
                    waker.wake_by_ref();
                }
                shelf.lock().unwrap().value = Some(n);
                let stored = shelf.lock().unwrap().waker.take();
                for waker in [waker, stored].into_iter().flatten() {
                    waker.wake_by_ref();
                    waker.wake();
                }
            }
        })
    };
    let main = async move {
        for n in 0..ROUNDS {
            take.send(())?;
            let value = std::future::poll_fn(|context| {
                let mut shelf = shelf.lock().unwrap();
                shelf.waker = Some(context.waker().clone());
                shelf.value.take().map_or(Poll::Pending, Poll::Ready)
            });
            assert_eq!(value.await, n);
        }
        Ok(())
    };
    stage.run(main).unwrap();
    other.join().unwrap();
    // A round has at most five wakes, and each at most two turns.
    assert!(
        stage.trace().len() <= ROUNDS as usize * 10 + 2,
        "{}",
        stage.trace().len()
    );
}

#[test]
fn a_wake_during_the_step_itself_is_not_lost() {
    let stage = Stage::real();
    let main = async {
        let mut woken = false;
        let round_trip = std::future::poll_fn(|context| {
            if woken {
                return Poll::Ready(());
            }
            woken = true;
            let waker = context.waker().clone();
            // The other thread has woken before this step ends.
            thread::spawn(move || waker.wake()).join().unwrap();
            Poll::Pending
        });
        round_trip.await;
        Ok(1)
    };
    assert_eq!(stage.run(main).unwrap(), 1);
}

#[test]
fn a_waker_kept_by_a_thread_outlives_the_loop() {
    let stage = Stage::real();
    let (give, given) = mpsc::channel::<Waker>();
    let (close, closed) = mpsc::channel::<()>();
    let other = thread::spawn(move || {
        let waker = given.recv().unwrap();
        closed.recv().unwrap();
        waker.wake_by_ref();
        let clone = waker.clone();
        clone.wake();
        waker.wake();
    });
    let event_loop = stage.event_loop.clone();
    let main = async move {
        create_task(std::future::poll_fn(move |context| {
            give.send(context.waker().clone()).unwrap();
            Poll::<wakeup::Outcome<()>>::Pending
        }))?
        .any();
        create_task(async { Ok(()) })?.await
    };
    stage.run(main).unwrap();
    event_loop.close().unwrap();
    drop((event_loop, stage));
    close.send(()).unwrap();
    other.join().unwrap();
}
