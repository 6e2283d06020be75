//! What the judge hears from the book's loop: turns from a watcher, exceptions and slow callbacks
//! from handlers.

use std::cell::RefCell;
use std::rc::Rc;

use debug_mode::{DebugMode, SlowCallback};
use film::Film;
use runner::AsyncGenerator;
use serde_json::json;
use six_steps::{
    EventLoop, ExceptionContext, Handle, Recorder, Step, TurnRecord, VirtualClock, VirtualSelector,
    Watch,
};
use wakeup::TaskRef;

use crate::exec::Who;
use crate::film::Camera;
use crate::op::Program;
use crate::raised;
use crate::tower::Tower;
use crate::tracer::Tracer;
use crate::world::{ORIGIN, World};

/// Turns come from floor 3's [`Recorder`]; the tracer is told where each begins and ends.
pub(crate) struct TowerWatch {
    recorder: Recorder,
    tracer: Rc<Tracer>,
}

impl TowerWatch {
    pub(crate) fn turns(&self) -> Vec<TurnRecord> {
        self.recorder.turns()
    }

    pub(crate) fn was_left(&self, event_loop: &EventLoop, text: &str) {
        self.film(|film| film.raised(event_loop, text));
    }

    fn film(&self, tell: impl FnOnce(&Film)) {
        if let Some(camera) = &self.tracer.camera {
            tell(&camera.film);
        }
    }
}

impl Watch for TowerWatch {
    fn turn_started(&self, event_loop: &EventLoop) {
        if self.tracer.turn_started() {
            self.recorder.turn_started(event_loop);
            self.film(|film| film.turn_started(event_loop));
        } else {
            event_loop.stop();
        }
    }

    fn step_entered(&self, event_loop: &EventLoop, step: Step) {
        self.recorder.step_entered(event_loop, step);
        self.film(|film| film.step_entered(event_loop, step));
    }

    fn handle_about_to_run(&self, event_loop: &EventLoop, handle: &Handle) {
        self.recorder.handle_about_to_run(event_loop, handle);
        self.film(|film| film.handle_about_to_run(event_loop, handle));
    }

    fn handle_done(&self, event_loop: &EventLoop, handle: &Handle) {
        self.film(|film| film.handle_done(event_loop, handle));
    }

    fn handle_skipped(&self, event_loop: &EventLoop, handle: &Handle) {
        self.recorder.handle_skipped(event_loop, handle);
        self.film(|film| film.handle_skipped(event_loop, handle));
    }

    fn turn_ended(&self, event_loop: &EventLoop) {
        self.recorder.turn_ended(event_loop);
        self.film(|film| film.turn_ended(event_loop));
        self.tracer.turn_ended();
    }
}

impl World<Tower> {
    /// A fresh loop of this book's, with a virtual clock, watched.
    pub(crate) fn of_tower(program: &Program) -> Rc<Self> {
        Self::filmed(program, None)
    }

    /// The same, filmed.
    pub(crate) fn filmed(program: &Program, camera: Option<Camera>) -> Rc<Self> {
        let clock = VirtualClock::starting_at(ORIGIN);
        let mut selector = VirtualSelector::on(clock.clone());
        if let Some(resolution) = program.resolution {
            selector = selector.with_resolution(resolution);
        }
        let event_loop = EventLoop::with_selector(selector.clone());
        let tracer = Rc::new(Tracer::new(ORIGIN).filmed_by(camera));
        let watch = Rc::new(TowerWatch {
            recorder: Recorder::default(),
            tracer: Rc::clone(&tracer),
        });
        event_loop.watch(Rc::clone(&watch) as Rc<dyn Watch>);
        event_loop.set_debug(program.debug);
        if let Some(slow) = program.slow {
            event_loop.set_slow_callback_duration(slow);
        }
        let tower = Tower {
            event_loop,
            selector,
            watch,
            generators: RefCell::default(),
            spoilt: RefCell::default(),
        };
        let world = Self::new(tower, clock, tracer);
        world.listen();
        world
    }

    /// Has the loop's exceptions and slow callbacks recorded.
    fn listen(self: &Rc<Self>) {
        let event_loop = &self.subject.event_loop;
        let weak = Rc::downgrade(self);
        event_loop.set_exception_handler(Some(move |_: &EventLoop, context: &_| {
            if let Some(world) = weak.upgrade() {
                world.handle_exception(context);
            }
        }));
        let weak = Rc::downgrade(self);
        event_loop.on_slow_callback(Some(move |slow: &SlowCallback<'_>| {
            if let Some(world) = weak.upgrade() {
                world.slow(slow);
            }
        }));
    }

    /// The loop's exception handler.
    fn handle_exception(&self, context: &ExceptionContext) {
        if let (Some(handle), Some(exception)) =
            (context.detail::<Handle>("handle"), &context.exception)
        {
            return self.unhandled(&handle.callback().to_string(), exception);
        }
        let text = context.exception.as_ref().map(raised::text);
        let text = text.unwrap_or_default();
        if let Some(generator) = context.detail::<AsyncGenerator>("asyncgen") {
            let name = generator.name();
            self.record(Who::Coroutine, json!(["unhandled", "asyncgen", name, text]));
        } else if let Some(task) = context.detail::<TaskRef>("task") {
            let name = task.name();
            self.record(
                Who::Outside,
                json!(["unhandled", "shutdown", name.as_ref(), text]),
            );
        } else {
            self.was_dropped(&context.to_string(), &text);
        }
    }

    /// A future was dropped with an exception that nobody asked for. The program's own are looked
    /// at in the end; this is for the tasks that the library makes to close generators.
    fn was_dropped(&self, report: &str, text: &str) {
        let name = report.split('\'').nth(1).unwrap_or_default();
        if report.contains("never retrieved") && name.starts_with("aclose.") {
            self.dropped(json!(["never_retrieved", name, text]));
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
}
