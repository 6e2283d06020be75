//! The watcher that films. It looks at the containers where a step is entered and where a handle
//! is done; what has changed in between belongs to that step or that handle.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use six_steps::{EventLoop, Handle, Step, Watch};

use crate::cast::Cast;
use crate::run::{Between, Clock, Deeds, FORMAT, Lines, Millis, Ran, Run, Totals, Turn};
use crate::scene::Scene;
use crate::tape::{Seen, Tape};

/// A film of one loop.
#[derive(Default)]
pub struct Film {
    reel: RefCell<Reel>,
}

#[derive(Default)]
struct Reel {
    phase: String,
    cast: Cast,
    scene: Scene,
    turns: Vec<Turn>,
    between: Vec<Between>,
    // Said while the loop does not run.
    said: Vec<Value>,
    in_turn: bool,
    in_handle: bool,
    // Where each task stopped.
    stopped_at: Vec<Option<Lines>>,
    longest: Millis,
    tape: Option<Tape>,
    over: bool,
}

/// Set to the path of a file that is not there yet, it has the first loop that `run` or a `Runner`
/// makes filmed into that file. `cargo course trace --wall` sets it.
pub const FILM_VARIABLE: &str = "ASYNCIOFILM";

/// Films a loop, if the environment asks for it and no other loop is filmed.
pub fn film_from_environment(event_loop: &EventLoop) -> Option<Rc<Film>> {
    let path = std::env::var_os(FILM_VARIABLE).filter(|path| !path.is_empty())?;
    match Tape::create(Path::new(&path)) {
        Ok(tape) => {
            let film = Film::roll(event_loop);
            film.reel.borrow_mut().tape = Some(tape);
            Some(film)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
        Err(error) => {
            // Nobody else would hear of it: the program knows nothing of the film.
            eprintln!(
                "{FILM_VARIABLE}: cannot film into {}: {error}",
                path.display()
            );
            None
        }
    }
}

impl Film {
    /// A film whose times count from `origin`. Someone else hands it what it watches.
    pub fn from_origin(origin: Duration) -> Self {
        let film = Self::default();
        film.reel.borrow_mut().cast.origin = origin;
        film
    }

    /// Films a loop from now on.
    pub fn roll(event_loop: &EventLoop) -> Rc<Self> {
        let film = Rc::new(Self::from_origin(event_loop.time()));
        film.set_phase("run");
        event_loop.watch(film.clone());
        film
    }

    /// Names the run of the loop that the next turns belong to.
    pub fn set_phase(&self, phase: &str) {
        phase.clone_into(&mut self.reel.borrow_mut().phase);
    }

    /// Adds an event of the program to the handle that runs, or to the last that ran.
    pub fn say(&self, event: Value) {
        let mut reel = self.reel.borrow_mut();
        let in_turn = reel.in_turn;
        let turn = reel.turns.last_mut().filter(|_| in_turn);
        match turn.and_then(|turn| turn.ran.last_mut()) {
            Some(ran) => ran.did.log.push(event),
            None => reel.said.push(event),
        }
    }

    /// The lines that the running handle has come to.
    pub fn at(&self, lines: Lines) {
        let mut reel = self.reel.borrow_mut();
        if !reel.in_handle {
            return;
        }
        reel.add_lines(lines);
        let Some(ran) = reel.turns.last().and_then(|turn| turn.ran.last()) else {
            return;
        };
        if let Some(task) = reel.cast.steps(ran.h) {
            if reel.stopped_at.len() <= task {
                reel.stopped_at.resize(task + 1, None);
            }
            reel.stopped_at[task] = Some(lines);
        }
    }

    /// An exception left the turn.
    pub fn raised(&self, event_loop: &EventLoop, text: &str) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            if let Some(turn) = reel.turns.last_mut() {
                turn.raised = Some(text.to_owned());
            }
            reel.end_turn(event_loop);
        }
    }

    /// The film so far. What it is called and what its program says stays to be filled in.
    pub fn cut(&self, event_loop: &EventLoop) -> Run {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            reel.end_turn(event_loop);
        }
        reel.look_between(event_loop);
        let t_end = Millis::between(reel.cast.origin, event_loop.time());
        Run {
            format: FORMAT.to_owned(),
            name: String::new(),
            title: String::new(),
            text: String::new(),
            clock: Clock::Virtual,
            params: None,
            source: None,
            tasks: reel.cast.tasks.clone(),
            handles: reel.cast.handles.clone(),
            readers: reel.cast.readers.clone(),
            turns: reel.turns.clone(),
            between: reel.between.clone(),
            outcome: Value::Array(Vec::new()),
            totals: Totals {
                turns: reel.turns.len(),
                handles: reel.turns.iter().map(|turn| turn.ran.len()).sum(),
                t_end,
                longest_turn: reel.longest,
            },
            cut: None,
        }
    }
}

impl Reel {
    fn now(&self, event_loop: &EventLoop) -> Millis {
        Millis::between(self.cast.origin, event_loop.time())
    }

