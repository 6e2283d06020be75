//! A heartbeat every 20 ms, while another task takes half a second: the longest gap between two
//! beats. `--virtual` tells it exactly.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, Manner, Pulse, VirtualExecutor, work};
use runner::Runner;
use wakeup::{Outcome, create_task, sleep};

const LONG: Duration = Duration::from_millis(500);

fn main() -> Result<(), String> {
    let virtual_time = std::env::args().any(|argument| argument == "--virtual");
    for (name, manner) in [
        ("rude", Manner::Rude),
        ("polite", Manner::Cooperative),
        ("offloaded", Manner::Offloaded),
    ] {
        let (event_loop, block) = if virtual_time {
            Block::on_virtual_clock()
        } else {
            Block::real()
        };
        if virtual_time && manner == Manner::Offloaded {
            VirtualExecutor::make_default(&event_loop, LONG);
        }
        let heart = Pulse::every(Duration::from_millis(20));
        let mut runner = Runner::with_loop(event_loop);
        let ran = runner.run(beat_beside(Rc::clone(&heart), manner, block));
        ran.and_then(|()| runner.close())
            .map_err(|e| e.to_string())?;
        let gap = heart.longest_gap().as_secs_f64() * 1e3;
        let beats = heart.ticks().len();
        println!("{name:<10} {beats:>2} beats, longest gap {gap:>5.1} ms");
    }
    Ok(())
}

// ANCHOR: heartbeat
async fn beat_beside(heart: Rc<Pulse>, manner: Manner, block: Block) -> Outcome<()> {
    let beating = create_task(Rc::clone(&heart).beat())?;
    sleep(Duration::from_millis(50)).await?;
    work(manner, 1, LONG, block).await?;
    sleep(Duration::from_millis(50)).await?;
    heart.stop();
    beating.await
}
// ANCHOR_END: heartbeat
