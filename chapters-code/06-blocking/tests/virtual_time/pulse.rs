//! A pulse beside a worker, exact to the turn: what blocking does to everybody else on the loop.

use std::rc::Rc;
use std::time::Duration;

use crate::whole_run::{MS, WholeRun};
use blocking::{Ending, Manner, Pulse, beside, work};
use wakeup::{create_task, sleep};

const CHUNK: Duration = Duration::from_millis(100);

fn pulse_beside(manner: Manner, chunks: u32, chunk: Duration, ending: Ending) -> Rc<Pulse> {
    let pulse = Pulse::every(10 * MS);
    let beating = Rc::clone(&pulse);
    let job = (manner == Manner::Offloaded).then_some(chunk);
    WholeRun::of(job, |block| {
        beside(beating, work(manner, chunks, chunk, block), ending)
    });
    pulse
}

fn every(gap: u32, times: u32) -> Vec<Duration> {
    (1..=times).map(|tick| tick * gap * MS).collect()
}

#[test]
fn a_worker_that_yields_every_100_ms_leaves_it_four_ticks() {
    let pulse = pulse_beside(Manner::Yielding, 10, CHUNK, Ending::Flag);
    assert_eq!(pulse.ticks(), [300 * MS, 600 * MS, 900 * MS, 1000 * MS]);
    assert_eq!(pulse.median_gap(), 300 * MS);
}

#[test]
fn or_three_if_it_is_cancelled() {
    let pulse = pulse_beside(Manner::Yielding, 10, CHUNK, Ending::Cancel);
    assert_eq!(pulse.ticks(), [300 * MS, 600 * MS, 900 * MS]);
}

#[test]
fn a_worker_that_never_yields_leaves_it_one() {
    let pulse = pulse_beside(Manner::Rude, 10, CHUNK, Ending::Flag);
    assert_eq!(pulse.ticks(), [1000 * MS]);
}

#[test]
fn a_worker_that_waits_or_is_elsewhere_leaves_it_all_hundred() {
    for manner in [Manner::Cooperative, Manner::Offloaded] {
        let pulse = pulse_beside(manner, 10, CHUNK, Ending::Cancel);
        assert_eq!(pulse.ticks(), every(10, 100), "{manner:?}");
        // The flag is seen at the tick after the worker's end, and that tick counts too.
        let pulse = pulse_beside(manner, 10, CHUNK, Ending::Flag);
        assert_eq!(pulse.ticks(), every(10, 101), "{manner:?}");
    }
}

#[test]
fn in_smaller_chunks_a_tick_still_takes_three() {
    let pulse = pulse_beside(Manner::Yielding, 50, 20 * MS, Ending::Cancel);
    assert_eq!(pulse.ticks()[..16], every(60, 16));
    assert_eq!(pulse.ticks()[16..], [1000 * MS]);
    // A chunk as long as the pulse's own time still costs it two beats of three.
    let pulse = pulse_beside(Manner::Yielding, 100, 10 * MS, Ending::Cancel);
    assert_eq!(pulse.ticks(), every(30, 33));
}

/// The recording that the chapter tells turn by turn; the same on CPython 3.13.0.
#[test]
fn the_three_turns_of_a_tick() {
    let pulse = Pulse::every(10 * MS);
    let run = WholeRun::of(None, |block| {
        let worker = work(Manner::Yielding, 10, CHUNK, block);
        beside(Rc::clone(&pulse), worker, Ending::Flag)
    });
    let ran: Vec<String> = run.turns.iter().map(|turn| turn.ran.join(" ")).collect();
    let three = [
        "step:worker",
        "step:worker sleep",
        "step:worker wakeup:pulse",
    ];
    let mut expected = vec!["step:Task-1", "step:pulse step:worker"];
    expected.extend(&three[1..]);
    expected.extend(three.repeat(2));
    expected.extend(["step:worker", "step:worker sleep"]);
    expected.extend([
        "wakeup:Task-1 wakeup:pulse",
        "wakeup:Task-1",
        "run_done:Task-1",
    ]);
    let main = ran.iter().position(|ran| ran == "run_done:Task-1");
    assert_eq!(ran[..=main.unwrap()], expected);

    // Each turn is one chunk long, and only in the first of three does select have to say that
    // the timer is not due: in the others something is ready.
    for turn in &run.turns[1..11] {
        assert_eq!(turn.ended, Some(turn.started + CHUNK));
        assert_eq!(turn.timeout, Some(Duration::ZERO));
    }
    // The timer of 10 ms is on the heap as turn 2 ends, 90 ms late already.
    assert_eq!((run.turns[2].started, run.turns[2].heap.0), (CHUNK, 1));
}

fn heartbeat_beside(manner: Manner) -> Rc<Pulse> {
    let heart = Pulse::every(20 * MS);
    let beating = Rc::clone(&heart);
    let long = 500 * MS;
    let job = (manner == Manner::Offloaded).then_some(long);
    WholeRun::of(job, |block| async move {
        let beats = create_task(Rc::clone(&beating).beat())?;
        sleep(50 * MS).await?;
        work(manner, 1, long, block).await?;
        sleep(50 * MS).await?;
        beating.stop();
        beats.await
    });
    heart
}

#[test]
fn half_a_second_of_rudeness_stops_the_heart_for_as_long() {
    let heart = heartbeat_beside(Manner::Rude);
    assert_eq!(heart.longest_gap(), 510 * MS);
    assert!(heart.longest_gap() >= 500 * MS);
}

#[test]
fn a_polite_and_an_offloaded_call_leave_the_heart_alone() {
    for manner in [Manner::Cooperative, Manner::Offloaded] {
        let heart = heartbeat_beside(manner);
        assert!(heart.gaps().iter().all(|&gap| gap == 20 * MS), "{manner:?}");
        assert_eq!(heart.ticks().len(), 30, "{manner:?}");
    }
}
