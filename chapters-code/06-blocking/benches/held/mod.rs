//! Whole runs on a real clock in which somebody holds the loop's thread, and what the others see.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, Ending, Manner, Pulse, beside, work};
use rows::{Figure, Scale};
use runner::Runner;
use six_steps::{Recorder, TurnRecord};
use wakeup::{Outcome, create_task, gather, sleep};

const CHUNK: Duration = Duration::from_millis(100);

/// Reproduces "N tasks of 100 ms" (A14): how long, in how many turns, and what the longest took.
pub(crate) fn tasks(row: &str, manner: Manner, n: u32, scale: Scale) -> Vec<Figure> {
    let (event_loop, block) = Block::real();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let mut runner = Runner::with_loop(event_loop.clone());
    let chunk = scale.time(CHUNK);
    let start = event_loop.time();
    let all = async move { gather((0..n).map(|_| work(manner, 1, chunk, block.clone())))?.await };
    runner.run(all).unwrap();
    let total = event_loop.time().saturating_sub(start);
    runner.close().unwrap();
    let turns = recorder.turns();
    let length = |turn: &TurnRecord| turn.ended.map(|end| end.saturating_sub(turn.started));
    let longest = turns.iter().filter_map(length).max().unwrap_or_default();
    vec![
        Figure::ms(row, total),
        Figure::count(format!("{row}-turns"), turns.len() as u64, "turns"),
        Figure::ms(format!("{row}-longest"), longest),
    ]
}

/// Reproduces "a pulse every 10 ms beside ten chunks of 100 ms" (A15): its ticks, and the gaps
/// between them.
pub(crate) fn pulse(row: &str, manner: Manner, scale: Scale) -> Vec<Figure> {
    let (event_loop, block) = Block::real();
    let pulse = Pulse::every(scale.time(Duration::from_millis(10)));
    let worker = work(manner, 10, scale.time(CHUNK), block);
    let mut runner = Runner::with_loop(event_loop);
    runner
        .run(beside(Rc::clone(&pulse), worker, Ending::Flag))
        .unwrap();
    runner.close().unwrap();
    vec![
        Figure::count(format!("{row}-ticks"), pulse.ticks().len() as u64, "ticks"),
        Figure::ms(row, pulse.median_gap()).of(pulse.gaps()),
        Figure::ms(format!("{row}-longest"), pulse.longest_gap()),
    ]
}

/// Reproduces "longest gap of a heartbeat" (L3): every 20 ms, beside half a second of work.
pub(crate) fn heartbeat(row: &str, manner: Manner, scale: Scale) -> Vec<Figure> {
    let (event_loop, block) = Block::real();
    let heart = Pulse::every(scale.time(Duration::from_millis(20)));
    let mut runner = Runner::with_loop(event_loop);
    runner
        .run(beat_beside(Rc::clone(&heart), manner, block, scale))
        .unwrap();
    runner.close().unwrap();
    vec![Figure::ms(row, heart.longest_gap()).of(heart.gaps())]
}

async fn beat_beside(heart: Rc<Pulse>, manner: Manner, block: Block, scale: Scale) -> Outcome<()> {
    let (before, long) = (Duration::from_millis(50), Duration::from_millis(500));
    let beating = create_task(Rc::clone(&heart).beat())?;
    sleep(scale.time(before)).await?;
    work(manner, 1, scale.time(long), block).await?;
    sleep(scale.time(before)).await?;
    heart.stop();
    beating.await
}
