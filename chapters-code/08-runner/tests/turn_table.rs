//! The turns of small programs, closing turns included, beside those of `asyncio.run` on CPython
//! 3.13.0 (3.12 and 3.11 agree). Each test is one program; what it expects is what CPython ran,
//! turn by turn.

use std::rc::Rc;
use std::time::Duration;

use blocking::to_thread;
use runner::{AsyncGenerator, Runner};
use six_steps::{EventLoop, Recorder, TurnCounter, VirtualClock, VirtualSelector, running_loop};
use wakeup::{Outcome, Task, Tasks, create_task, gather, sleep, yield_now};

const MS: Duration = Duration::from_millis(1);

/// The two phases after main of a program that leaves nothing behind.
const CLOSE: &str = " · S · R · S · R";

/// `S` a task's step, `W` a wakeup, `R` the callback that ends a run, `T` a sleep's timer, `G` a
/// gathering's callback, `C` a callback of the program's own; `×n` that many in one turn.
fn letter(name: &str) -> &'static str {
    match name.split(':').next() {
        Some("step") => "S",
        Some("wakeup") => "W",
        Some("run_done") => "R",
        Some("sleep") => "T",
        Some("gather_cb") => "G",
        _ => "C",
    }
}

fn turn(ran: &[String]) -> String {
    let letters: Vec<_> = ran.iter().map(|name| letter(name)).collect();
    let groups = letters.chunk_by(|a, b| a == b);
    let shown = groups.map(|group| match group {
        [one] => (*one).to_owned(),
        many => format!("{}×{}", many[0], many.len()),
    });
    shown.collect::<Vec<_>>().join("+")
}

/// Runs a program on a virtual clock, to the end of its closing. Returns its turns.
fn run<T: Clone + 'static>(
    main: impl AsyncFnOnce(VirtualClock) -> Outcome<T> + 'static,
) -> (usize, String) {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(async move { main(clock).await }).unwrap();
    runner.close().unwrap();
    let turns = recorder.turns();
    let shown: Vec<_> = turns.iter().map(|record| turn(&record.ran)).collect();
    (turns.len(), shown.join(" · "))
}

/// One program: its name, its turns, what they run in main's phase, and main.
macro_rules! turns {
    ($($name:ident: $turns:literal, $ran:literal, $main:expr;)*) => {$(
        #[test]
        fn $name() {
            let (turns, ran) = run($main);
            assert_eq!(ran, format!("{}{CLOSE}", $ran));
            assert_eq!(turns, $turns);
        }
    )*};
}

async fn nested(depth: u32) -> Outcome<u32> {
    match depth {
        0 => Ok(0),
        _ => Ok(Box::pin(nested(depth - 1)).await? + 1),
    }
}

async fn yields(times: u32) -> Outcome<()> {
    for _ in 0..times {
        yield_now().await?;
    }
    Ok(())
}

async fn naps(times: u32) -> Outcome<()> {
    for _ in 0..times {
        sleep(10 * MS).await?;
    }
    Ok(())
}

async fn all(count: u32, each: impl AsyncFn() -> Outcome<()> + Copy + 'static) -> Outcome<()> {
    gather((0..count).map(move |_| async move { each().await }))?
        .await
        .map(drop)
}

