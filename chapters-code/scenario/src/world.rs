//! What a running program shares: the loop, its virtual selector, the names, and the trace.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;

use containers::Source;
use debug_mode::{DebugMode, SlowCallback};
use runner::AsyncGenerator;
use serde_json::{Value, json};
use six_steps::{EventLoop, ExceptionContext, Handle, TimerHandle, VirtualClock, VirtualSelector};

use wakeup::{Future, TaskRef, current_task};

use crate::exec::Who;
use crate::op::{Body, Millis, Name, Program};
use crate::raised;
use crate::script_callback::ScriptCallback;
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
    done_callbacks: RefCell<HashMap<Name, Handle>>,
    // Every named future and task, in the order in which they were made.
    made: RefCell<Vec<(Name, Future<Value>, Made)>>,
    // A program keeps its generators to the end, whatever becomes of their names.
    generators: RefCell<Vec<AsyncGenerator>>,
    // Tasks of the library that have awaited themselves: nobody may await them after that.
    pub(crate) spoilt: RefCell<HashSet<Rc<str>>>,
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
#[derive(Clone)]
pub(crate) enum Object {
    Handle(Handle),
    Timer(TimerHandle),
    Future(Future<Value>),
    Generator(AsyncGenerator),
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
            done_callbacks: RefCell::default(),
            made: RefCell::default(),
            generators: RefCell::default(),
            spoilt: RefCell::default(),
            dropped: RefCell::default(),
            made_before_closing: Cell::default(),
        });
        let weak = Rc::downgrade(&world);
        world
            .event_loop
            .set_exception_handler(Some(move |_: &EventLoop, context: &_| {
                if let Some(world) = weak.upgrade() {
                    world.unhandled(context);
                }
            }));
        let weak = Rc::downgrade(&world);
        world
            .event_loop
            .on_slow_callback(Some(move |slow: &SlowCallback<'_>| {
                if let Some(world) = weak.upgrade() {
                    world.slow(slow);
                }
            }));
        world.event_loop.set_debug(program.debug);
        if let Some(slow) = program.slow {
            world.event_loop.set_slow_callback_duration(slow);
        }
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

    /// Binds a name to a future or a task, which keeps the first name it gets.
    pub(crate) fn bind_future(&self, name: &Name, future: &Future<Value>, made: Made) {
        if made == Made::Future {
            future.set_name(name);
        }
        self.remember(name, future, made);
        self.bind(name, Object::Future(future.clone()));
    }

    pub(crate) fn bind_generator(&self, name: &Name, generator: AsyncGenerator) {
        self.generators.borrow_mut().push(generator.clone());
        self.bind(name, Object::Generator(generator));
    }

    pub(crate) fn remember(&self, name: &Name, future: &Future<Value>, made: Made) {
        self.made
            .borrow_mut()
            .push((Rc::clone(name), future.clone(), made));
    }

    pub(crate) fn remember_done_callback(&self, label: &Name, handle: &Handle) {
        let old = self
            .done_callbacks
            .borrow_mut()
            .insert(Rc::clone(label), handle.clone());
        drop(old);
    }

    pub(crate) fn done_callback(&self, label: &Name) -> Option<Handle> {
        self.done_callbacks.borrow().get(label).cloned()
    }

    /// The future or task a name means; an unbound one is recorded.
    pub(crate) fn lookup_future(&self, who: Who, name: &Name) -> Option<Future<Value>> {
        if name.as_ref() == "self"
            && let Some(task) = current_task()
        {
            let made = self.made.borrow();
            let mut futures = made.iter().map(|(_, future, _)| future);
            return futures.find(|future| is_same(future, &task)).cloned();
        }
        match self.lookup(who, name)? {
            Object::Future(future) => Some(future),
            _ => None,
        }
    }

    /// The library is about to make the tasks that close the generators.
    pub(crate) fn closing_generators(&self) {
        self.made_before_closing.set(self.made.borrow().len());
    }

    /// What the destructors of futures and tasks say in the end.
    pub(crate) fn late(&self) -> Vec<Value> {
        let said = |(name, future, made): &(Name, Future<Value>, Made)| {
            let name = name.as_ref();
            if let Some(exception) = future.unretrieved_exception() {
                return Some(json!(["never_retrieved", name, raised::text(&exception)]));
            }
            (*made == Made::Task && !future.done()).then(|| json!(["destroyed_pending", name]))
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

    /// What a name means; an unbound one is recorded.
    pub(crate) fn lookup(&self, who: Who, name: &Name) -> Option<Object> {
        let found = self.names.borrow().get(name).cloned();
        if found.is_none() {
            self.record(who, json!(["unbound", name.as_ref()]));
        }
        found
    }

    /// Records `[who, what, …]`.
    pub(crate) fn record(&self, who: Who, event: Value) {
        let mut list = vec![Value::from(who.name().as_ref())];
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
            self.record(Who::Loop, json!(["unhandled", "callback", name, text]));
        } else if let Some(generator) = context.detail::<AsyncGenerator>("asyncgen") {
            let name = generator.name();
            self.record(Who::Coroutine, json!(["unhandled", "asyncgen", name, text]));
        } else if let Some(task) = context.detail::<TaskRef>("task") {
            let name = task.name();
            self.record(
                Who::Outside,
                json!(["unhandled", "shutdown", name.as_ref(), text]),
            );
        } else {
            self.dropped(&context.to_string(), &text);
        }
    }

    /// A future was dropped with an exception that nobody asked for. The program's own are looked
    /// at in the end; this is for the tasks that the library makes to close generators.
    fn dropped(&self, report: &str, text: &str) {
        let name = report.split('\'').nth(1).unwrap_or_default();
        if report.contains("never retrieved") && name.starts_with("aclose.") {
            self.dropped
                .borrow_mut()
                .push(json!(["never_retrieved", name, text]));
        }
    }

    /// Debug mode found a slow callback. The language's text has no source lines and no callbacks.
    fn slow(&self, slow: &SlowCallback<'_>) {
        let what = match slow.handle.subject() {
            Some(task) => {
                // `<Task STATE name='NAME' …>`
                let shown = format!("{task:?}");
                let state = shown.split(' ').nth(1).unwrap_or_default();
                let name = shown.split('\'').nth(1).unwrap_or_default();
                format!("Task {state} {name}")
            }
            None => match slow.handle.when() {
                Some(when) => {
                    // It may lie before the program's beginning.
                    let sign = if when < ORIGIN { "-" } else { "" };
                    let when = when.abs_diff(ORIGIN).as_secs_f64();
                    format!("TimerHandle when={sign}{when} {}", slow.handle.callback())
                }
                None => format!("Handle {}", slow.handle.callback()),
            },
        };
        let seconds = slow.duration.as_secs_f64();
        let text = format!("Executing <{what}> took {seconds:.3} seconds");
        self.record(Who::Loop, json!(["slow", text]));
    }

    /// Lets go of everything, so that nothing keeps the loop alive.
    pub(crate) fn clear(&self) {
        let held = (
            self.names.take(),
            self.generators.take(),
            self.made.take(),
            self.done_callbacks.take(),
        );
        drop(held);
    }
}

fn is_same(future: &Future<Value>, task: &TaskRef) -> bool {
    std::ptr::addr_eq(Rc::as_ptr(&future.any()), Rc::as_ptr(&task.future()))
}
