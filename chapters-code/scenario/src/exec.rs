//! Runs ops. There is one interpreter, an async one; a callback's body is a coroutine that never
//! suspends, driven by hand.

use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::{Value, json};
use six_steps::Exception;

use crate::op::{Body, Op};
use crate::raised::{self, Raised};
use crate::subject::Subject;
use crate::world::{Object, World, moment};

/// Who does something, in an event.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    /// A callback that is no task step.
    Loop,
    /// The script, while the loop does not run.
    Outside,
    /// A coroutine: whichever task runs it.
    Coroutine,
}

/// How an op ended, if no exception ended it.
pub(crate) enum Flow {
    Next,
    Return(Value),
}

pub(crate) type Outcome = Result<Flow, Exception>;

impl<S: Subject> World<S> {
    /// Runs a body that cannot suspend; the parser saw to that.
    pub(crate) fn run_callback(self: &Rc<Self>, who: Who, body: &Body) -> Result<(), Exception> {
        let coroutine = pin!(self.run_body(who, body, None));
        match coroutine.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome.map(drop),
            Poll::Pending => unreachable!("the parser admits no suspending op into a callback"),
        }
    }

    /// Runs ops to the end, to a `return` or to an exception. `current` is what `reraise` raises.
    pub(crate) fn run_body<'a>(
        self: &'a Rc<Self>,
        who: Who,
        body: &'a Body,
        current: Option<Exception>,
    ) -> Pin<Box<dyn Future<Output = Outcome> + 'a>> {
        Box::pin(async move {
            for op in body.iter() {
                if let Flow::Return(value) = self.run_op(who, op, current.as_ref()).await? {
                    return Ok(Flow::Return(value));
                }
            }
            Ok(Flow::Next)
        })
    }

    /// An exit that no clause can hold back for long: whatever the clause does, it is raised again.
    fn count_op(&self) -> Result<(), Exception> {
        if self.tracer.counts_op() {
            Ok(())
        } else {
            Err(Exception::exit("the program stays busy"))
        }
    }

    async fn run_op(self: &Rc<Self>, who: Who, op: &Op, current: Option<&Exception>) -> Outcome {
        self.count_op()?;
        self.tracer.at_op(op);
        let subject = &self.subject;
        match op {
            Op::Log(value) => self.record(who, json!(["log", value])),
            Op::Time => {
                let now = self.tracer.millis(self.clock.time());
                self.record(who, json!(["time", now]));
            }
            Op::Block(millis) => {
                self.clock
                    .advance(Duration::from_millis(millis.unsigned_abs()));
            }
            Op::CallSoon(name, body) => {
                let handle = subject.call_soon(self.callback("call", name, body))?;
                self.bind(name, Object::Handle(handle));
            }
            Op::CallLater(millis, name, body) => {
                let callback = self.callback("call", name, body);
                let timer = subject.call_at(self.in_millis(*millis), callback)?;
                self.bind(name, Object::Handle(timer));
            }
            Op::CallAt(millis, name, body) => {
                let callback = self.callback("call", name, body);
                let timer = subject.call_at(moment(*millis), callback)?;
                self.bind(name, Object::Handle(timer));
            }
            Op::CancelHandle(name) => {
                if let Some(Object::Handle(handle)) = self.lookup(who, name) {
                    subject.cancel_handle(&handle);
                }
            }
            Op::HandleCancelled(name) => {
                if let Some(Object::Handle(handle)) = self.lookup(who, name) {
                    let cancelled = subject.handle_cancelled(&handle);
                    self.record(who, json!(["handle_cancelled", name.as_ref(), cancelled]));
                }
            }
            Op::Io(millis, label, body) => {
                subject.add_reader(moment(*millis), self.callback("io", label, body))?;
            }
            Op::Stop => subject.stop(),
            // Outside of a task a cancellation is an error like any other, and keeps its message.
            Op::Raise(kind, message) if matches!(who, Who::Coroutine) => {
                return Err(Raised::exception(kind, message));
            }
            Op::Raise(kind, message) => return Err(Raised::plain(kind, message)),
            Op::Try(body, clauses, last) => {
                return self.run_try(who, body, clauses, last, current).await;
            }
            Op::Reraise => {
                return Err(current
                    .cloned()
                    .unwrap_or_else(|| Exception::error("no active exception to reraise")));
            }
            Op::Repeat(times, body) => {
                for _ in 0..*times {
                    self.count_op()?;
                    let flow = self.run_body(who, body, current.cloned()).await?;
                    if let Flow::Return(value) = flow {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Op::Return(value) => return Ok(Flow::Return(value.clone())),
            Op::RunForever | Op::Run(..) => {
                unreachable!("the parser admits them only as a script's elements")
            }
            other => return self.run_task_op(who, other).await,
        }
        Ok(Flow::Next)
    }

    async fn run_try(
        self: &Rc<Self>,
        who: Who,
        body: &Body,
        clauses: &[(&'static str, Body)],
        last: &Body,
        current: Option<&Exception>,
    ) -> Outcome {
        let mut outcome = self.run_body(who, body, current.cloned()).await;
        if let Err(exception) = &outcome {
            let kind = raised::kind(exception);
            let clause = clauses
                .iter()
                .find(|(clause, _)| raised::matches(kind, clause));
            if let Some((_, ops)) = clause {
                self.record(who, json!(["caught", raised::text(exception)]));
                outcome = self.run_body(who, ops, Some(exception.clone())).await;
            }
        }
        // As Python's `finally`: an exception of its own takes the place of the outcome.
        self.run_body(who, last, current.cloned()).await?;
        outcome
    }
}
