//! Whole programs, turn by turn: main, then the phases of the end, two turns each.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use runner::{Phase, Runner};
use six_steps::{EventLoop, Recorder, TurnCounter, VirtualSelector, running_loop};
use wakeup::{Outcome, create_task, gather, sleep, yield_now};

const MS: Duration = Duration::from_millis(1);

/// A runner on a virtual clock, and what its turns ran.
fn recorded() -> (Runner, Rc<Recorder>) {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    (Runner::with_loop(event_loop), recorder)
}

fn ran(recorder: &Recorder) -> Vec<Vec<String>> {
    recorder.turns().into_iter().map(|turn| turn.ran).collect()
}

/// The turns of a whole program.
fn turns<T: Clone + 'static>(main: impl Future<Output = Outcome<T>> + 'static) -> u64 {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(main).unwrap();
    runner.close().unwrap();
    turns.count()
}

#[test]
fn the_empty_program_is_six_turns() {
    let (mut runner, recorder) = recorded();
    runner.run(async { Ok(()) }).unwrap();
    runner.close().unwrap();
    assert_eq!(
        ran(&recorder),
        [
            ["step:Task-1"],
            ["run_done:Task-1"],
            ["step:shutdown_asyncgens"],
            ["run_done:shutdown_asyncgens"],
            ["step:shutdown_default_executor"],
            ["run_done:shutdown_default_executor"],
        ]
    );
}

/// `run` makes its own loop, so its turns are counted from inside: by a watcher that main adds and
/// that outlives the loop. It comes too late to see its own turn begin.
#[test]
fn run_is_six_turns_too() {
    let turns = Rc::new(TurnCounter::default());
    let watching = turns.clone();
    runner::run(async move {
        running_loop()?.watch(watching);
        Ok(())
    })
    .unwrap();
    assert_eq!(1 + turns.count(), 6);
}

async fn nested(depth: u32) -> Outcome<u32> {
    if depth == 0 {
        return Ok(0);
    }
    Ok(1 + Box::pin(nested(depth - 1)).await?)
}

#[test]
fn awaits_that_do_not_suspend_cost_no_turn() {
    for depth in [1, 3, 10] {
        assert_eq!(turns(nested(depth)), 6, "{depth}");
    }
}

#[test]
fn each_suspension_costs_what_the_table_says() {
    let yields = |times| async move {
        for _ in 0..times {
            yield_now().await?;
        }
        Ok(())
    };
    let sleeps = |times| async move {
        for _ in 0..times {
            sleep(MS).await?;
        }
        Ok(())
    };
    assert_eq!([turns(yields(1)), turns(yields(10))], [7, 16]);
    assert_eq!([turns(sleeps(1)), turns(sleeps(10))], [8, 26]);
    assert_eq!(turns(async { create_task(async { Ok(()) })?.await }), 8);
    assert_eq!(turns(async { create_task(yield_now())?.await }), 9);
    let resolved = async {
        let event_loop = running_loop()?;
        let future = wakeup::Tasks::create_future::<()>(&event_loop);
        let set = future.clone();
        event_loop.call_soon(move || set.set_result(()))?;
        future.await
    };
    assert_eq!(turns(resolved), 8);
}

#[test]
fn a_gather_costs_the_same_for_ten_and_for_a_thousand() {
    for n in [1, 10, 1_000] {
        let returns = async move { gather((0..n).map(|_| async { Ok(()) }))?.await };
        assert_eq!(turns(returns), 9, "{n}");
        let yields = async move { gather((0..n).map(|_| yield_now()))?.await };
        assert_eq!(turns(yields), 10, "{n}");
        let sleeps = async move { gather((0..n).map(|_| sleep(100 * MS)))?.await };
        assert_eq!(turns(sleeps), 11, "{n}");
    }
}

#[test]
fn a_second_run_on_the_same_loop_is_two_turns() {
    let (mut runner, recorder) = recorded();
    for _ in 0..3 {
        runner.run(async { Ok(()) }).unwrap();
    }
    assert_eq!(recorder.turns().len(), 6);
    runner.close().unwrap();
    assert_eq!(recorder.turns().len(), 10);
}

/// A task that is left takes a phase of its own, three turns: the cancellation reaches it, its
/// done callback counts it, and the gathering stops the loop.
#[test]
fn a_task_left_pending_adds_three_turns() {
    let (mut runner, recorder) = recorded();
    let main = async {
        let left = create_task(sleep(10_000 * MS))?;
        left.set_name("left");
        yield_now().await
    };
    runner.run(main).unwrap();
    let before = recorder.turns().len();
    let mut phases = Vec::new();
    runner.close_observed(|phase| phases.push(phase)).unwrap();
    assert_eq!(
        phases,
        [
            Phase::Cancel,
            Phase::AsyncGenerators,
            Phase::DefaultExecutor
        ]
    );
    let closing = ran(&recorder).split_off(before);
    assert_eq!(
        closing[..3],
        [["wakeup:left"], ["gather_cb:left"], ["run_done"]]
    );
    // Nobody waited ten seconds.
    let turns = recorder.turns();
    assert_eq!(
        turns.last().and_then(|turn| turn.ended),
        Some(Duration::ZERO)
    );
}

/// Main yields once, so that the task is asleep when it is left: three turns, three, and four.
#[test]
fn a_program_that_leaves_a_task_is_ten_turns() {
    let main = async {
        create_task(sleep(10_000 * MS))?;
        yield_now().await
    };
    assert_eq!(turns(main), 10);
}

/// A `stop` in main's last step: each stale callback stops the next phase after one turn.
#[test]
fn stop_in_the_last_step_makes_three_turns() {
    let (mut runner, recorder) = recorded();
    let main = async {
        running_loop()?.stop();
        Ok(42)
    };
    assert_eq!(runner.run(main).unwrap(), 42);
    runner.close().unwrap();
    assert_eq!(
        ran(&recorder),
        [
            vec!["step:Task-1"],
            vec!["run_done:Task-1", "step:shutdown_asyncgens"],
            vec![
                "run_done:shutdown_asyncgens",
                "step:shutdown_default_executor"
            ],
        ]
    );
}

/// A task made in main's last step has its first step in main's last turn, before the callback
/// that ends the run; what it leaves is for the end.
#[test]
fn a_task_made_in_the_last_step_begins() {
    let begun = Rc::new(RefCell::new(false));
    let mark = Rc::clone(&begun);
    let main = async move {
        create_task(async move {
            mark.replace(true);
            Ok(())
        })?;
        Ok(())
    };
    assert_eq!(turns(main), 6);
    assert!(*begun.borrow());
}

/// A program with a job of another thread: two turns more in main, two more in the last phase.
#[test]
fn to_thread_adds_two_turns_and_two_for_its_end() {
    let (mut runner, recorder) = recorded_system();
    let main = async { blocking::to_thread(|| 42).await };
    assert_eq!(runner.run(main).unwrap(), 42);
    let main_turns = with_handles(&recorder);
    runner.close().unwrap();
    assert_eq!((main_turns, with_handles(&recorder)), (4, 10));
}

fn recorded_system() -> (Runner, Rc<Recorder>) {
    let event_loop = EventLoop::new();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    (Runner::with_loop(event_loop), recorder)
}

/// Turns that ran something: a post may come between select and the look into the hatch, and then
/// the bell rings once more for a turn with nothing in it.
fn with_handles(recorder: &Recorder) -> usize {
    let turns = recorder.turns();
    turns.iter().filter(|turn| !turn.ran.is_empty()).count()
}
