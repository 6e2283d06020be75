//! Timers with one deadline: the order in which `Scheduled` gives them back, and the order that a
//! heap with sequence numbers would give.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::time::Duration;

use containers::{DeadlineOverflow, Scheduled, once};

const DEADLINE: Duration = Duration::from_millis(5);

fn main() -> Result<(), DeadlineOverflow> {
    let letters = ["a", "b", "c", "d"];
    let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    println!("Scheduled  {}", by_scheduled(&letters, false)?);
    println!("Scheduled  {}", by_scheduled(&digits, false)?);
    println!(
        "Scheduled  {}, and one that is due later",
        by_scheduled(&digits, true)?
    );
    println!("Numbered   {}", by_numbered(&letters));
    println!("Numbered   {}", by_numbered(&digits));
    Ok(())
}

/// Pushes timers with one deadline, and at will one with a later deadline behind them.
fn by_scheduled(names: &[&'static str], and_one_later: bool) -> Result<String, DeadlineOverflow> {
    let order = Rc::new(RefCell::new(Vec::new()));
    let mut scheduled = Scheduled::new();
    for &name in names {
        let order = Rc::clone(&order);
        scheduled.push(DEADLINE, once(move || order.borrow_mut().push(name)))?;
    }
    if and_one_later {
        scheduled.push(DEADLINE * 2, once(|| ()))?;
    }
    while let Some(handle) = scheduled.pop_due(DEADLINE + Duration::from_nanos(1)) {
        handle.run().expect("pushing a name does not fail");
    }
    Ok(order.take().join(" "))
}

fn by_numbered(names: &[&'static str]) -> String {
    let mut timers = Numbered::default();
    for &name in names {
        timers.push(DEADLINE, name);
    }
    let order: Vec<_> = std::iter::from_fn(|| timers.pop()).collect();
    order.join(" ")
}

// ANCHOR: numbered
/// Equal deadlines come out in the order they went in, thanks to a number.
#[derive(Default)]
struct Numbered {
    heap: BinaryHeap<Reverse<(Duration, u64, &'static str)>>,
    pushed: u64,
}

impl Numbered {
    fn push(&mut self, when: Duration, name: &'static str) {
        self.pushed += 1;
        self.heap.push(Reverse((when, self.pushed, name)));
    }

    fn pop(&mut self) -> Option<&'static str> {
        self.heap.pop().map(|Reverse((_, _, name))| name)
    }
}
// ANCHOR_END: numbered
