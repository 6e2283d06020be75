//! What a running program shares: the loop under judgement, the clock, the names, and the trace.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use six_steps::{Exception, VirtualClock};

use crate::exec::Who;
use crate::op::{Body, Millis, Name};
use crate::raised;
use crate::script_callback::ScriptCallback;
use crate::subject::Subject;
use crate::tracer::Tracer;

/// Where the virtual clock stands at the start. Programs may name moments before their own
/// beginning, and a `Duration` knows none before zero.
pub(crate) const ORIGIN: Duration = Duration::from_hours(1_000_000);

pub(crate) struct World<S: Subject> {
    pub(crate) subject: S,
    pub(crate) clock: VirtualClock,
    pub(crate) tracer: Rc<Tracer>,
    names: RefCell<HashMap<Name, Object<S>>>,
    done_callbacks: RefCell<HashMap<Name, S::Listener>>,
    // Every named future and task, in the order in which they were made.
    made: RefCell<Vec<(Name, S::Future, Made)>>,
    // What was said of tasks that the library made.
    dropped: RefCell<Vec<Value>>,
    // How many futures the program had made when those tasks were.
    made_before_closing: Cell<usize>,
}

/// How a future came to be: what is said of it in the end depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Future,
    Task,
    /// Nobody is told if it is left pending.
    TaskOfGather,
}

/// What a name can mean.
pub(crate) enum Object<S: Subject> {
    Handle(S::Handle),
    Future(S::Future),
    Generator(S::Generator),
}

impl<S: Subject> Clone for Object<S> {
    fn clone(&self) -> Self {
        match self {
            Self::Handle(handle) => Self::Handle(handle.clone()),
            Self::Future(future) => Self::Future(future.clone()),
            Self::Generator(generator) => Self::Generator(generator.clone()),
        }
    }
}

/// The moment `millis` after the program's start; before it where negative.
pub(crate) fn moment(millis: Millis) -> Duration {
    shift(ORIGIN, millis)
}

fn shift(from: Duration, millis: Millis) -> Duration {
    let by = Duration::from_millis(millis.unsigned_abs());
    if millis < 0 {
        from.saturating_sub(by)
    } else {
        from.saturating_add(by)
    }
}

impl<S: Subject> World<S> {
    pub(crate) fn new(subject: S, clock: VirtualClock, tracer: Rc<Tracer>) -> Rc<Self> {
        Rc::new(Self {
            subject,
            clock,
            tracer,
            names: RefCell::default(),
            done_callbacks: RefCell::default(),
            made: RefCell::default(),
            dropped: RefCell::default(),
            made_before_closing: Cell::default(),
        })
    }

    /// The moment `millis` from now.
    pub(crate) fn in_millis(&self, millis: Millis) -> Duration {
        shift(self.clock.time(), millis)
    }

    pub(crate) fn bind(&self, name: &Name, object: Object<S>) {
        let old = self.names.borrow_mut().insert(Rc::clone(name), object);
        drop(old);
    }

    /// Binds a name to a future or a task, and remembers it to the end.
    pub(crate) fn bind_future(&self, name: &Name, future: &S::Future, made: Made) {
        self.remember(name, future, made);
        self.bind(name, Object::Future(future.clone()));
    }

    pub(crate) fn remember(&self, name: &Name, future: &S::Future, made: Made) {
        self.made
            .borrow_mut()
            .push((Rc::clone(name), future.clone(), made));
    }

    pub(crate) fn remember_done_callback(&self, label: &Name, listener: S::Listener) {
        let old = self
            .done_callbacks
            .borrow_mut()
            .insert(Rc::clone(label), listener);
        drop(old);
    }

    pub(crate) fn done_callback(&self, label: &Name) -> Option<S::Listener> {
        self.done_callbacks.borrow().get(label).cloned()
    }

    /// The future or task a name means; an unbound one is recorded.
    pub(crate) fn lookup_future(&self, who: Who, name: &Name) -> Option<S::Future> {
        if name.as_ref() == "self" && self.subject.current_task().is_some() {
            let made = self.made.borrow();
            let mut futures = made.iter().map(|(_, future, _)| future);
            let current = futures.find(|future| self.subject.is_current(future));
            return current.cloned();
        }
        match self.lookup(who, name)? {
            Object::Future(future) => Some(future),
            _ => None,
        }
    }

    /// What a name means; an unbound one is recorded.
    pub(crate) fn lookup(&self, who: Who, name: &Name) -> Option<Object<S>> {
        let found = self.names.borrow().get(name).cloned();
        if found.is_none() {
            self.record(who, json!(["unbound", name.as_ref()]));
        }
        found
    }

    /// The library is about to make the tasks that close the generators.
    pub(crate) fn closing_generators(&self) {
        self.made_before_closing.set(self.made.borrow().len());
    }

    /// Something was said of a task that the library made, as it was dropped.
    pub(crate) fn dropped(&self, said: Value) {
        self.dropped.borrow_mut().push(said);
    }

    /// What the destructors of futures and tasks say in the end.
    pub(crate) fn late(&self) -> Vec<Value> {
        let said = |(name, future, made): &(Name, S::Future, Made)| {
            let name = name.as_ref();
            if let Some(exception) = S::unretrieved(future) {
                return Some(json!(["never_retrieved", name, raised::text(&exception)]));
            }
            let pending = *made == Made::Task && S::state(future) == "pending";
            pending.then(|| json!(["destroyed_pending", name]))
        };
        let made = self.made.borrow();
        let (before, after) = made.split_at(self.made_before_closing.get().min(made.len()));
        let dropped = self.dropped.borrow();
        let before = before.iter().filter_map(said);
        before
            .chain(dropped.iter().cloned())
            .chain(after.iter().filter_map(said))
            .collect()
    }

    /// Records `[who, what, …]`.
    pub(crate) fn record(&self, who: Who, event: Value) {
        let mut list = vec![match who {
            Who::Outside => "outside".into(),
            Who::Loop => "loop".into(),
            Who::Coroutine => match self.subject.current_task() {
                Some(task) => task.as_ref().into(),
                None => "loop".into(),
            },
        }];
        match event {
            Value::Array(rest) => list.extend(rest),
            other => list.push(other),
        }
        self.tracer.record(list.into());
    }

    /// A callback raised, and the loop went on.
    pub(crate) fn unhandled(&self, handle: &str, exception: &Exception) {
        let text = raised::text(exception);
        self.record(Who::Loop, json!(["unhandled", "callback", handle, text]));
    }

    /// A callback of the program.
    pub(crate) fn callback(
        self: &Rc<Self>,
        kind: &'static str,
        label: &Name,
        body: &Body,
    ) -> ScriptCallback<S> {
        ScriptCallback {
            world: Rc::clone(self),
            kind,
            label: Rc::clone(label),
            body: Rc::clone(body),
        }
    }

    /// Lets go of everything, so that nothing keeps the loop alive.
    pub(crate) fn clear(&self) {
        let held = (
            self.names.take(),
            self.made.take(),
            self.done_callbacks.take(),
        );
        drop(held);
        self.subject.clear();
    }
}
