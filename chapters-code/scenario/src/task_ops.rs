//! The ops of level 2: futures and tasks. Those of level 3 are the subject's own.

use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use six_steps::Exception;

use crate::exec::{Flow, Outcome, Who};
use crate::op::{Body, Item, Name, Op};
use crate::raised::{self, Raised};
use crate::subject::{Ended, Subject};
use crate::world::{Made, World};

impl<S: Subject> World<S> {
    pub(crate) async fn run_task_op(self: &Rc<Self>, who: Who, op: &Op) -> Outcome {
        match op {
            Op::Future(name) => {
                let future = self.subject.create_future(name);
                self.bind_future(name, &future, Made::Future);
            }
            Op::Task(name, body) => {
                let task = S::create_task(self, name, body)?;
                self.bind_future(name, &task, Made::Task);
            }
            // A sleep that is over before it begins is a bare yield.
            Op::Yield => self.subject.sleep(Duration::ZERO).await?,
            Op::Sleep(millis) => self.subject.sleep(duration(*millis)).await?,
            Op::Nest(body) => {
                let value = self.coroutine(body.clone()).await?;
                self.record(who, json!(["nest", value]));
            }
            Op::Gather(name, items, return_exceptions) => {
                self.gather(who, name, items, *return_exceptions)?;
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
                } else if name.as_ref() == "self" && self.subject.current_task().is_some() {
                    return S::run_other_op(self, who, op).await;
                }
            }
            other => return S::run_other_op(self, who, other).await,
        }
        Ok(Flow::Next)
    }

    async fn run_future_op(
        self: &Rc<Self>,
        who: Who,
        op: &Op,
        name: &Name,
        future: &S::Future,
    ) -> Result<(), Exception> {
        let name = name.as_ref();
        match op {
            Op::SetResult(_, value) => S::set_result(future, value.clone())?,
            Op::SetException(_, kind, message) => {
                S::set_exception(future, Raised::exception(kind, message))?;
            }
            Op::OnDone(_, label, body) => {
                let callback = self.callback("done", label, body);
                let listener = self.subject.add_done_callback(future, callback);
                self.remember_done_callback(label, listener);
            }
            Op::OffDone(_, label) => {
                let listener = self.done_callback(label);
                let removed =
                    listener.map_or(0, |listener| S::remove_done_callback(future, &listener));
                self.record(who, json!(["off_done", label.as_ref(), removed]));
            }
            Op::State(_) => self.record(who, json!(["state", name, S::state(future)])),
            Op::Result(_) => {
                let value = S::result(future)?;
                self.record(who, json!(["result", name, value]));
            }
            Op::Exception(_) => {
                let exception = S::exception(future)?.as_ref().map(raised::text);
                self.record(who, json!(["exception", name, exception]));
            }
            Op::Cancel(_) => {
                let cancelled = S::cancel(future);
                self.record(who, json!(["cancel", name, cancelled]));
            }
            Op::Await(_) => {
                let value = self.subject.wait(future).await?;
                self.record(who, json!(["await", name, value]));
            }
            _ => unreachable!("the other ops take no future"),
        }
        Ok(())
    }

    /// The coroutine of a body; its value is what `return` gives.
    pub(crate) async fn coroutine(self: &Rc<Self>, body: Body) -> Ended {
        self.tracer.at_body(&body);
        match self.run_body(Who::Coroutine, &body, None).await? {
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(Value::Null),
        }
    }

    fn gather(
        self: &Rc<Self>,
        who: Who,
        name: &Name,
        items: &[Item],
        return_exceptions: bool,
    ) -> Result<(), Exception> {
        let found: Vec<Option<S::Future>> = items
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
                    let task = S::create_child(self, &task_name, body)?;
                    self.remember(&task_name, &task, Made::TaskOfGather);
                    task
                }
                (Item::Name(_), Some(future)) => future,
                (Item::Name(_), None) => unreachable!("unbound names were looked for above"),
            };
            children.push(child);
        }
        let collect = move |children: &[S::Future]| {
            let value = |child: &S::Future| match S::result(child) {
                Err(exception) if return_exceptions => {
                    Ok(json!({ "exc": raised::text(&exception) }))
                }
                ended => ended,
            };
            let values: Result<Vec<Value>, _> = children.iter().map(value).collect();
            values.map(Value::from)
        };
        let gathered = self
            .subject
            .gather(name, children, return_exceptions, collect);
        self.bind_future(name, &gathered, Made::Future);
        Ok(())
    }
}

pub(crate) fn duration(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}
