//! What only the book's loop can do: the ops of level 3, and those on a task that the library made.

use std::rc::Rc;

use debug_mode::DebugMode;
use runner::AsyncGenerator;
use serde_json::json;
use six_steps::Exception;
use wakeup::{FutureError, TaskError, TaskRef, current_task, yield_now};

use crate::exec::{Flow, Outcome, Who};
use crate::op::Op;
use crate::task_ops::duration;
use crate::tower::Tower;
use crate::world::{Object, World};

impl World<Tower> {
    pub(crate) async fn run_tower_op(self: &Rc<Self>, who: Who, op: &Op) -> Outcome {
        let event_loop = &self.subject.event_loop;
        match op {
            Op::SetDebug(enabled) => event_loop.set_debug(*enabled),
            Op::SetSlow(millis) => event_loop.set_slow_callback_duration(duration(*millis)),
            Op::Agen(name, last) => {
                let (world, last) = (Rc::clone(self), last.clone());
                let finally = async move { world.coroutine(last).await.map(drop) };
                let generator = AsyncGenerator::open(name, finally)?;
                let mut generators = self.subject.generators.borrow_mut();
                generators.push(generator.clone());
                drop(generators);
                self.bind(name, Object::Generator(generator));
            }
            Op::Aclose(name) => {
                if let Some(Object::Generator(generator)) = self.lookup(who, name) {
                    generator.aclose().await?;
                    self.record(who, json!(["aclose", name.as_ref()]));
                }
            }
            other => {
                if let Some(task) = current_task() {
                    self.run_own_task_op(who, other, &task).await?;
                }
            }
        }
        Ok(Flow::Next)
    }

    /// An op on the current task where the program has not made it: a task that closes a
    /// generator. It is running, so it is not done.
    async fn run_own_task_op(
        self: &Rc<Self>,
        who: Who,
        op: &Op,
        task: &TaskRef,
    ) -> Result<(), Exception> {
        match op {
            Op::SetResult(..) => return Err(FutureError::TaskResult.into()),
            Op::SetException(..) => return Err(FutureError::TaskException.into()),
            Op::Result(_) => return Err(FutureError::ResultNotSet.into()),
            Op::Exception(_) => return Err(FutureError::ExceptionNotSet.into()),
            Op::State(_) => self.record(who, json!(["state", "self", "pending"])),
            Op::Cancel(_) => {
                let cancelled = task.cancel();
                self.record(who, json!(["cancel", "self", cancelled]));
            }
            Op::OnDone(_, label, body) => {
                let callback = self.callback("done", label, body);
                let handle = six_steps::Handle::from_callback(callback);
                self.remember_done_callback(label, handle.clone());
                task.future().add_done_handle(handle);
            }
            Op::Await(_) => {
                if !self.subject.spoilt.borrow_mut().insert(task.name()) {
                    return Err(TaskError::NotUsedWithFuture.into());
                }
                // The step after the one that awaited raises it there.
                yield_now().await?;
                return Err(TaskError::AwaitsItself(task.name().to_string()).into());
            }
            _ => self.record(who, json!(["off_done", "self", 0])),
        }
        Ok(())
    }
}
