//! The wrong turn: a step 6 that runs until nothing is ready, beside the one that counts first.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use containers::{Handle, Ready, Scheduled, Selector, VirtualClock, VirtualSelector, once};
use six_steps::{EventLoop, LoopError, running_loop};

const MS: Duration = Duration::from_millis(1);
const GIVE_UP: u32 = 1_000;

fn main() -> Result<(), LoopError> {
    until_empty()?;
    counted()
}

/// The containers of floor 2 and a turn that drains `ready`; it gives up after 1,000 callbacks.
fn until_empty() -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let (ready, mut scheduled) = (Rc::new(RefCell::new(Ready::new())), Scheduled::new());
    ready
        .borrow_mut()
        .push(spin(Rc::clone(&ready), selector.clock()));
    scheduled.push(5 * MS, once(|| println!("until empty: the timer runs")))?;

    while let Some(handle) = scheduled.pop_due(selector.time()) {
        ready.borrow_mut().push(handle);
    }
    // ANCHOR: greedy
    let mut ran = 0;
    while let Some(handle) = pop(&ready) {
        handle.run().expect("spin does not fail");
        ran += 1;
        if ran == GIVE_UP {
            let t = selector.time();
            println!("until empty: {ran} callbacks in turn 1, t = {t:?}, no timer; giving up");
            break;
        }
    }
    // ANCHOR_END: greedy
    Ok(())
}

fn pop(ready: &RefCell<Ready>) -> Option<Handle> {
    ready.borrow_mut().pop()
}

/// A callback that takes 2 ms and queues itself again.
fn spin(ready: Rc<RefCell<Ready>>, clock: VirtualClock) -> Handle {
    Handle::new(move || {
        clock.advance(2 * MS);
        let again = spin(Rc::clone(&ready), clock);
        ready.borrow_mut().push(again);
    })
}

/// The same two callbacks on the loop.
fn counted() -> Result<(), LoopError> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let turns = Rc::new(Cell::new(0));
    spin_on(&event_loop, clock.clone(), Rc::clone(&turns))?;
    event_loop.call_later(5 * MS, move || {
        let (ran, t) = (turns.get(), clock.time());
        println!("counted: the timer runs behind {ran} callbacks, t = {t:?}");
        running_loop().map(|here| here.stop())
    })?;
    event_loop.run_forever()
}

fn spin_on(
    event_loop: &EventLoop,
    clock: VirtualClock,
    turns: Rc<Cell<u32>>,
) -> Result<(), LoopError> {
    event_loop.call_soon(move || {
        clock.advance(2 * MS);
        turns.set(turns.get() + 1);
        spin_on(&running_loop()?, clock, turns)
    })?;
    Ok(())
}