    fn add_lines(&mut self, lines: Lines) {
        if let Some(ran) = self.turns.last_mut().and_then(|turn| turn.ran.last_mut()) {
            ran.lines = Some(ran.lines.map_or(lines, |known| known.with(lines)));
        }
    }

    /// What happened outside of any turn.
    fn look_between(&mut self, event_loop: &EventLoop) {
        let mut did = self.scene.look(event_loop, &mut self.cast, None);
        did.log = std::mem::take(&mut self.said);
        if did == Deeds::default() {
            return;
        }
        let turn = self.turns.len();
        self.between.push(Between { turn, did });
    }

    fn end_handle(&mut self, event_loop: &EventLoop) {
        let end = self.now(event_loop);
        self.in_handle = false;
        let ran = self.turns.last_mut().and_then(|turn| turn.ran.last_mut());
        let Some(ran) = ran else { return };
        let owner = self.cast.steps(ran.h);
        let did = self.scene.look(event_loop, &mut self.cast, owner);
        let log = std::mem::take(&mut ran.did.log);
        ran.did = Deeds { log, ..did };
        ran.end = end;
    }

    fn end_turn(&mut self, event_loop: &EventLoop) {
        if self.in_handle {
            self.end_handle(event_loop);
        }
        let end = self.now(event_loop);
        self.in_turn = false;
        if let Some(turn) = self.turns.last_mut() {
            turn.end = end;
            let took = Millis(end.0 - turn.t.0);
            if took > self.longest {
                self.longest = took;
            }
        }
        self.write();
    }

    /// Writes the turn that is over, if the film has a tape.
    fn write(&mut self) {
        let Some(tape) = &mut self.tape else { return };
        let going_on = tape.write(&Seen {
            tasks: &self.cast.tasks,
            handles: &self.cast.handles,
            readers: &self.cast.readers,
            between: &self.between,
            turns: &self.turns,
        });
        if !going_on {
            self.over = true;
            self.tape = None;
        }
    }

    fn step(&mut self, event_loop: &EventLoop, step: Step) {
        let now = self.now(event_loop);
        let heap = event_loop.scheduled_len();
        let cancelled = event_loop.timer_cancelled_count();
        let Some(turn) = self.turns.last_mut() else {
            return;
        };
        match step {
            Step::Sweep => (turn.heap[0], turn.ccount[0]) = (heap, cancelled),
            Step::Timeout => {
                (turn.heap[1], turn.ccount[1]) = (heap, cancelled);
                turn.swept = self.scene.swept(event_loop);
            }
            Step::Select(timeout) => turn.timeout = timeout.map(Millis::from),
            Step::Events => turn.woke = Some(now),
            Step::Timers => turn.events = self.scene.queued(event_loop, &mut self.cast, None),
            Step::Run(_) => turn.due = self.scene.queued(event_loop, &mut self.cast, None),
        }
    }

    /// Step 6 has taken the head of the ready queue.
    fn take(&mut self, event_loop: &EventLoop, skipped: bool) -> Option<usize> {
        let t = self.now(event_loop);
        let h = self.scene.ready.pop_front()?;
        self.turns.last_mut()?.ran.push(Ran {
            h,
            t,
            end: t,
            skipped,
            ..Ran::default()
        });
        Some(h)
    }
}

impl Watch for Film {
    fn turn_started(&self, event_loop: &EventLoop) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            // It was left by an exception that nobody told of.
            reel.end_turn(event_loop);
        }
        if reel.over {
            return;
        }
        reel.look_between(event_loop);
        let turn = Turn {
            phase: reel.phase.clone(),
            t: reel.now(event_loop),
            ready: reel.scene.ready.iter().copied().collect(),
            ..Turn::default()
        };
        reel.turns.push(turn);
        reel.in_turn = true;
    }

    fn step_entered(&self, event_loop: &EventLoop, step: Step) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            reel.step(event_loop, step);
        }
    }

    fn handle_about_to_run(&self, event_loop: &EventLoop, _: &Handle) {
        let mut reel = self.reel.borrow_mut();
        let Some(h) = reel.take(event_loop, false) else {
            return;
        };
        reel.in_handle = true;
        // A task goes on where it stopped.
        let task = reel.cast.steps(h);
        let stopped = task.and_then(|task| reel.stopped_at.get(task).copied().flatten());
        if let Some(lines) = stopped {
            reel.add_lines(lines);
        }
    }

    fn handle_done(&self, event_loop: &EventLoop, _: &Handle) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_handle {
            reel.end_handle(event_loop);
        }
    }

    fn handle_skipped(&self, event_loop: &EventLoop, _: &Handle) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            reel.take(event_loop, true);
        }
    }

    fn turn_ended(&self, event_loop: &EventLoop) {
        let mut reel = self.reel.borrow_mut();
        if reel.in_turn {
            reel.end_turn(event_loop);
        }
    }
}

/// A turn in which the process goes, or the loop is dropped, is written as far as it came.
impl Drop for Film {
    fn drop(&mut self) {
        let reel = self.reel.get_mut();
        if reel.in_turn {
            reel.write();
        }
    }
}