turns! {
    empty: 6, "S · R", async |_| Ok(());
    nested_await_of_1: 6, "S · R", async |_| nested(1).await;
    nested_await_of_3: 6, "S · R", async |_| nested(3).await;
    nested_await_of_10: 6, "S · R", async |_| nested(10).await;
    sleep_zero_once: 7, "S · S · R", async |_| sleep(Duration::ZERO).await;
    sleep_zero_ten_times: 16, "S · S · S · S · S · S · S · S · S · S · S · R",
        async |_| yields(10).await;
    sleep_once: 8, "S · T · W · R", async |_| naps(1).await;
    sleep_three_times: 12, "S · T · W · T · W · T · W · R", async |_| naps(3).await;
    sleep_ten_times: 26,
        "S · T · W · T · W · T · W · T · W · T · W · T · W · T · W · T · W · T · W · T · W · R",
        async |_| naps(10).await;
    create_task_and_await: 8, "S · S · W · R", async |_| create_task(yields(0))?.await;
    create_task_with_a_yield_and_await: 9, "S · S · S · W · R",
        async |_| create_task(yields(1))?.await;
    create_task_never_awaited: 6, "S · S+R",
        async |_| create_task(yields(0)).map(drop).map_err(Into::into);
    ten_tasks_each_awaiting_the_one_before: 8, "S · S×10 · W · R", async |_| {
        let mut last: Option<Task<()>> = None;
        for _ in 0..10 {
            let before = last.take();
            last = Some(create_task(async move {
                match before {
                    Some(task) => task.await,
                    None => Ok(()),
                }
            })?);
        }
        last.unwrap().await
    };
    gather_of_1: 9, "S · S · G · W · R", async |_| all(1, async || Ok(())).await;
    gather_of_10: 9, "S · S×10 · G×10 · W · R", async |_| all(10, async || Ok(())).await;
    gather_of_1000: 9, "S · S×1000 · G×1000 · W · R", async |_| all(1000, async || Ok(())).await;
    gather_of_10_that_yield: 10, "S · S×10 · S×10 · G×10 · W · R",
        async |_| all(10, async || yields(1).await).await;
    gather_of_1000_that_yield: 10, "S · S×1000 · S×1000 · G×1000 · W · R",
        async |_| all(1000, async || yields(1).await).await;
    gather_of_10_that_sleep: 11, "S · S×10 · T×10 · W×10 · G×10 · W · R",
        async |_| all(10, async || naps(1).await).await;
    future_resolved_by_call_soon: 8, "S · C · W · R", async |_| {
        let event_loop = running_loop()?;
        let future = event_loop.create_future();
        let setter = future.clone();
        event_loop.call_soon(move || setter.set_result(()))?;
        future.await
    };
    future_resolved_by_call_later: 8, "S · C · W · R", async |_| {
        let event_loop = running_loop()?;
        let future = event_loop.create_future();
        let setter = future.clone();
        event_loop.call_later(10 * MS, move || setter.set_result(()))?;
        future.await
    };
    future_done_already: 6, "S · R", async |_| {
        let future = running_loop()?.create_future();
        future.set_result(())?;
        future.await
    };
    cancel_a_sleeping_task_and_await_it: 9, "S · S×2 · W · W · R", async |_| {
        let task = create_task(sleep(10_000 * MS))?;
        yield_now().await?;
        task.cancel();
        assert!(task.await.unwrap_err().is_cancelled());
        Ok(())
    };
    call_soon_of_nothing: 6, "S · C+R", async |_| {
        running_loop()?.call_soon(|| ())?;
        Ok(())
    };
}

#[test]
fn a_sleeping_task_left_pending_is_cancelled_in_a_phase_of_its_own() {
    let (turns, ran) = run(async |_| {
        create_task(sleep(10_000 * MS))?;
        yield_now().await
    });
    assert_eq!(ran, format!("S · S×2 · R · W · G · R{CLOSE}"));
    assert_eq!(turns, 10);
}

#[test]
fn an_async_generator_left_open_is_closed_in_its_phase() {
    let (turns, ran) = run(async |_| {
        AsyncGenerator::open("g", async { Ok(()) })?;
        Ok(())
    });
    assert_eq!(ran, "S · R · S · S · G · W · R · S · R");
    assert_eq!(turns, 9);
}

#[test]
fn gather_of_tasks_that_block_100_ms_is_nine_turns_however_many() {
    for (count, longest) in [(1_u32, 100), (10, 1_000), (50, 5_000)] {
        let selector = VirtualSelector::new();
        let clock = selector.clock();
        let event_loop = EventLoop::with_selector(selector);
        let recorder = Rc::new(Recorder::default());
        event_loop.watch(recorder.clone());
        let mut runner = Runner::with_loop(event_loop);
        let block = move || {
            let clock = clock.clone();
            async move {
                clock.advance(100 * MS);
                Ok(())
            }
        };
        let main = async move { gather((0..count).map(|_| block()))?.await };
        runner.run(main).unwrap();
        runner.close().unwrap();
        let turns = recorder.turns();
        assert_eq!(turns.len(), 9);
        let longest_turn = turns
            .iter()
            .map(|turn| turn.ended.unwrap().saturating_sub(turn.started))
            .max();
        assert_eq!(longest_turn, Some(longest * MS));
    }
}

#[test]
fn gather_of_tasks_that_sleep_100_ms_is_eleven_turns_however_many() {
    for count in [1, 10, 50] {
        let (turns, _) = run(async move |_| gather((0..count).map(|_| sleep(100 * MS)))?.await);
        assert_eq!(turns, 11);
    }
}

#[test]
fn to_thread_is_ten_turns_two_of_them_for_the_executors_end() {
    let event_loop = EventLoop::new();
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let mut runner = Runner::with_loop(event_loop);
    assert_eq!(runner.run(to_thread(|| 42)).unwrap(), 42);
    runner.close().unwrap();
    assert_eq!(turns.count(), 10);
}
