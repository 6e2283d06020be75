//! Runs a program from its first op to its trace.

use std::io;
use std::rc::Rc;

use serde_json::{Value, json};
use six_steps::LoopError;

use crate::exec::Who;
use crate::op::{Body, Mode, Op, Program};
use crate::raised;
use crate::world::World;

/// A program could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program needs a floor that does not stand yet.
    #[error("program {0:?} needs futures and tasks")]
    Mode(String),
    /// The loop failed in a way that no program can cause.
    #[error("the loop failed: {0}")]
    Loop(#[from] LoopError),
}

/// Runs a program on a fresh loop with a virtual clock, and gives its trace.
///
/// # Errors
/// [`RunError`] if the loop itself failed; whatever the program raises is part of the trace.
pub fn run(program: &Program) -> Result<Value, RunError> {
    let world = World::new(program);
    let outcome = match program.mode {
        Mode::Loop => run_script(&world, program),
        Mode::Run => return Err(RunError::Mode(program.name.clone())),
    };
    world.event_loop.close()?;
    let (turns, totals) = world.tracer.finish(world.event_loop.time());
    world.clear();
    Ok(json!({ "turns": turns, "outcome": outcome, "late": [], "totals": totals }))
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
                    world.tracer.turn_raised(&text);
                    json!(["run_forever", "error", text])
                }
            });
            continue;
        }
        let body: Body = Rc::new([op.clone()]);
        if let Err(exception) = world.run_callback(&Who::Outside, &body) {
            outcomes.push(json!(["script", "error", raised::text(&exception)]));
            break;
        }
    }
    outcomes
}

/// What left the loop, as a trace names it.
fn loop_error_text(error: &LoopError) -> String {
    match error {
        LoopError::Exit(exception) => raised::text(exception),
        LoopError::Selector(e) if e.kind() == io::ErrorKind::Deadlock => "Deadlock".to_owned(),
        _ => "RuntimeError".to_owned(),
    }
}
