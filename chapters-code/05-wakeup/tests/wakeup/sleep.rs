//! Sleep: a future, a timer and an await, and nothing is left behind.

use std::time::Duration;

use six_steps::{LoopError, VirtualSelector};
use wakeup::{Tasks, create_task, gather, sleep, yield_now};

use crate::stage::{MS, Stage};

#[test]
fn a_sleep_is_a_timer_turn_and_a_wakeup_turn() {
    let stage = Stage::new();
    stage.run(async { sleep(30 * MS).await }).unwrap();
    assert_eq!(
        stage.trace(),
        ["step:main", "sleep", "wakeup:main", "run_done:main"]
    );
    assert_eq!(stage.event_loop.time(), 30 * MS);
}

#[test]
fn no_delay_is_a_bare_yield() {
    let stage = Stage::new();
    stage.run(async { sleep(Duration::ZERO).await }).unwrap();
    assert_eq!(stage.trace(), ["step:main", "step:main", "run_done:main"]);
    assert_eq!(stage.event_loop.scheduled_len(), 0);
}

#[test]
fn the_timer_is_cancelled_on_the_way_out_of_a_cancelled_sleep() {
    let stage = Stage::new();
    let hour = Duration::from_hours(1);
    let task = stage.task("sleeper", async move { sleep(hour).await });
    stage.turn(1);
    assert_eq!(
        (
            stage.event_loop.scheduled_len(),
            stage.event_loop.timer_cancelled_count()
        ),
        (1, 0)
    );
    task.cancel();
    let counts = (
        stage.event_loop.scheduled_len(),
        stage.event_loop.timer_cancelled_count(),
    );
    assert_eq!(counts, (1, 0), "not before the task runs");
    stage.turn(1);
    assert!(task.cancelled());
    let counts = (
        stage.event_loop.scheduled_len(),
        stage.event_loop.timer_cancelled_count(),
    );
    assert_eq!(counts, (1, 1), "cancelled, and swept in the next turn");
    stage.turn(1);
    let counts = (
        stage.event_loop.scheduled_len(),
        stage.event_loop.timer_cancelled_count(),
    );
    assert_eq!(counts, (0, 0));
    assert_eq!(stage.event_loop.time(), Duration::ZERO);
}

#[test]
fn a_sleep_that_ended_leaves_no_count_behind() {
    let stage = Stage::new();
    let main = async {
        gather((1..=200).map(|n| sleep(n * MS)))?.await?;
        Ok(())
    };
    stage.run(main).unwrap();
    let counts = (
        stage.event_loop.scheduled_len(),
        stage.event_loop.timer_cancelled_count(),
    );
    assert_eq!(counts, (0, 0));
}

#[test]
fn a_sleep_dropped_in_the_middle_cancels_its_timer() {
    let stage = Stage::new();
    let main = async {
        {
            let mut nap = std::pin::pin!(sleep(1_000 * MS));
            assert!(futures::poll!(&mut nap).is_pending());
        }
        let event_loop = six_steps::running_loop()?;
        assert_eq!(event_loop.timer_cancelled_count(), 1);
        yield_now().await?;
        assert_eq!(event_loop.scheduled_len(), 0);
        Ok(())
    };
    stage.run(main).unwrap();
    assert_eq!(stage.event_loop.time(), Duration::ZERO);
}

#[test]
fn a_cancelled_sleeps_future_ignores_a_timer_that_fires_all_the_same() {
    let stage = Stage::new();
    // The sleeper's timer is due in the very turn in which it is cancelled, and behind that.
    let main = async {
        let sleeper = create_task(sleep(10 * MS))?;
        let (event_loop, cancel) = (six_steps::running_loop()?, sleeper.clone());
        event_loop.call_at(10 * MS, move || {
            cancel.cancel();
        })?;
        Ok(sleeper.await.unwrap_err().is_cancelled())
    };
    assert!(stage.run(main).unwrap());
    let fired = stage
        .trace()
        .into_iter()
        .find(|turn| turn.ends_with(" sleep"));
    assert!(fired.is_some(), "{:?}", stage.trace());
    assert!(stage.reports().is_empty(), "{:?}", stage.reports());
}

#[test]
fn without_a_loop_there_is_nothing_to_sleep_on() {
    let outcome = futures::executor::block_on(sleep(MS)).unwrap_err();
    assert!(matches!(
        outcome.downcast_ref(),
        Some(LoopError::NoRunningLoop)
    ));
}

#[test]
fn a_delay_beyond_the_clock_is_an_error() {
    let event_loop = six_steps::EventLoop::with_selector(VirtualSelector::new());
    let outcome = event_loop.run_until_complete(async { sleep(Duration::MAX).await });
    assert!(matches!(
        outcome.unwrap_err().downcast_ref(),
        Some(LoopError::Deadline(_))
    ));
    assert_eq!(event_loop.scheduled_len(), 0);
}
