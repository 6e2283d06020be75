//! Several awaits of one task at once, polled with the task's own waker by `join!` and `select!`.
//! Each has to be woken by what it waits for itself, whatever the others do.

use futures::future::{Either, select};
use wakeup::{Future, Outcome, Tasks, sleep, yield_now};

use crate::stage::{MS, Stage};

#[test]
fn a_bare_yield_beside_an_await_still_gets_its_turn() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let setter = future.clone();
    let main = async move {
        let set = async move {
            yield_now().await?;
            setter.set_result(1)?;
            Outcome::Ok(())
        };
        let (set, value) = futures::join!(set, future.into_future());
        set?;
        value
    };
    assert_eq!(stage.run(main).unwrap(), 1);
    // Set within the step that awaits it, it is there at once, and its wakeup finds the task done.
    assert_eq!(stage.trace()[..2], ["step:main", "step:main"]);
}

#[test]
fn an_await_beside_a_bare_yield_is_still_woken() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let awaited = future.clone();
    let main = stage.task("main", async move {
        let (value, yielded) = futures::join!(awaited.into_future(), yield_now());
        yielded?;
        value
    });
    stage.turn(3);
    future.set_result(1).unwrap();
    assert_eq!(stage.event_loop.run_until_complete(main).unwrap(), 1);
}

#[test]
fn one_future_awaited_twice_by_one_task_keeps_the_listener_that_stays() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let awaited = future.clone();
    let main = stage.task("main", async move {
        let given_up = async {
            let yielded = Box::pin(yield_now());
            let waits = Box::pin(awaited.clone().into_future());
            // Listens beside the other, and stops listening a turn later.
            matches!(select(waits, yielded).await, Either::Right(_))
        };
        let (value, right) = futures::join!(awaited.clone().into_future(), given_up);
        assert!(right);
        value
    });
    stage.turn(3);
    future.set_result(1).unwrap();
    stage.turn(2);
    assert_eq!(main.result().unwrap(), 1);
}

#[test]
fn a_foreign_wait_beside_ours() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let (sender, receiver) = futures::channel::oneshot::channel();
    let main = {
        let future = future.clone();
        stage.task("main", async move {
            let (ours, theirs) = futures::join!(future.into_future(), receiver);
            Ok(ours? + theirs?)
        })
    };
    stage.turn(1);
    sender.send(2).unwrap();
    stage.turn(2);
    future.set_result(1).unwrap();
    stage.turn(1);
    assert_eq!(main.result().unwrap(), 3);
}

#[test]
fn select_drops_the_loser_and_nothing_of_it_wakes_the_task() {
    let stage = Stage::new();
    let never: Future<u32> = stage.event_loop.create_future();
    let main = {
        let never = never.clone();
        stage.task("main", async move {
            let nap = Box::pin(sleep(MS));
            let slow = Box::pin(never.into_future());
            assert!(matches!(select(slow, nap).await, Either::Right(_)));
            sleep(10 * MS).await?;
            sleep(10 * MS).await
        })
    };
    let meddler = never.clone();
    stage
        .event_loop
        .call_later(5 * MS, move || meddler.set_result(1))
        .unwrap();
    stage.event_loop.run_until_complete(main).unwrap();
    let wakeups = stage
        .trace()
        .iter()
        .filter(|turn| turn.contains("wakeup:main"))
        .count();
    assert_eq!(
        wakeups,
        3,
        "one a sleep, none for the loser: {:?}",
        stage.trace()
    );
}

#[test]
fn a_pending_future_polled_ten_thousand_times_in_a_select_has_one_listener() {
    let stage = Stage::new();
    let never: Future<u32> = stage.event_loop.create_future();
    let awaited = never.clone();
    let main = stage.task("main", async move {
        for _ in 0..10_000 {
            let waits = Box::pin(awaited.clone().into_future());
            assert!(matches!(select(waits, yield_now()).await, Either::Right(_)));
        }
        awaited.await
    });
    stage.turn(10_001);
    let before = stage.event_loop.ready_len();
    never.set_result(1).unwrap();
    assert_eq!(
        stage.event_loop.ready_len() - before,
        1,
        "the last await alone"
    );
    stage.turn(1);
    assert_eq!(main.result().unwrap(), 1);
}

#[test]
fn the_same_of_an_await_that_is_kept_and_of_a_waker_of_its_own() {
    let stage = Stage::new();
    let never: Future<u32> = stage.event_loop.create_future();
    let awaited = never.clone();
    stage.task("main", async move {
        let mut kept = Box::pin(awaited.clone().into_future());
        let mut in_set = futures::stream::FuturesUnordered::new();
        in_set.push(awaited.into_future());
        for _ in 0..1_000 {
            assert!(matches!(
                select(&mut kept, yield_now()).await,
                Either::Right(_)
            ));
            let mut next = futures::stream::StreamExt::next(&mut in_set);
            assert!(matches!(
                select(&mut next, yield_now()).await,
                Either::Right(_)
            ));
        }
        Ok(())
    });
    stage.turn(2_002);
    let before = stage.event_loop.ready_len();
    never.set_result(1).unwrap();
    assert_eq!(
        stage.event_loop.ready_len(),
        before,
        "the task is done and listens no more"
    );
    assert!(stage.reports().is_empty());
}

#[test]
fn a_cancellation_reaches_one_of_the_awaits_of_a_join() {
    let stage = Stage::new();
    let (a, b): (Future<()>, Future<()>) = (
        stage.event_loop.create_future(),
        stage.event_loop.create_future(),
    );
    let main = {
        let (a, b) = (a.clone(), b.clone());
        stage.task("main", async move {
            futures::try_join!(a.into_future(), b.into_future()).map(drop)
        })
    };
    stage.turn(1);
    main.cancel();
    stage.turn(1);
    assert!(main.cancelled());
    assert_eq!(
        (a.cancelled(), b.cancelled()),
        (false, true),
        "the last one that parked"
    );
}
