//! The eight programs whose turns are to be predicted. They run on a virtual clock.

use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Exception, Recorder, TurnRecord, VirtualSelector};
use wakeup::{Outcome, Tasks, create_task, gather, sleep, yield_now};

/// A `main`.
pub type Main = Pin<Box<dyn Future<Output = Outcome<()>>>>;

fn returns_at_once() -> impl Future<Output = Outcome<()>> {
    std::future::ready(Ok(()))
}

async fn yields(times: u32) -> Outcome<()> {
    for _ in 0..times {
        yield_now().await?;
    }
    Ok(())
}

/// `NESTED`.
async fn nested() -> Outcome<()> {
    outer().await
}

async fn outer() -> Outcome<()> {
    inner().await
}

async fn inner() -> Outcome<()> {
    returns_at_once().await
}

/// `YIELDS`.
async fn three_yields() -> Outcome<()> {
    yields(3).await
}

/// `SLEEPS`.
async fn sleeps() -> Outcome<()> {
    sleep(Duration::from_millis(5)).await?;
    sleep(Duration::from_millis(5)).await
}

/// `ONE_BY_ONE`.
async fn one_by_one() -> Outcome<()> {
    create_task(returns_at_once())?.await?;
    create_task(returns_at_once())?.await
}

/// `MADE_BEFORE`.
async fn made_before() -> Outcome<()> {
    let first = create_task(returns_at_once())?;
    let second = create_task(returns_at_once())?;
    let third = create_task(returns_at_once())?;
    first.await?;
    second.await?;
    third.await
}

/// `CHAIN`.
async fn chain() -> Outcome<()> {
    let outer = create_task(async {
        let middle = create_task(async {
            let inner = create_task(returns_at_once())?;
            inner.await
        })?;
        middle.await
    })?;
    outer.await
}

/// `GATHER`.
async fn gather_of_100() -> Outcome<()> {
    gather((0..100).map(|_| yields(2)))?.await?;
    Ok(())
}

/// `LEFT_ALONE`.
#[expect(clippy::unused_async, reason = "it is a main like the others")]
async fn left_alone() -> Outcome<()> {
    let task = create_task(yields(5))?;
    task.keep_quiet_if_destroyed();
    Ok(())
}

/// A name, and what makes its `main`.
pub type Program = (&'static str, fn() -> Main);

/// All of them, by name.
pub const PROGRAMS: [Program; 8] = [
    ("nested", || Box::pin(nested())),
    ("yields", || Box::pin(three_yields())),
    ("sleeps", || Box::pin(sleeps())),
    ("one-by-one", || Box::pin(one_by_one())),
    ("made-before", || Box::pin(made_before())),
    ("chain", || Box::pin(chain())),
    ("gather", || Box::pin(gather_of_100())),
    ("left-alone", || Box::pin(left_alone())),
];

/// Runs a `main` on a loop of its own, and returns what each turn did.
///
/// # Errors
/// What the program ended with.
pub fn turns(main: Main) -> Outcome<Vec<TurnRecord>> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let task = event_loop.create_task(main)?;
    task.set_name("main");
    event_loop.run_until_complete(task)?;
    event_loop.close()?;
    Ok(recorder.turns())
}

/// The program of this name.
///
/// # Errors
/// That there is none.
pub fn program(name: &str) -> Outcome<Main> {
    let found = PROGRAMS.iter().find(|(known, _)| *known == name);
    let (_, main) = found.ok_or_else(|| Exception::error(format!("no program `{name}`")))?;
    Ok(main())
}
