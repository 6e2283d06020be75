//! The ops of levels 2 and 3: futures, tasks, generators, debug mode.

use std::rc::Rc;
use std::time::Duration;

use debug_mode::DebugMode;
use runner::AsyncGenerator;
use serde_json::{Value, json};
use six_steps::{Exception, Handle};
use wakeup::{
    Future, FutureError, Task, TaskError, TaskRef, Tasks, current_task, gather_with, sleep,
    yield_now,
};

use crate::exec::{Flow, Outcome, Who};
use crate::op::{Body, Item, Name, Op};
use crate::raised::{self, Raised};
use crate::world::{Made, Object, World};

impl World {
    pub(crate) async fn run_task_op(self: &Rc<Self>, who: Who, op: &Op) -> Outcome {
        match op {
            Op::Future(name) => {
                let future = self.event_loop.create_future();
                self.bind_future(name, &future, Made::Future);
            }
            Op::Task(name, body) => {
                let task = self.create_task(body, name)?;
                self.bind_future(name, &task.future(), Made::Task);
            }
            Op::Yield => yield_now().await?,
            // A sleep that is over before it begins is a bare yield too.
            Op::Sleep(millis) => sleep(duration(*millis)).await?,
            Op::Nest(body) => {
                let value = self.coroutine(body.clone()).await?;
                self.record(who, json!(["nest", value]));
            }
            Op::Gather(name, items, return_exceptions) => {
                self.gather(who, name, items, *return_exceptions)?;
            }
            Op::SetDebug(enabled) => self.event_loop.set_debug(*enabled),
            Op::SetSlow(millis) => {
                self.event_loop
                    .set_slow_callback_duration(duration(*millis));
            }
            Op::Agen(name, last) => {
                let (world, last) = (Rc::clone(self), last.clone());
                let finally = async move { world.coroutine(last).await.map(drop) };
                let generator = AsyncGenerator::open(name, finally)?;
                self.bind_generator(name, generator);
            }
            Op::Aclose(name) => {
                if let Some(Object::Generator(generator)) = self.lookup(who, name) {
                    generator.aclose().await?;
                    self.record(who, json!(["aclose", name.as_ref()]));
                }
            }
            Op::SetResult(name, _)
            | Op::SetException(name, ..)
            | Op::OnDone(name, ..)
            | Op::OffDone(name, _)
            | Op::State(name)
            | Op::Result(name)
            | Op::Exception(name)
            | Op::Cancel(name)
            | Op::Await(name) => {
                if let Some(future) = self.lookup_future(who, name) {
                    self.run_future_op(who, op, name, &future).await?;
                } else if name.as_ref() == "self"
                    && let Some(task) = current_task()
                {
                    self.run_own_task_op(who, op, &task).await?;
                }
            }
            _ => unreachable!("the ops of level 1 are run by `run_op`"),
        }
        Ok(Flow::Next)
    }

    async fn run_future_op(
        self: &Rc<Self>,
        who: Who,
        op: &Op,
        name: &Name,
        future: &Future<Value>,
    ) -> Result<(), Exception> {
        let name = name.as_ref();
        match op {
            Op::SetResult(_, value) => future.set_result(value.clone())?,
            Op::SetException(_, kind, message) => {
                future.set_exception(Raised::exception(kind, message))?;
            }
            Op::OnDone(_, label, body) => {
                let handle = Handle::from_callback(self.callback("done", label, body));
                self.remember_done_callback(label, &handle);
                future.add_done_handle(handle);
            }
            Op::OffDone(_, label) => {
                let handle = self.done_callback(label);
                let removed = handle.map_or(0, |handle| future.remove_done_callback(&handle));
                self.record(who, json!(["off_done", label.as_ref(), removed]));
            }
            Op::State(_) => self.record(who, json!(["state", name, future.state().to_string()])),
            Op::Result(_) => {
                let value = future.result()?;
                self.record(who, json!(["result", name, value]));
            }
            Op::Exception(_) => {
                let exception = future.exception()?.as_ref().map(raised::text);
                self.record(who, json!(["exception", name, exception]));
            }
            Op::Cancel(_) => {
                let cancelled = future.cancel();
                self.record(who, json!(["cancel", name, cancelled]));
            }
            Op::Await(_) => {
                let value = future.await?;
                self.record(who, json!(["await", name, value]));
            }
            _ => unreachable!("the other ops take no future"),
        }
        Ok(())
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
                let handle = Handle::from_callback(self.callback("done", label, body));
                self.remember_done_callback(label, &handle);
                task.future().add_done_handle(handle);
            }
            Op::Await(_) => {
                if !self.spoilt.borrow_mut().insert(task.name()) {
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

    /// The coroutine of a body; its value is what `return` gives.
    pub(crate) async fn coroutine(self: &Rc<Self>, body: Body) -> Result<Value, Exception> {
        match self.run_body(Who::Coroutine, &body, None).await? {
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(Value::Null),
        }
    }

    pub(crate) fn create_task(
        self: &Rc<Self>,
        body: &Body,
        name: &str,
    ) -> Result<Task<Value>, Exception> {
        let (world, body) = (Rc::clone(self), body.clone());
        let task = self
            .event_loop
            .create_task(async move { world.coroutine(body).await })?;
        task.set_name(name);
        Ok(task)
    }

    fn gather(
        self: &Rc<Self>,
        who: Who,
        name: &Name,
        items: &[Item],
        return_exceptions: bool,
    ) -> Result<(), Exception> {
        let found: Vec<Option<Future<Value>>> = items
            .iter()
            .map(|item| match item {
                Item::Name(item) => self.lookup_future(who, item),
                Item::Body(_) => None,
            })
            .collect();
        let unbound =
            |(item, found): (&Item, &Option<_>)| matches!(item, Item::Name(_)) && found.is_none();
        if items.iter().zip(&found).any(unbound) {
            return Ok(());
        }
        let mut children = Vec::new();
        for (index, (item, found)) in items.iter().zip(found).enumerate() {
            let child = match (item, found) {
                (Item::Body(body), _) => {
                    let task_name: Name = format!("{name}.{index}").into();
                    let task = self.create_task(body, &task_name)?;
                    task.keep_quiet_if_destroyed();
                    self.remember(&task_name, &task.future(), Made::TaskOfGather);
                    task.future()
                }
                (Item::Name(_), Some(future)) => future,
                (Item::Name(_), None) => unreachable!("unbound names were looked for above"),
            };
            children.push(child);
        }
        let collect = move |children: &[Future<Value>]| {
            let value = |child: &Future<Value>| match child.result() {
                Ok(value) => Ok(value),
                Err(exception) if return_exceptions => {
                    Ok(json!({ "exc": raised::text(&exception) }))
                }
                Err(exception) => Err(exception),
            };
            children
                .iter()
                .map(value)
                .collect::<Result<Vec<Value>, _>>()
                .map(Value::from)
        };
        let gathered = gather_with(&self.event_loop, children, return_exceptions, collect);
        self.bind_future(name, &gathered, Made::Future);
        Ok(())
    }
}

fn duration(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}
