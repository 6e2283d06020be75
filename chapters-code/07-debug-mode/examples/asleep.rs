//! The wrong turn: a watcher that times turns calls a loop slow for sleeping.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use debug_mode::DebugMode;
use six_steps::{EventLoop, Exception, VirtualSelector, Watch};
use wakeup::{Tasks, sleep};

// ANCHOR: wrong
#[derive(Default)]
struct TimesTurns {
    started: Cell<Duration>,
}

impl Watch for TimesTurns {
    fn turn_started(&self, event_loop: &EventLoop) {
        self.started.set(event_loop.time());
    }

    fn turn_ended(&self, event_loop: &EventLoop) {
        let took = event_loop.time().saturating_sub(self.started.get());
        if took >= Duration::from_millis(100) {
            println!(
                "wrong turn: this turn took {:.3} seconds",
                took.as_secs_f64()
            );
        }
    }
}
// ANCHOR_END: wrong

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    event_loop.watch(Rc::new(TimesTurns::default()));
    event_loop.set_debug(true);
    event_loop.run_until_complete(sleep(Duration::from_mins(1)))?;
    println!("debug mode has nothing to say");
    Ok(())
}
