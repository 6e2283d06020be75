//! The ops that are one line of Python, and how Python writes values.

use serde_json::Value;

use super::python::Writer;
use crate::op::{Item, Millis, Op};

impl Writer<'_> {
    /// The line of an op.
    pub(super) fn simple(&self, op: &Op) -> String {
        let var = |name| self.variable(name);
        match op {
            Op::Log(value) => format!("print({})", literal(value)),
            Op::Time => "print(loop.time())".to_owned(),
            Op::Block(millis) => format!("time.sleep({})", seconds(*millis)),
            Op::CallSoon(name, body) => {
                let callback = self.name_of(body, name);
                self.bound(name, format!("loop.call_soon({callback})"))
            }
            Op::CallLater(millis, name, body) => {
                let (delay, callback) = (seconds(*millis), self.name_of(body, name));
                self.bound(name, format!("loop.call_later({delay}, {callback})"))
            }
            Op::CallAt(millis, name, body) => {
                let (when, callback) = (seconds(*millis), self.name_of(body, name));
                self.bound(name, format!("loop.call_at(start + {when}, {callback})"))
            }
            Op::CancelHandle(name) | Op::Cancel(name) => format!("{}.cancel()", var(name)),
            Op::HandleCancelled(name) => format!("print({}.cancelled())", var(name)),
            Op::Stop => "loop.stop()".to_owned(),
            Op::Raise(kind, message) => {
                format!("raise {}({})", exception(kind), quoted(message))
            }
            Op::Reraise => "raise".to_owned(),
            // A script is no function, and cannot return.
            Op::Return(_) if self.script && self.page.indent == 0 => "pass".to_owned(),
            Op::Return(Value::Null) => "return".to_owned(),
            Op::Return(value) => format!("return {}", literal(value)),
            Op::RunForever => "loop.run_forever()".to_owned(),
            Op::Future(name) => self.bound(name, "loop.create_future()".to_owned()),
            Op::SetResult(name, value) => format!("{}.set_result({})", var(name), literal(value)),
            Op::SetException(name, kind, message) => format!(
                "{}.set_exception({}({}))",
                var(name),
                exception(kind),
                quoted(message)
            ),
            Op::OnDone(name, label, body) => {
                let callback = self.name_of(body, label);
                format!("{}.add_done_callback({callback})", var(name))
            }
            Op::OffDone(name, label) => {
                let callback = self.plan.labelled(label);
                format!("print({}.remove_done_callback({callback}))", var(name))
            }
            Op::State(name) => format!("print({}.done())", var(name)),
            Op::Result(name) => format!("print({}.result())", var(name)),
            Op::Exception(name) => format!("print({}.exception())", var(name)),
            Op::Task(name, body) => {
                let coroutine = self.name_of(body, name);
                let create = if self.script { "loop" } else { "asyncio" };
                let call = format!("{create}.create_task({coroutine}(), name={})", quoted(name));
                self.bound(name, call)
            }
            Op::Await(name) => format!("await {}", var(name)),
            Op::Yield => "await asyncio.sleep(0)".to_owned(),
            Op::Sleep(millis) => format!("await asyncio.sleep({})", seconds((*millis).max(0))),
            Op::Nest(body) => format!("await {}()", self.name_of(body, "nested")),
            Op::Gather(name, items, return_exceptions) => {
                let item = |item: &Item| match item {
                    Item::Name(name) => self.variable(name),
                    Item::Body(body) => format!("{}()", self.name_of(body, name)),
                };
                let mut items: Vec<String> = items.iter().map(item).collect();
                if *return_exceptions {
                    items.push("return_exceptions=True".to_owned());
                }
                self.bound(name, format!("asyncio.gather({})", items.join(", ")))
            }
            Op::SetDebug(on) => format!("loop.set_debug({})", literal(&Value::Bool(*on))),
            Op::SetSlow(millis) => format!("loop.slow_callback_duration = {}", seconds(*millis)),
            Op::Aclose(name) => format!("await {}.aclose()", var(name)),
            Op::Repeat(..) | Op::Try(..) | Op::Io(..) | Op::Agen(..) | Op::Run(..) => {
                unreachable!("written where it is met")
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most twelve digits")]
pub(super) fn seconds(millis: Millis) -> String {
    format!("{}", millis as f64 / 1000.0)
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        // JSON's strings and numbers are Python's.
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

pub(super) fn exception(kind: &str) -> String {
    match kind {
        "CancelledError" | "InvalidStateError" | "QueueEmpty" | "QueueFull" | "QueueShutDown"
        | "BrokenBarrierError" => format!("asyncio.{kind}"),
        "ExceptionGroup" => "BaseExceptionGroup".to_owned(),
        other => other.to_owned(),
    }
}
