//! Where the batch gets its loops: on a virtual clock, each of them counted. Not yours to change.

use std::cell::RefCell;
use std::rc::Rc;

use runner::Runner;
use six_steps::{EventLoop, VirtualSelector};

/// Makes loops and keeps count of them.
#[derive(Debug, Clone, Default)]
pub struct Loops {
    made: Rc<RefCell<Vec<EventLoop>>>,
}

impl Loops {
    /// A runner that will make its loop here.
    pub fn runner(&self) -> Runner {
        let made = Rc::clone(&self.made);
        Runner::new().with_loop_factory(move || {
            let event_loop = EventLoop::with_selector(VirtualSelector::new());
            made.borrow_mut().push(event_loop.clone());
            event_loop
        })
    }

    /// How many were made.
    pub fn made(&self) -> usize {
        self.made.borrow().len()
    }

    /// How many of them are not closed.
    pub fn open(&self) -> usize {
        let made = self.made.borrow();
        made.iter()
            .filter(|event_loop| !event_loop.is_closed())
            .count()
    }
}
