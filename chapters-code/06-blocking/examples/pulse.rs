//! A pulse every 10 ms beside a worker that does ten chunks of 100 ms, in four manners. `--virtual`
//! tells it exactly; without it, it takes four seconds.

use std::rc::Rc;
use std::time::Duration;

use blocking::{Block, Ending, Manner, Pulse, VirtualExecutor, beside, work};
use runner::Runner;

const CHUNK: Duration = Duration::from_millis(100);

fn main() -> Result<(), String> {
    let virtual_time = std::env::args().any(|argument| argument == "--virtual");
    println!("worker       ticks   median gap   longest gap   the first ticks, and the last");
    for manner in [
        Manner::Rude,
        Manner::Yielding,
        Manner::Cooperative,
        Manner::Offloaded,
    ] {
        let (event_loop, block) = if virtual_time {
            Block::on_virtual_clock()
        } else {
            Block::real()
        };
        if virtual_time && manner == Manner::Offloaded {
            VirtualExecutor::make_default(&event_loop, CHUNK);
        }
        // ANCHOR: pulse
        let pulse = Pulse::every(Duration::from_millis(10));
        let worker = work(manner, 10, CHUNK, block);
        let mut runner = Runner::with_loop(event_loop);
        let ran = runner.run(beside(Rc::clone(&pulse), worker, Ending::Flag));
        // ANCHOR_END: pulse
        ran.and_then(|()| runner.close())
            .map_err(|e| e.to_string())?;
        print(manner, &pulse);
    }
    Ok(())
}

fn print(manner: Manner, pulse: &Pulse) {
    let ticks = pulse.ticks();
    let shown: Vec<String> = ticks.iter().map(|&tick| ms(tick)).collect();
    let shown = match &shown[..] {
        [first, second, third, _, .., last] if shown.len() > 4 => {
            format!("{first}, {second}, {third} … {last}")
        }
        few => few.join(", "),
    };
    println!(
        "{:<13}{:>5}{:>13}{:>14}   {shown}",
        format!("{manner:?}").to_lowercase(),
        ticks.len(),
        format!("{} ms", ms(pulse.median_gap())),
        format!("{} ms", ms(pulse.longest_gap())),
    );
}

fn ms(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}
