//! Runs a program from its first op to its trace.

use std::io;
use std::rc::Rc;

use runner::{Phase, Runner};
use serde_json::{Value, json};
use six_steps::{Exception, LoopError};

use crate::exec::Who;
use crate::op::{Body, Mode, Op, Program};
use crate::raised;
use crate::tracer::{OP_LIMIT, TURN_LIMIT};
use crate::world::{Made, World};

/// A program could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The loop goes on turning.
    #[error("no end after {0} turns")]
    Endless(usize),
    /// The program stays busy.
    #[error("no end after {0} operations")]
    Busy(u64),
    /// The loop failed in a way that no program can cause.
    #[error("the loop failed: {0}")]
    Loop(#[from] LoopError),
}

/// Runs a program on a fresh loop with a virtual clock, and gives its trace.
///
/// # Errors
/// [`RunError`] if the loop itself failed or never stopped; whatever the program raises is part of the trace.
pub fn run(program: &Program) -> Result<Value, RunError> {
    let world = World::new(program);
    let outcome = match program.mode {
        Mode::Loop => run_script(&world, program),
        Mode::Run => run_runs(&world, program),
    };
    world.event_loop.close()?;
    if world.tracer.is_busy_for_ever() {
        world.clear();
        return Err(RunError::Busy(OP_LIMIT));
    }
    if world.tracer.is_over() {
        world.clear();
        return Err(RunError::Endless(TURN_LIMIT));
    }
    let (turns, totals) = world.tracer.finish(world.event_loop.time());
    let late = world.late();
    world.clear();
    Ok(json!({ "turns": turns, "outcome": outcome, "late": late, "totals": totals }))
}

fn run_script(world: &Rc<World>, program: &Program) -> Vec<Value> {
    let mut outcomes = Vec::new();
    for op in &program.script {
        if matches!(op, Op::RunForever) {
            world.tracer.set_phase("forever");
            outcomes.push(match world.event_loop.run_forever() {
                Ok(()) => json!(["run_forever", "stopped"]),
                Err(error) => {
                    let text = loop_error_text(&error);
                    world.tracer.turn_raised(&text, world.event_loop.time());
                    json!(["run_forever", "error", text])
                }
            });
            continue;
        }
        let body: Body = Rc::new([op.clone()]);
        if let Err(exception) = world.run_callback(Who::Outside, &body) {
            outcomes.push(json!(["script", "error", raised::text(&exception)]));
            break;
        }
    }
    outcomes
}

/// Each element in a runner of its own loop, then the runner's end.
fn run_runs(world: &Rc<World>, program: &Program) -> Vec<Value> {
    let mut runner = Runner::with_loop(world.event_loop.clone());
    let mut outcomes = Vec::new();
    for op in &program.script {
        let Op::Run(name, body) = op else {
            unreachable!("the parser admits nothing else here")
        };
        world.tracer.set_phase(format!("run:{name}"));
        let outcome = world.create_task(body, name).and_then(|main| {
            world.remember(name, &main.future(), Made::Task);
            runner.run_task(main)
        });
        outcomes.push(match outcome {
            Ok(value) => json!([name.as_ref(), "result", value]),
            Err(exception) => json!([name.as_ref(), "error", left_the_loop(world, &exception)]),
        });
    }
    let closed = runner.close_observed(|phase| {
        if phase == Phase::AsyncGenerators {
            world.closing_generators();
        }
        world.tracer.set_phase(match phase {
            Phase::Cancel => "cancel",
            Phase::AsyncGenerators => "asyncgens",
            Phase::DefaultExecutor => "executor",
        });
    });
    outcomes.push(match closed {
        Ok(()) => json!(["close", "ok"]),
        Err(exception) => json!(["close", "error", left_the_loop(world, &exception)]),
    });
    outcomes
}

/// An exception's text, which is also that of the turn it left, if it did.
fn left_the_loop(world: &World, exception: &Exception) -> String {
    let text = raised::text(exception);
    world.tracer.turn_raised(&text, world.event_loop.time());
    text
}

/// What left the loop, as a trace names it.
fn loop_error_text(error: &LoopError) -> String {
    match error {
        LoopError::Exit(exception) => raised::text(exception),
        LoopError::Selector(e) if e.kind() == io::ErrorKind::Deadlock => "Deadlock".to_owned(),
        _ => "RuntimeError".to_owned(),
    }
}
