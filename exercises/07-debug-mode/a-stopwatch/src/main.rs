//! Runs one turn of callbacks that block, watched by the stopwatch. The first argument is the limit,
//! the others say for how long each callback blocks, all in milliseconds.

use std::process::ExitCode;
use std::time::Duration;

use a_stopwatch::Stopwatch;
use six_steps::{Callback, EventLoop, Exception, Handle, VirtualClock, VirtualSelector};

struct Blocks(u64, VirtualClock);

impl Callback for Blocks {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        self.1.advance(Duration::from_millis(self.0));
        Ok(())
    }

    fn describe(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "block of {} ms", self.0)
    }
}

fn run(limit: u64, blocks: &[u64]) -> Result<(), Exception> {
    let clock = VirtualClock::default();
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock.clone()));
    let stopwatch = Stopwatch::with_limit(Duration::from_millis(limit));
    event_loop.watch(stopwatch.clone());
    for &block in blocks {
        let blocks = Blocks(block, clock.clone());
        event_loop.call_soon_handle(Handle::from_callback(blocks))?;
    }
    event_loop.run_once()?;
    for slow in stopwatch.slow() {
        println!("slow: {}, {:?}", slow.name, slow.took);
    }
    match stopwatch.worst() {
        Some(slow) => println!("worst: {}", slow.name),
        None => println!("none was slow"),
    }
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let Some((limit, blocks @ [_, ..])) = numbers.as_deref().ok().and_then(<[u64]>::split_first)
    else {
        eprintln!("give the limit and then at least one block, in milliseconds: 100 20 150");
        return ExitCode::FAILURE;
    };
    match run(*limit, blocks) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the loop ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
