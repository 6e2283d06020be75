//! The programs of the table, on the loop of floor 3 and a virtual clock.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Handle, LoopError, TimerHandle, VirtualClock, VirtualSelector, Watch};

type Done = Result<(), LoopError>;

/// A program: it makes its calls and runs the loop.
pub(crate) type Program = fn(&Stage) -> Done;

/// What ran in each turn: one word a turn.
#[derive(Default)]
struct Turns(RefCell<Vec<String>>);

impl Watch for Turns {
    fn turn_started(&self, _: &EventLoop) {
        self.0.borrow_mut().push(String::new());
    }
}

/// A loop with its clock and what ran on it.
#[derive(Clone)]
pub(crate) struct Stage {
    event_loop: EventLoop,
    clock: VirtualClock,
    turns: Rc<Turns>,
}

impl Stage {
    /// A callback that notes its name and does something more.
    fn noting<F>(&self, name: &str, then: F) -> impl FnOnce() -> Done + use<F>
    where
        F: FnOnce(&Self) -> Done,
    {
        let (stage, name) = (self.clone(), name.to_owned());
        move || {
            if let Some(turn) = stage.turns.0.borrow_mut().last_mut() {
                turn.push_str(&name);
            }
            then(&stage)
        }
    }

    fn soon(
        &self,
        name: &str,
        then: impl FnOnce(&Self) -> Done + 'static,
    ) -> Result<Handle, LoopError> {
        self.event_loop.call_soon(self.noting(name, then))
    }

    fn later(
        &self,
        ms: u64,
        name: &str,
        then: impl FnOnce(&Self) -> Done + 'static,
    ) -> Result<TimerHandle, LoopError> {
        let delay = Duration::from_millis(ms);
        self.event_loop.call_later(delay, self.noting(name, then))
    }

    fn work(&self, ms: u64) {
        self.clock.advance(Duration::from_millis(ms));
    }
}

/// A callback that does nothing more.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a stage takes callbacks that can fail"
)]
fn nothing(_: &Stage) -> Done {
    Ok(())
}

/// A callback that stops the loop.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a stage takes callbacks that can fail"
)]
fn stop(stage: &Stage) -> Done {
    stage.event_loop.stop();
    Ok(())
}

pub(crate) fn soon(stage: &Stage) -> Done {
    stage.soon("a", |stage| {
        stage.soon("c", |stage| stage.soon("e", stop).map(drop))?;
        Ok(())
    })?;
    stage.soon("b", |stage| stage.soon("d", nothing).map(drop))?;
    stage.event_loop.run_forever()
}

pub(crate) fn zero(stage: &Stage) -> Done {
    stage.soon("a", |stage| {
        stage.later(0, "t", |stage| stage.soon("d", nothing).map(drop))?;
        stage.soon("b", |stage| {
            stage.later(0, "u", stop)?;
            stage.soon("c", nothing).map(drop)
        })?;
        Ok(())
    })?;
    stage.event_loop.run_forever()
}

pub(crate) fn again(stage: &Stage) -> Done {
    fn a(stage: &Stage) -> Done {
        stage.work(5);
        stage.soon("a", a).map(drop)
    }
    stage.soon("a", a)?;
    stage.later(10, "t", stop)?;
    stage.event_loop.run_forever()
}

pub(crate) fn cancel(stage: &Stage) -> Done {
    // a stands in front of the two that it cancels, so it has to be told of them afterwards.
    let victims: Rc<RefCell<Option<(Handle, TimerHandle, TimerHandle)>>> = Rc::default();
    let told = Rc::clone(&victims);
    stage.soon("a", move |stage| {
        if let Some((b, t, u)) = told.take() {
            b.cancel();
            t.cancel();
            stage.soon("c", move |_| {
                u.cancel();
                Ok(())
            })?;
        }
        Ok(())
    })?;
    let b = stage.soon("b", nothing)?;
    let t = stage.later(0, "t", nothing)?;
    let u = stage.later(5, "u", nothing)?;
    victims.replace(Some((b, t, u)));
    stage.later(9, "v", stop)?;
    stage.event_loop.run_forever()
}

pub(crate) fn late(stage: &Stage) -> Done {
    stage.later(20, "x", nothing)?;
    stage.later(10, "y", nothing)?;
    stage.soon("a", |stage| {
        stage.work(25);
        stage.later(0, "z", stop)?;
        stage.soon("b", nothing).map(drop)
    })?;
    stage.event_loop.run_forever()
}

pub(crate) fn stop_twice(stage: &Stage) -> Done {
    stage.soon("a", |stage| {
        stage.event_loop.stop();
        stage.soon("c", nothing).map(drop)
    })?;
    stage.later(0, "t", |stage| {
        stage.soon("d", |stage| stage.soon("e", nothing).map(drop))?;
        Ok(())
    })?;
    stage.event_loop.run_forever()?;
    stage.event_loop.stop();
    stage.event_loop.run_forever()
}

pub(crate) fn days(stage: &Stage) -> Done {
    let t = stage.noting("t", stop);
    stage.event_loop.call_at(Duration::from_hours(48), t)?;
    stage.event_loop.run_forever()
}

/// Runs a program and returns its turns, one word a turn.
///
/// # Errors
/// What the loop failed with.
pub(crate) fn run(program: Program) -> Result<String, LoopError> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let turns = Rc::new(Turns::default());
    event_loop.watch(Rc::clone(&turns) as Rc<dyn Watch>);
    let stage = Stage {
        event_loop,
        clock,
        turns,
    };
    program(&stage)?;
    stage.event_loop.close()?;
    let turns = stage.turns.0.take().into_iter();
    let words = turns.map(|turn| {
        if turn.is_empty() {
            "-".to_owned()
        } else {
            turn
        }
    });
    Ok(words.collect::<Vec<_>>().join(" "))
}
