//! The programs of the table, run on the toy loop: who is served in each round, and who ends when.

use std::cell::RefCell;
use std::iter;
use std::rc::Rc;
use std::time::Duration;

use counter::ToyLoop;

/// A task's name and its delays in seconds.
pub(crate) type Tasks = &'static [(&'static str, &'static [u64])];

pub(crate) const CLASSIC: Tasks = &[("A", &[3]), ("B", &[1]), ("C", &[1, 1])];
pub(crate) const TIES: Tasks = &[("A", &[2, 2]), ("B", &[4]), ("C", &[1, 3]), ("D", &[0, 4])];
pub(crate) const BUSY: Tasks = &[("N", &[1]), ("S", &[0, 0, 0])];
pub(crate) const MARKET: Tasks = &[("A", &[1, 0, 1]), ("B", &[2]), ("C", &[0, 2]), ("D", &[1])];

/// What really happened.
pub(crate) struct Run {
    /// Who was served in each round.
    pub(crate) rounds: Vec<String>,
    /// Who ended, in order.
    pub(crate) ends: Vec<String>,
}

/// Runs the tasks to their end.
pub(crate) fn run(tasks: Tasks) -> Run {
    let served = Rc::new(RefCell::new(String::new()));
    let mut toy = ToyLoop::new();
    for &(name, delays) in tasks {
        let served = Rc::clone(&served);
        let mut delays = delays.iter().copied().map(Duration::from_secs);
        let steps = iter::from_fn(move || {
            served.borrow_mut().push_str(name);
            delays.next()
        });
        toy.spawn(name, steps);
    }
    let mut rounds = Vec::new();
    while toy.round() {
        rounds.push(served.take());
    }
    let ends = toy.run().into_iter().map(|end| end.name).collect();
    Run { rounds, ends }
}
