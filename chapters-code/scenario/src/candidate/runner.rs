//! `asyncio.Runner` over a candidate: a run is a task and a done callback that stops the loop, and
//! the end has its phases (`asyncio/runners.py` and `base_events.py`, `run_until_complete`).

use std::rc::Rc;

use serde_json::{Value, json};
use six_steps::Exception;
use wakeup::TaskError;

use crate::candidate::gather::gather;
use crate::candidate::judged::Judged;
use crate::candidate::outside::Callback;
use crate::candidate::tracked::Tracked;
use crate::candidate::{Candidate, Future, Outcome};
use crate::exec::Who;
use crate::op::{Body, Name};
use crate::raised;
use crate::subject::Subject;
use crate::world::{Made, World};

pub(super) fn run_main<C: Candidate>(
    world: &Rc<World<Judged<C>>>,
    name: &Name,
    body: &Body,
) -> Outcome {
    let main = Judged::create_task(world, name, body)?;
    world.remember(name, &main, Made::Task);
    run_until_complete(&world.subject, &main)
}

fn run_until_complete<C: Candidate>(
    judged: &Judged<C>,
    future: &Rc<Tracked<C::Future>>,
) -> Outcome {
    let (event_loop, ended) = (judged.event_loop(), Rc::clone(future));
    let stop = Callback::new(future.label("run_done"), move || {
        // An exit has ended the run already; a stop would end the next one too early.
        if !matches!(ended.exception(), Ok(Some(exception)) if exception.is_exit()) {
            event_loop.stop();
        }
        Ok(())
    });
    future.future.add_done_callback(stop.clone());
    let ran = judged.run_forever();
    future.future.remove_done_callback(&stop);
    ran?;
    let outcome = future.outcome();
    outcome.unwrap_or_else(|| Err(TaskError::Stopped.into()))
}

pub(super) fn close<C: Candidate>(world: &Rc<World<Judged<C>>>) -> Result<(), Exception> {
    let judged = &world.subject;
    cancel_all_tasks(world)?;
    world.closing_generators();
    for (phase, name) in [
        ("asyncgens", "shutdown_asyncgens"),
        ("executor", "shutdown_default_executor"),
    ] {
        world.tracer.set_phase(phase);
        let task = judged.task(&name.into(), async { Ok(Value::Null) });
        run_until_complete(judged, &task)?;
    }
    Ok(())
}

fn cancel_all_tasks<C: Candidate>(world: &Rc<World<Judged<C>>>) -> Result<(), Exception> {
    let judged = &world.subject;
    let mut left = judged.tasks.borrow().clone();
    left.retain(|task| task.future.outcome().is_none());
    if left.is_empty() {
        return Ok(());
    }
    world.tracer.set_phase("cancel");
    for task in &left {
        task.future.cancel();
    }
    let retrieve = |children: &[Rc<Tracked<C::Future>>]| {
        for child in children {
            let _ = child.exception();
        }
        Ok(Value::Null)
    };
    let gathered = gather(&judged.event_loop(), None, left.clone(), true, retrieve);
    run_until_complete(judged, &gathered)?;
    for task in left {
        if let (Ok(Some(exception)), Some(name)) = (task.exception(), task.name.get()) {
            let text = raised::text(&exception);
            world.record(
                Who::Outside,
                json!(["unhandled", "shutdown", name.as_ref(), text]),
            );
        }
    }
    Ok(())
}
