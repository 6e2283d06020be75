//! `asyncio.gather` over a candidate's futures (`asyncio/tasks.py`, `gather`, line 784 at v3.13.0).

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use six_steps::Exception;

use crate::candidate::tracked::{Kind, Tracked};
use crate::candidate::{Callback, Candidate, Future, OnCancel, Outcome};
use crate::op::Name;

type Children<F> = Vec<Rc<Tracked<F>>>;
type Collect<F> = Box<dyn Fn(&[Rc<Tracked<F>>]) -> Outcome>;

struct Gathering<F> {
    outer: OnceCell<F>,
    children: Children<F>,
    collect: Collect<F>,
    return_exceptions: bool,
    // How many different children there are, and how many of them are done.
    distinct: usize,
    finished: Cell<usize>,
    cancel_requested: Cell<bool>,
}

pub(super) fn gather<C: Candidate>(
    event_loop: &Rc<C>,
    name: Option<&Name>,
    children: Children<C::Future>,
    return_exceptions: bool,
    collect: impl Fn(&[Rc<Tracked<C::Future>>]) -> Outcome + 'static,
) -> Rc<Tracked<C::Future>> {
    let mut distinct: Children<C::Future> = Vec::new();
    for child in &children {
        if !distinct.iter().any(|known| Rc::ptr_eq(known, child)) {
            distinct.push(Rc::clone(child));
        }
    }
    if distinct.is_empty() {
        let outer = event_loop.create_future(None);
        outer.finish(collect(&[]));
        return Tracked::new(outer, name, Kind::Gathering);
    }
    let gathering = Rc::new(Gathering {
        outer: OnceCell::new(),
        children,
        collect: Box::new(collect),
        return_exceptions,
        distinct: distinct.len(),
        finished: Cell::new(0),
        cancel_requested: Cell::new(false),
    });
    let cancelled = Rc::clone(&gathering);
    let on_cancel: OnCancel = Rc::new(move || cancelled.cancel());
    let outer = event_loop.create_future(Some(on_cancel));
    let _ = gathering.outer.set(outer.clone());
    // Children that are done already are counted once the gathering stands.
    let (pending, done): (Vec<_>, Vec<_>) = distinct
        .into_iter()
        .partition(|child| child.future.outcome().is_none());
    for child in pending {
        let (gathering, of) = (Rc::clone(&gathering), Rc::clone(&child));
        let callback = Callback::new(child.label("gather_cb"), move || {
            gathering.child_done(&of);
            Ok(())
        });
        child.future.add_done_callback(callback);
    }
    for child in done {
        gathering.child_done(&child);
    }
    Tracked::new(outer, name, Kind::Gathering)
}

impl<F: Future> Gathering<F> {
    fn cancel(&self) -> bool {
        let mut any = false;
        for child in &self.children {
            any |= child.future.cancel();
        }
        if any {
            self.cancel_requested.set(true);
        }
        any
    }

    fn child_done(&self, child: &Tracked<F>) {
        self.finished.set(self.finished.get() + 1);
        let Some(outer) = self.outer.get() else {
            return;
        };
        let failed = match child.exception() {
            Ok(exception) => exception,
            Err(cancelled) => Some(cancelled),
        };
        if outer.outcome().is_some() {
            return;
        }
        if let (false, Some(exception)) = (self.return_exceptions, failed) {
            outer.finish(Err(exception));
        } else if self.finished.get() == self.distinct {
            let collected = (self.collect)(&self.children);
            outer.finish(if self.cancel_requested.get() {
                Err(Exception::Cancelled)
            } else {
                collected
            });
        }
    }
}
