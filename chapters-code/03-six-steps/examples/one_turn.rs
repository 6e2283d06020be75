//! Every step of every turn, printed by a watcher.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Handle, LoopError, Step, VirtualSelector, Watch};

const MS: Duration = Duration::from_millis(1);

fn main() -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let door = selector.readable_at(15 * MS);
    let event_loop = EventLoop::with_selector(selector);
    event_loop.watch(Rc::new(Printer::default()));

    // ANCHOR: program
    // The first callback blocks for 20 ms. Meanwhile a timer and a descriptor come due.
    event_loop.call_soon(move || clock.advance(20 * MS))?;
    event_loop.call_later(5 * MS, || ())?.cancel();
    event_loop.call_later(10 * MS, || println!("           tea"))?;
    let (here, number) = (event_loop.clone(), door.fd());
    event_loop.add_reader(door, move || {
        println!("           door");
        here.remove_reader_fd(number);
        here.call_later(30 * MS, stop).map(drop)
    })?;
    event_loop.run_forever()
    // ANCHOR_END: program
}

fn stop() -> Result<(), LoopError> {
    println!("           stop");
    six_steps::running_loop()?.stop();
    Ok(())
}

/// Prints a step when the next one is entered, since only then it is known what the step did.
#[derive(Default)]
struct Printer {
    turn: Cell<u32>,
    heap: Cell<usize>,
    ready: Cell<usize>,
}

// ANCHOR: watch
impl Watch for Printer {
    fn turn_started(&self, event_loop: &EventLoop) {
        self.turn.set(self.turn.get() + 1);
        println!("turn {}, {}", self.turn.get(), now(event_loop));
    }

    fn step_entered(&self, event_loop: &EventLoop, step: Step) {
        let heap = event_loop.scheduled_len();
        let ready = event_loop.ready_len();
        match step {
            Step::Sweep => {}
            Step::Timeout => println!("  1 sweep    heap {} -> {heap}", self.heap.get()),
            Step::Select(timeout) => println!("  2 timeout  {timeout:?}"),
            Step::Events => println!("  3 select   {}", now(event_loop)),
            Step::Timers => println!("  4 events   ready {} -> {ready}", self.ready.get()),
            Step::Run(ntodo) => {
                println!("  5 timers   ready {} -> {ready}", self.ready.get());
                println!("  6 run      {ntodo}");
            }
        }
        self.heap.set(heap);
        self.ready.set(ready);
    }

    fn handle_skipped(&self, _: &EventLoop, _: &Handle) {
        println!("           skipped");
    }
}
// ANCHOR_END: watch

fn now(event_loop: &EventLoop) -> String {
    format!("t = {} ms", event_loop.time().as_millis())
}
