//! One program on a candidate. Whatever the candidate does (it may panic, or go on for ever), there
//! is a trace to compare, up to where it got.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::rc::Rc;
use std::sync::Once;

use serde_json::Value;
use six_steps::{VirtualClock, VirtualSelector};

use crate::candidate::Candidate;
use crate::candidate::judged::Judged;
use crate::candidate::outside::{CALL_LIMIT, Outside, OverLimit, TURN_LIMIT};
use crate::op::Program;
use crate::run::run_script;
use crate::tracer::Tracer;
use crate::world::{ORIGIN, World};

/// What became of a program on a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Its trace; of a program that did not end, the turns until then.
    pub trace: Value,
    /// How it ended.
    pub end: End,
}

/// How a program on a candidate ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Finished,
    /// It was stopped: it would turn for ever.
    Endless {
        /// How many turns it was allowed.
        turns: usize,
    },
    /// It was stopped within a turn, which would never end.
    Busy {
        /// How often it was allowed to call the [`Outside`].
        calls: u64,
    },
    /// The candidate panicked.
    Panicked {
        /// What it said.
        message: String,
        /// Where, as `file:line`.
        place: String,
    },
}

thread_local! {
    // While a candidate is judged on this thread: what its panic said, and where.
    static PANIC: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
    static JUDGING: RefCell<bool> = const { RefCell::new(false) };
}

/// Runs a program of level 1 or 2 on a fresh loop of type `C`, with a virtual clock.
///
/// A panic of the candidate is kept for the [`End`] and not printed.
pub fn attempt<C: Candidate>(program: &Program) -> Attempt {
    keep_panics();
    let clock = VirtualClock::starting_at(ORIGIN);
    let mut selector = VirtualSelector::on(clock.clone());
    if let Some(resolution) = program.resolution {
        selector = selector.with_resolution(resolution);
    }
    let tracer = Rc::new(Tracer::new(ORIGIN));
    let outside = Outside::new(clock.clone(), selector, Rc::clone(&tracer));
    JUDGING.set(true);
    let mut ended = catch_unwind(AssertUnwindSafe(|| {
        let judged = Judged::<C>::new(outside.clone());
        let world = World::new(judged, clock.clone(), Rc::clone(&tracer));
        let outcome = run_script(&world, program);
        let trace = world.trace(outcome);
        world.clear();
        trace
    }));
    JUDGING.set(false);
    if tracer.is_busy_for_ever() {
        ended = Err(Box::new(OverLimit));
    }
    ended.map_or_else(
        |payload| Attempt {
            trace: tracer.unfinished(clock.time(), &outside.turns()),
            end: reason(&*payload, tracer.turns()),
        },
        |trace| Attempt {
            trace,
            end: End::Finished,
        },
    )
}

fn reason(payload: &(dyn Any + Send), turns: usize) -> End {
    if !payload.is::<OverLimit>() {
        let (message, place) = PANIC.take().unwrap_or_default();
        return End::Panicked { message, place };
    }
    if turns >= TURN_LIMIT {
        End::Endless { turns: TURN_LIMIT }
    } else {
        End::Busy { calls: CALL_LIMIT }
    }
}

/// Has the panics of candidates kept where they would be printed, once a program.
fn keep_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !JUDGING.with_borrow(|judging| *judging) {
                return others(panic);
            }
            let message = panic.payload_as_str().unwrap_or_default().to_owned();
            let place = panic
                .location()
                .map(|at| format!("{}:{}", at.file(), at.line()));
            PANIC.set(Some((message, place.unwrap_or_default())));
        }));
    });
}
