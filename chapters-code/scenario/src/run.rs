//! Runs a program from its first op to its trace, on whatever loop is under judgement.

use std::rc::Rc;

use serde_json::{Value, json};
use six_steps::{Exception, LoopError};

use crate::exec::Who;
use crate::op::{Body, Mode, Op, Program};
use crate::raised;
use crate::subject::Subject;
use crate::tower::Tower;
use crate::tracer::{OP_LIMIT, TURN_LIMIT};
use crate::world::World;

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
    let world = World::of_tower(program);
    run_on(&world, program, |outcome| world.trace(outcome))
}

/// Runs a program in its world, and gives what `reap` makes of its outcome.
pub(crate) fn run_on<R>(
    world: &Rc<World<Tower>>,
    program: &Program,
    reap: impl FnOnce(Vec<Value>) -> R,
) -> Result<R, RunError> {
    let outcome = run_script(world, program);
    world.subject.close()?;
    let ended = if world.tracer.is_busy_for_ever() {
        Err(RunError::Busy(OP_LIMIT))
    } else if world.tracer.is_over() {
        Err(RunError::Endless(TURN_LIMIT))
    } else {
        Ok(reap(outcome))
    };
    world.clear();
    ended
}

/// Runs the elements of a script, and gives the outcome of each.
pub(crate) fn run_script<S: Subject>(world: &Rc<World<S>>, program: &Program) -> Vec<Value> {
    match program.mode {
        Mode::Loop => run_ops(world, program),
        Mode::Run => run_runs(world, program),
    }
}

fn run_ops<S: Subject>(world: &Rc<World<S>>, program: &Program) -> Vec<Value> {
    let mut outcomes = Vec::new();
    for op in &program.script {
        if matches!(op, Op::RunForever) {
            world.tracer.set_phase("forever");
            outcomes.push(match world.subject.run_forever() {
                Ok(()) => json!(["run_forever", "stopped"]),
                Err(exception) => {
                    json!(["run_forever", "error", world.left_the_loop(&exception)])
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
fn run_runs<S: Subject>(world: &Rc<World<S>>, program: &Program) -> Vec<Value> {
    let mut runner = world.subject.runner();
    let mut outcomes = Vec::new();
    for op in &program.script {
        let Op::Run(name, body) = op else {
            unreachable!("the parser admits nothing else here")
        };
        world.tracer.set_phase(format!("run:{name}"));
        outcomes.push(match S::run_main(world, &mut runner, name, body) {
            Ok(value) => json!([name.as_ref(), "result", value]),
            Err(exception) => json!([name.as_ref(), "error", world.left_the_loop(&exception)]),
        });
    }
    outcomes.push(match S::close_runner(world, runner) {
        Ok(()) => json!(["close", "ok"]),
        Err(exception) => json!(["close", "error", world.left_the_loop(&exception)]),
    });
    outcomes
}

impl<S: Subject> World<S> {
    /// An exception's text, which is also that of the turn it left, if it did.
    fn left_the_loop(&self, exception: &Exception) -> String {
        let text = raised::text(exception);
        self.tracer.turn_raised(&text, self.clock.time());
        self.subject.turn_was_left(&text);
        text
    }

    /// The whole trace, as it stands.
    pub(crate) fn trace(&self, outcome: Vec<Value>) -> Value {
        let (turns, totals) = self.tracer.finish(self.clock.time(), &self.subject.turns());
        json!({ "turns": turns, "outcome": outcome, "late": self.late(), "totals": totals })
    }
}
