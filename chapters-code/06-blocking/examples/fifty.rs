//! One task, ten and fifty that take 100 ms each, blocking and waiting: how long, in how many
//! turns, and what the longest turn did. `--virtual` tells it exactly.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, Manner, work};
use runner::Runner;
use six_steps::{EventLoop, Recorder, TurnRecord};
use wakeup::{Outcome, gather};

const CHUNK: Duration = Duration::from_millis(100);

fn main() -> Result<(), String> {
    let virtual_time = std::env::args().any(|argument| argument == "--virtual");
    println!(
        "            tasks      total   turns: of the tasks  of the run   longest turn  of it asleep"
    );
    for manner in [Manner::Rude, Manner::Cooperative] {
        for n in [1, 10, 50] {
            let (event_loop, block) = if virtual_time {
                Block::on_virtual_clock()
            } else {
                Block::real()
            };
            print(manner, n, event_loop, block).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

fn print(manner: Manner, n: u32, event_loop: EventLoop, block: Block) -> Outcome<()> {
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    let start = event_loop.time();
    let mut runner = Runner::with_loop(event_loop.clone());
    // ANCHOR: fifty
    runner.run(async move {
        let tasks = (0..n).map(|_| work(manner, 1, CHUNK, block.clone()));
        gather(tasks)?.await.map(drop)
    })?;
    // ANCHOR_END: fifty
    let total = event_loop.time().saturating_sub(start);
    runner.close()?;

    let turns = recorder.turns();
    let of_the_tasks = turns.iter().filter(|turn| is_of_the_tasks(turn)).count();
    let length = |turn: &TurnRecord| turn.ended.map(|end| end.saturating_sub(turn.started));
    let asleep = |turn: &TurnRecord| turn.woke.map(|woke| woke.saturating_sub(turn.started));
    let longest = turns.iter().max_by_key(|turn| length(turn));
    let (length, asleep) = longest.map_or((None, None), |turn| (length(turn), asleep(turn)));
    println!(
        "{:<12}{n:>5}{:>11}{of_the_tasks:>22}{:>12}{:>15}{:>14}",
        format!("{manner:?}").to_lowercase(),
        ms(total),
        turns.len(),
        ms(length.unwrap_or_default()),
        ms(asleep.unwrap_or_default()),
    );
    Ok(())
}

/// From the first task's start to the last one's end.
fn is_of_the_tasks(turn: &TurnRecord) -> bool {
    let of_one = |name: &String| name.ends_with(":Task-2") && !name.starts_with("gather_cb");
    turn.ran.iter().any(|name| name == "sleep" || of_one(name))
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
