//! All that a candidate has of the world: a clock and a selector, both virtual, and the pen that
//! writes down its turns.

use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::rc::Rc;
use std::time::Duration;

use containers::{Fd, Interest, Selector as _, Source};
use serde_json::json;
use six_steps::{Exception, LoopError, TurnRecord, VirtualClock, VirtualSelector};

use crate::raised;
use crate::tracer::Tracer;

/// How many turns a candidate may take: four times what any program of the corpus needs.
pub(crate) const TURN_LIMIT: usize = 1_000;

/// How often a candidate may ask the outside for something: a loop can go on for ever in one turn.
pub(crate) const CALL_LIMIT: u64 = 10_000;

/// The payload that ends a candidate which would go on for ever.
pub(crate) struct OverLimit;

/// A callback with the name that a trace gives it. Clones are the same callback.
#[derive(Clone)]
pub struct Callback {
    inner: Rc<Inner>,
}

struct Inner {
    name: String,
    run: Box<dyn Fn() -> Result<(), Exception>>,
}

impl Callback {
    /// A callback. [`Outside::run`] runs it, and nothing else does.
    ///
    /// ```
    /// let callback = scenario::candidate::Callback::new("step:main", || Ok(()));
    /// assert_eq!(callback.name(), "step:main");
    /// ```
    pub fn new(name: impl Into<String>, run: impl Fn() -> Result<(), Exception> + 'static) -> Self {
        Self {
            inner: Rc::new(Inner {
                name: name.into(),
                run: Box::new(run),
            }),
        }
    }

    /// What a trace calls it.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Whether both are the same callback.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }
}

/// The world outside the loop. Clones are the same world.
#[derive(Clone)]
pub struct Outside {
    world: Rc<Outer>,
}

struct Outer {
    clock: VirtualClock,
    selector: VirtualSelector,
    // What became of each descriptor, by its number.
    sources: RefCell<Vec<Source>>,
    tracer: Rc<Tracer>,
    turns: RefCell<Vec<TurnRecord>>,
    calls: Cell<u64>,
    in_callback: Cell<bool>,
}

impl Outside {
    pub(crate) fn new(clock: VirtualClock, selector: VirtualSelector, tracer: Rc<Tracer>) -> Self {
        Self {
            world: Rc::new(Outer {
                clock,
                selector,
                sources: RefCell::default(),
                tracer,
                turns: RefCell::default(),
                calls: Cell::new(0),
                in_callback: Cell::new(false),
            }),
        }
    }

    /// The clock (`loop.time`). It starts at a million hours, so that a program can name moments
    /// before its own beginning, and it moves in [`select`](Self::select) and in callbacks that
    /// block.
    pub fn time(&self) -> Duration {
        self.count();
        self.world.clock.time()
    }

    /// How finely the clock counts: a timer closer than this is due.
    pub fn resolution(&self) -> Duration {
        self.world.selector.resolution()
    }

    /// A turn starts, with so many timers on the heap and this count of cancelled ones.
    pub fn turn_starts(&self, scheduled: usize, cancelled: usize) {
        self.turn_ended();
        self.count();
        if self.world.tracer.turns() >= TURN_LIMIT || !self.world.tracer.turn_started() {
            resume_unwind(Box::new(OverLimit));
        }
        self.world.turns.borrow_mut().push(TurnRecord {
            started: self.world.clock.time(),
            heap: (scheduled, 0),
            cancelled_count: (cancelled, 0),
            ..TurnRecord::default()
        });
    }

    /// Step 1 is over and has left so many timers on the heap and this count of cancelled ones.
    pub fn swept(&self, scheduled: usize, cancelled: usize) {
        self.with_turn(|turn| {
            turn.heap.1 = scheduled;
            turn.cancelled_count.1 = cancelled;
        });
    }

    /// Sleeps until a watched descriptor is readable or `timeout` has passed. `None` sleeps without
    /// end, zero does not sleep. Returns the descriptors that are readable, in the order in which
    /// their callbacks are due.
    ///
    /// # Errors
    /// A deadlock, where a sleep without end could never end. It leaves `run_forever`.
    pub fn select(&self, timeout: Option<Duration>) -> Result<Vec<Fd>, Exception> {
        self.count();
        self.with_turn(|turn| turn.timeout = timeout);
        let mut events = Vec::new();
        let selected = self.world.selector.select(timeout, &mut events);
        selected.map_err(LoopError::Selector)?;
        self.with_turn(|turn| turn.woke = Some(self.world.clock.time()));
        Ok(events.iter().map(|event| event.fd).collect())
    }

    /// From now on `select` looks at this descriptor.
    pub fn watch(&self, fd: Fd) {
        let interest = Interest {
            readable: true,
            writable: false,
        };
        let sources = self.world.sources.borrow();
        if let Some(source) = sources.iter().find(|source| source.fd() == fd) {
            // Watched twice is watched.
            let _ = self.world.selector.register(source.clone(), interest);
        }
    }

    /// From now on `select` no longer looks at this descriptor.
    pub fn unwatch(&self, fd: Fd) {
        let _ = self.world.selector.unregister(fd);
    }

    /// Runs a callback, and writes down that it ran.
    ///
    /// # Errors
    /// What the callback raised.
    ///
    /// # Panics
    /// If a callback is running: only step 6 runs callbacks, one after the other.
    #[track_caller]
    pub fn run(&self, callback: &Callback) -> Result<(), Exception> {
        self.count();
        assert!(
            !self.world.in_callback.replace(true),
            "{} was run inside another callback: only step 6 runs callbacks, one after the other",
            callback.name()
        );
        self.with_turn(|turn| turn.ran.push(callback.name().to_owned()));
        let outcome = (callback.inner.run)();
        self.world.in_callback.set(false);
        outcome
    }

    /// Writes down that step 6 took a cancelled handle, and skipped it.
    pub fn skip(&self) {
        self.count();
        self.with_turn(|turn| turn.ran.push("cancelled".to_owned()));
    }

    /// A callback raised and the loop goes on (`loop.call_exception_handler`).
    pub fn unhandled(&self, callback: &Callback, exception: &Exception) {
        let text = raised::text(exception);
        let event = json!(["loop", "unhandled", "callback", callback.name(), text]);
        self.world.tracer.record(event);
    }

    /// A fresh descriptor that becomes readable at `when`.
    pub(crate) fn descriptor(&self, when: Duration) -> Fd {
        let source = self.world.selector.readable_at(when);
        let fd = source.fd();
        self.world.sources.borrow_mut().push(source);
        fd
    }

    /// The turn that is going on, if one is, ran to its end.
    pub(crate) fn turn_ended(&self) {
        if self.world.tracer.is_inside_turn() {
            self.with_turn(|turn| turn.ended = Some(self.world.clock.time()));
            self.world.tracer.turn_ended();
        }
    }

    pub(crate) fn turns(&self) -> Vec<TurnRecord> {
        self.world.turns.borrow().clone()
    }

    fn count(&self) {
        self.world.calls.set(self.world.calls.get() + 1);
        if self.world.calls.get() > CALL_LIMIT {
            resume_unwind(Box::new(OverLimit));
        }
    }

    fn with_turn(&self, change: impl FnOnce(&mut TurnRecord)) {
        if let Some(turn) = self.world.turns.borrow_mut().last_mut() {
            change(turn);
        }
    }
}
