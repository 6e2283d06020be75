//! What a running program shares: the loop, its virtual selector, the names, and the trace.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use containers::Source;
use serde_json::{Value, json};
use six_steps::{
    Callback, EventLoop, Exception, ExceptionContext, Handle, TimerHandle, VirtualClock,
    VirtualSelector,
};

use crate::exec::Who;
use crate::op::{Body, Millis, Name, Program};
use crate::raised;
use crate::tracer::Tracer;

/// Where the virtual clock stands at the start. Programs may name moments before their own
/// beginning, and a `Duration` knows none before zero.
const ORIGIN: Duration = Duration::from_hours(1_000_000);

pub(crate) struct World {
    pub(crate) event_loop: EventLoop,
    pub(crate) clock: VirtualClock,
    pub(crate) tracer: Rc<Tracer>,
    selector: VirtualSelector,
    names: RefCell<HashMap<Name, Object>>,
}

/// What a name can mean.
#[derive(Clone)]
pub(crate) enum Object {
    Handle(Handle),
    Timer(TimerHandle),
}

impl World {
    pub(crate) fn new(program: &Program) -> Rc<Self> {
        let clock = VirtualClock::starting_at(ORIGIN);
        let mut selector = VirtualSelector::on(clock.clone());
        if let Some(resolution) = program.resolution {
            selector = selector.with_resolution(resolution);
        }
        let event_loop = EventLoop::with_selector(selector.clone());
        let tracer = Rc::new(Tracer::new(ORIGIN));
        event_loop.watch(tracer.clone());
        let world = Rc::new(Self {
            event_loop,
            clock,
            tracer,
            selector,
            names: RefCell::default(),
        });
        let weak = Rc::downgrade(&world);
        world
            .event_loop
            .set_exception_handler(Some(move |_: &EventLoop, context: &_| {
                if let Some(world) = weak.upgrade() {
                    world.unhandled(context);
                }
            }));
        world
    }

    /// The moment `millis` after the program's start; before it where negative.
    pub(crate) fn moment(millis: Millis) -> Duration {
        Self::shift(ORIGIN, millis)
    }

    /// The moment `millis` from now.
    pub(crate) fn in_millis(&self, millis: Millis) -> Duration {
        Self::shift(self.event_loop.time(), millis)
    }

    fn shift(from: Duration, millis: Millis) -> Duration {
        let by = Duration::from_millis(millis.unsigned_abs());
        if millis < 0 {
            from.saturating_sub(by)
        } else {
            from.saturating_add(by)
        }
    }

    /// A fresh descriptor that becomes readable at `when`.
    pub(crate) fn descriptor(&self, when: Duration) -> Source {
        self.selector.readable_at(when)
    }

    pub(crate) fn bind(&self, name: &Name, object: Object) {
        let old = self.names.borrow_mut().insert(Rc::clone(name), object);
        drop(old);
    }

    /// What a name means; an unbound one is recorded.
    pub(crate) fn lookup(&self, who: &Who, name: &Name) -> Option<Object> {
        let found = self.names.borrow().get(name).cloned();
        if found.is_none() {
            self.record(who, json!(["unbound", name.as_ref()]));
        }
        found
    }

    /// Records `[who, what, …]`.
    pub(crate) fn record(&self, who: &Who, event: Value) {
        let mut list = vec![Value::from(who.name())];
        match event {
            Value::Array(rest) => list.extend(rest),
            other => list.push(other),
        }
        self.tracer.record(list.into());
    }

    /// A handle of a callback of the program.
    pub(crate) fn callback(
        self: &Rc<Self>,
        kind: &'static str,
        label: &Name,
        body: &Body,
    ) -> ScriptCallback {
        ScriptCallback {
            world: Rc::clone(self),
            kind,
            label: Rc::clone(label),
            body: Rc::clone(body),
            before: Box::new(|| ()),
        }
    }

    /// The loop's exception handler.
    fn unhandled(&self, context: &ExceptionContext) {
        let text = context
            .exception
            .as_ref()
            .map(raised::text)
            .unwrap_or_default();
        if let Some(handle) = context.detail::<Handle>("handle") {
            let name = handle.callback().to_string();
            self.record(&Who::Loop, json!(["unhandled", "callback", name, text]));
        }
    }

    /// Lets go of everything, so that nothing keeps the loop alive.
    pub(crate) fn clear(&self) {
        let names = self.names.take();
        drop(names);
    }
}

/// A callback whose body is ops: `call:H`, `done:C`, `io:R`.
pub(crate) struct ScriptCallback {
    world: Rc<World>,
    kind: &'static str,
    label: Name,
    body: Body,
    before: Box<dyn Fn()>,
}

impl ScriptCallback {
    /// The same callback, which first does something that leaves no event.
    pub(crate) fn after(self, before: impl Fn() + 'static) -> Self {
        Self {
            before: Box::new(before),
            ..self
        }
    }
}

impl Callback for ScriptCallback {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        (self.before)();
        self.world
            .record(&Who::Loop, json!([self.kind, self.label.as_ref()]));
        self.world.run_callback(&Who::Loop, &self.body)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.label)
    }
}
