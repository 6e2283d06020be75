//! The programs whose turns are counted, on a virtual clock. Not yours to change.
#![expect(
    clippy::unused_async,
    reason = "a main is a coroutine, even one that awaits nothing"
)]

use std::rc::Rc;
use std::time::Duration;

use runner::Runner;
use six_steps::{EventLoop, TurnCounter, VirtualSelector, running_loop};
use wakeup::{Outcome, create_task, gather, sleep, yield_now};

const NAP: Duration = Duration::from_millis(10);
const HOUR: Duration = Duration::from_hours(1);

/// Main gives the others their turn, twice.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn yields_twice() -> Outcome<()> {
    yield_now().await?;
    yield_now().await
}

/// Main sleeps, twice.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn sleeps_twice() -> Outcome<()> {
    sleep(NAP).await?;
    sleep(NAP).await
}

/// Main gathers fifty coroutines that yield once each.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn gathers_fifty() -> Outcome<()> {
    gather((0..50).map(|_| async { yield_now().await }))?.await?;
    Ok(())
}

/// Main makes a task that would sleep for an hour, and returns at once.
///
/// # Errors
/// What the loop refuses.
pub async fn leaves_one_asleep() -> Outcome<()> {
    create_task(sleep(HOUR))?;
    Ok(())
}

/// Main yields, stops the loop, and returns.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn yields_and_stops() -> Outcome<()> {
    yield_now().await?;
    running_loop()?.stop();
    Ok(())
}

/// Main returns at once.
///
/// # Errors
/// None.
pub async fn returns() -> Outcome<()> {
    Ok(())
}

/// Main gives the others their turn, once.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn yields() -> Outcome<()> {
    yield_now().await
}

/// A runner on a virtual clock, and the count of its turns.
pub fn counted() -> (Runner, Rc<TurnCounter>) {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    (Runner::with_loop(event_loop), turns)
}

/// The turns of a whole `run` of this main, closing phases included.
///
/// # Errors
/// What main ended with.
pub fn turns_of(main: impl Future<Output = Outcome<()>> + 'static) -> Outcome<u64> {
    let (mut runner, turns) = counted();
    runner.run(main)?;
    runner.close()?;
    Ok(turns.count())
}

/// The turns of one runner which runs three mains, one after another, and is closed: one that
/// returns, one that yields once, one that returns.
///
/// # Errors
/// What a main ended with.
pub fn three_on_one_runner() -> Outcome<u64> {
    let (mut runner, turns) = counted();
    runner.run(returns())?;
    runner.run(yields())?;
    runner.run(returns())?;
    runner.close()?;
    Ok(turns.count())
}

/// The same three, each by a `run` of its own.
///
/// # Errors
/// What a main ended with.
pub fn three_runs() -> Outcome<u64> {
    Ok(turns_of(returns())? + turns_of(yields())? + turns_of(returns())?)
}
