//! The programs of the table, run on the heap of floor 2.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use containers::{Scheduled, once};

/// One operation on the heap.
pub(crate) enum Op {
    /// Pushes a timer with this name, due at so many seconds.
    Push(&'static str, u64),
    /// Takes the nearest timer off.
    Pop,
}

use Op::{Pop, Push};

pub(crate) const FIVE: &[Op] = &[
    Push("a", 1),
    Push("b", 1),
    Push("c", 1),
    Push("d", 1),
    Push("e", 1),
];
pub(crate) const SIX: &[Op] = &[
    Push("a", 1),
    Push("b", 1),
    Push("c", 1),
    Push("d", 1),
    Push("e", 1),
    Push("f", 1),
];
pub(crate) const AND_A_LATER_ONE: &[Op] = &[
    Push("a", 1),
    Push("b", 1),
    Push("c", 1),
    Push("d", 1),
    Push("e", 1),
    Push("z", 2),
];
pub(crate) const AND_AN_EARLIER_ONE: &[Op] =
    &[Push("a", 2), Push("b", 2), Push("c", 2), Push("x", 1)];
pub(crate) const TWO_DEADLINES: &[Op] = &[
    Push("a", 1),
    Push("b", 2),
    Push("c", 1),
    Push("d", 2),
    Push("e", 1),
];
pub(crate) const A_LATE_GUEST: &[Op] = &[
    Push("a", 1),
    Push("b", 1),
    Push("c", 1),
    Push("d", 1),
    Pop,
    Push("e", 1),
];

/// Does the operations, takes off what is left, and returns the order in which all came off.
pub(crate) fn run(ops: &[Op]) -> String {
    let order = Rc::new(RefCell::new(Vec::new()));
    let mut scheduled = Scheduled::new();
    let pop = |scheduled: &mut Scheduled| {
        let handle = scheduled.pop_due(Duration::from_hours(1));
        handle.is_some_and(|handle| handle.run().is_ok())
    };
    for op in ops {
        match *op {
            Push(name, at) => {
                let order = Rc::clone(&order);
                let note = once(move || order.borrow_mut().push(name));
                let pushed = scheduled.push(Duration::from_secs(at), note);
                pushed.expect("a few seconds are representable");
            }
            Pop => assert!(pop(&mut scheduled), "a program pops what it pushed"),
        }
    }
    while pop(&mut scheduled) {}
    order.take().join(" ")
}
