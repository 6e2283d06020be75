//! What step 2 answers, situation by situation: one loop and one turn for each.

use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, LoopError, Recorder, VirtualClock, VirtualSelector};

const MS: Duration = Duration::from_millis(1);

fn main() -> Result<(), LoopError> {
    situation("a callback is ready", |here, _| {
        here.call_soon(|| ())?;
        here.call_later(30 * MS, || ()).map(drop)
    })?;
    situation("stop() was called", |here, _| {
        here.stop();
        here.call_later(30 * MS, || ()).map(drop)
    })?;
    situation("a timer in 30 ms", |here, _| {
        here.call_later(30 * MS, || ()).map(drop)
    })?;
    situation("a timer that is 70 ms late", |here, clock| {
        here.call_later(30 * MS, || ())?;
        clock.advance(100 * MS);
        Ok(())
    })?;
    situation("a timer in 60 hours", |here, _| {
        here.call_later(Duration::from_hours(60), || ()).map(drop)
    })?;
    situation("a timer in 30 ms, cancelled", |here, _| {
        here.call_later(30 * MS, || ()).map(|timer| timer.cancel())
    })?;
    situation("that, and one in 50 ms", |here, _| {
        here.call_later(50 * MS, || ())?;
        here.call_later(30 * MS, || ()).map(|timer| timer.cancel())
    })?;
    situation("no timer", |_, _| Ok(()))
}

fn situation(
    what: &str,
    arrange: impl Fn(&EventLoop, &VirtualClock) -> Result<(), LoopError>,
) -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    // With a descriptor to wait for, a sleep without end is no deadlock.
    let door = selector.readable_at(Duration::from_hours(100));
    let event_loop = EventLoop::with_selector(selector);
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());
    event_loop.add_reader(door, || ())?;
    arrange(&event_loop, &clock)?;
    event_loop.run_once()?;
    let timeout = recorder.turns()[0].timeout;
    println!("{what:<28} {timeout:?}");
    Ok(())
}
