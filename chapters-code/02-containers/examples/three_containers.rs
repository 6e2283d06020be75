//! Three handles, and how each comes to be run: moved by hand, since no loop stands on this floor.

use std::error::Error;
use std::time::Duration;

use containers::{Handle, Interest, Ready, Scheduled, Selector, VirtualSelector, once};

fn main() -> Result<(), Box<dyn Error>> {
    let selector = VirtualSelector::new();
    let (mut ready, mut scheduled) = (Ready::new(), Scheduled::new());
    let show = |what: &str, ready: &Ready, scheduled: &Scheduled| {
        let (t, due, later) = (selector.time().as_millis(), ready.len(), scheduled.len());
        println!("{what:<9} t = {t:>2} ms  ready {due}  scheduled {later}");
    };

    // ANCHOR: fill
    // What `call_soon`, `call_later` and `add_reader` will do:
    ready.push(Handle::new(|| println!("  runs: greet")));

    let in_10_ms = selector.time() + Duration::from_millis(10);
    scheduled.push(in_10_ms, once(|| println!("  runs: tea")))?;

    let door = selector.readable_at(Duration::from_millis(4));
    let on_door = Handle::repeating(|| println!("  runs: door"));
    let interest = Interest {
        readable: true,
        ..Interest::default()
    };
    selector.register(door.clone(), interest)?;
    // ANCHOR_END: fill
    show("filled", &ready, &scheduled);
    run_all(&mut ready);

    // ANCHOR: move
    // Sleep until the nearest deadline. The door ends the sleep early.
    let timeout = scheduled
        .nearest()
        .map(|when| when.saturating_sub(selector.time()));
    let mut events = Vec::new();
    selector.select(timeout, &mut events)?;
    for event in events.drain(..) {
        assert_eq!(event.fd, door.fd());
        ready.push(on_door.clone());
    }
    // ANCHOR_END: move
    show("selected", &ready, &scheduled);
    run_all(&mut ready);
    selector.unregister(door.fd())?;

    // Sleep for what is left. Now the deadline is reached.
    let timeout = scheduled
        .nearest()
        .map(|when| when.saturating_sub(selector.time()));
    selector.select(timeout, &mut events)?;
    while let Some(handle) = scheduled.pop_due(selector.time() + selector.resolution()) {
        ready.push(handle);
    }
    show("selected", &ready, &scheduled);
    run_all(&mut ready);
    show("done", &ready, &scheduled);
    Ok(())
}

fn run_all(ready: &mut Ready) {
    while let Some(handle) = ready.pop() {
        if let Err(error) = handle.run() {
            println!("  failed: {error}");
        }
    }
}
