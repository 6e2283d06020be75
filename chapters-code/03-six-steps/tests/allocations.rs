//! What a handle costs in allocations, counted in steady state: the containers have grown to
//! their size, and a handful of turns has run.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use allocation_counter::measure;
use six_steps::{EventLoop, Handle, TimerHandle, VirtualSelector};

const N: usize = 1_000;

fn run(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

/// The allocations of `work`, once it has been done twice for practice.
fn count(mut work: impl FnMut()) -> u64 {
    work();
    work();
    measure(work).count_total
}

#[test]
fn call_soon_allocates_once() {
    let event_loop = EventLoop::new();
    let calls = Rc::new(Cell::new(0));
    let batch = || {
        for _ in 0..N {
            let calls = Rc::clone(&calls);
            event_loop
                .call_soon(move || calls.set(calls.get() + 1))
                .unwrap();
        }
        run(&event_loop);
    };
    assert_eq!(count(batch), N as u64, "one each, and nothing a turn");
    assert_eq!(calls.get(), 3 * N);
}

#[test]
fn a_handle_that_exists_is_queued_without_an_allocation() {
    let event_loop = EventLoop::new();
    let calls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&calls);
    let handle = Handle::repeating(move || counted.set(counted.get() + 1));
    let batch = || {
        for _ in 0..N {
            event_loop.call_soon_handle(handle.clone()).unwrap();
            run(&event_loop);
        }
    };
    assert_eq!(count(batch), 0);
    assert_eq!(calls.get(), 3 * N);
}

#[test]
fn call_later_allocates_once() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let calls = Rc::new(Cell::new(0));
    let insert_and_fire = || {
        for i in 0..N as u64 {
            let calls = Rc::clone(&calls);
            let callback = move || calls.set(calls.get() + 1);
            let delay = Duration::from_nanos(i % 7);
            event_loop.call_later(delay, callback).unwrap();
        }
        while event_loop.scheduled_len() > 0 {
            event_loop.run_once().unwrap();
        }
    };
    assert_eq!(
        count(insert_and_fire),
        N as u64,
        "one each, heap and turns included"
    );
    assert_eq!(calls.get(), 3 * N);
}

#[test]
fn cancelling_allocates_nothing() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let hour = Duration::from_hours(1);
    let timers: Vec<_> = (0..N)
        .map(|_| event_loop.call_later(hour, || ()).unwrap())
        .collect();
    let cancel = measure(|| timers.iter().for_each(TimerHandle::cancel));
    assert_eq!(cancel.count_total, 0);
    let sweep = measure(|| run(&event_loop));
    assert_eq!((event_loop.scheduled_len(), sweep.count_total), (0, 0));
}
