//! N tasks of 100 ms: how long, in how many turns, and how long the longest of them is. The
//! figures are those that CPython 3.13.0 gives on its own clock, to the millisecond.

use std::time::Duration;

use crate::whole_run::{MS, WholeRun};
use blocking::{Manner, work};
use six_steps::TurnRecord;
use wakeup::gather;

const CHUNK: Duration = Duration::from_millis(100);
const NS: [u32; 6] = [1, 2, 5, 10, 20, 50];

struct Counted {
    run: WholeRun,
    total: Duration,
}

fn gathered(n: u32, manner: Manner) -> Counted {
    let run = WholeRun::of(None, |block| async move {
        let tasks = (0..n).map(|_| work(manner, 1, CHUNK, block.clone()));
        gather(tasks)?.await.map(drop)
    });
    let total = run.event_loop_time;
    Counted { run, total }
}

impl Counted {
    fn turn_of(&self, of: impl Fn(&TurnRecord) -> bool, what: &str) -> usize {
        let found = self.run.turns.iter().position(of);
        1 + found.unwrap_or_else(|| panic!("no turn in which {what}: {:#?}", self.run.turns))
    }

    /// From the first task's start to the last one's end; the same with gather's turn; until main
    /// goes on; and the whole run.
    fn counts(&self, tasks_end_in: usize) -> (usize, usize, usize, usize) {
        let starts = |turn: &TurnRecord| turn.ran.iter().any(|ran| ran == "step:Task-2");
        let resumes = |turn: &TurnRecord| turn.ran == ["wakeup:Task-1"];
        let first = self.turn_of(starts, "the tasks start");
        let last = tasks_end_in;
        (
            last - first + 1,
            last,
            self.turn_of(resumes, "main resumes"),
            self.run.turns.len(),
        )
    }

    fn longest(&self) -> Duration {
        let length = |turn: &TurnRecord| turn.ended.unwrap().abs_diff(turn.started);
        self.run.turns.iter().map(length).max().unwrap()
    }
}

#[test]
fn blocking_tasks_share_one_turn_and_add_up_in_it() {
    for n in NS {
        let counted = gathered(n, Manner::Rude);
        let step = |turn: &TurnRecord| turn.ran.iter().any(|ran| ran == "step:Task-2");
        let ends = counted.turn_of(step, "all tasks run");
        assert_eq!(counted.counts(ends), (1, 2, 4, 9), "{n} tasks");
        assert_eq!(counted.total, n * CHUNK, "{n} tasks");
        assert_eq!(counted.longest(), n * CHUNK, "{n} tasks");
        assert_eq!(counted.run.turns[1].ran.len(), n as usize);
    }
}

#[test]
fn cooperative_tasks_overlap_in_select() {
    for n in NS {
        let counted = gathered(n, Manner::Cooperative);
        let wake = |turn: &TurnRecord| turn.ran.iter().any(|ran| ran == "wakeup:Task-2");
        let ends = counted.turn_of(wake, "all tasks wake");
        assert_eq!(counted.counts(ends), (3, 4, 6, 11), "{n} tasks");
        assert_eq!(counted.total, CHUNK, "{n} tasks");
        // The longest turn is as long as that of one blocking task. It spent that time asleep.
        assert_eq!(counted.longest(), CHUNK, "{n} tasks");
        let asleep = &counted.run.turns[2];
        assert_eq!(asleep.timeout, Some(CHUNK), "{n} tasks");
        assert_eq!(asleep.woke, Some(asleep.started + CHUNK), "{n} tasks");
        assert_eq!(
            asleep.ended, asleep.woke,
            "{n} tasks: no handle took any time"
        );
    }
}

#[test]
fn one_after_another_they_add_up_either_way() {
    for manner in [Manner::Rude, Manner::Cooperative] {
        let run = WholeRun::of(None, |block| work(manner, 5, CHUNK, block));
        assert_eq!(run.event_loop_time, 500 * MS, "{manner:?}");
    }
}

#[test]
fn fifty_offloaded_tasks_overlap_too() {
    let run = WholeRun::of(Some(CHUNK), |block| async move {
        let tasks = (0..50).map(|_| work(Manner::Offloaded, 1, CHUNK, block.clone()));
        gather(tasks)?.await.map(drop)
    });
    assert_eq!(run.event_loop_time, CHUNK);
}

#[test]
fn a_yield_at_the_end_of_each_task_lets_nobody_in() {
    let counted = gathered(50, Manner::Yielding);
    assert_eq!(counted.total, 50 * CHUNK);
    assert_eq!(counted.longest(), 50 * CHUNK);
    assert_eq!(counted.run.turns.len(), 10);
}
