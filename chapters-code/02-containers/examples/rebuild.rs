//! A sweep, and two ways to build a heap of what is left: `heapq`'s own, which `Scheduled` does,
//! and the standard library's.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::time::Duration;

use containers::{DeadlineOverflow, Scheduled, TimerHandle, once};

const DEADLINE: Duration = Duration::from_millis(5);

fn main() -> Result<(), DeadlineOverflow> {
    println!("heapify           {}", by_scheduled()?);
    println!("BinaryHeap::from  {}", by_standard_library());
    Ok(())
}

/// Eight timers with one deadline, behind 93 that are cancelled.
fn by_scheduled() -> Result<String, DeadlineOverflow> {
    let order = Rc::new(RefCell::new(Vec::new()));
    let mut scheduled = Scheduled::new();
    let cancelled: Vec<TimerHandle> = (0..93)
        .map(|_| scheduled.push(Duration::ZERO, once(|| ())))
        .collect::<Result<_, _>>()?;
    for name in 0..8 {
        let order = Rc::clone(&order);
        let callback = once(move || order.borrow_mut().push(name.to_string()));
        scheduled.push(DEADLINE, callback)?;
    }
    cancelled.iter().for_each(TimerHandle::cancel);
    scheduled.sweep();
    while let Some(handle) = scheduled.pop_due(Duration::MAX) {
        handle.run().expect("pushing a name does not fail");
    }
    Ok(order.take().join(" "))
}

fn by_standard_library() -> String {
    let timers: Vec<Timer> = (0..8)
        .map(|name| Timer {
            when: DEADLINE,
            name,
        })
        .collect();
    let mut heap = BinaryHeap::from(timers);
    let order: Vec<String> = std::iter::from_fn(|| Some(heap.pop()?.name.to_string())).collect();
    order.join(" ")
}

/// Compared by deadline alone, as in `Scheduled`.
struct Timer {
    when: Duration,
    name: u8,
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> Ordering {
        other.when.cmp(&self.when)
    }
}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.when == other.when
    }
}

impl Eq for Timer {}
