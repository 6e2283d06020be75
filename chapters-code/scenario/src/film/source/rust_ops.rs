//! The ops in Rust.

use serde_json::Value;

use super::rust::Writer;
use super::rust_types as types;
use crate::op::{Item, Millis, Name, Op};

impl Writer<'_> {
    /// The lines of an op.
    pub(super) fn op(&mut self, op: &Op) {
        let from = self.page.here();
        if self.flow(op) {
            return;
        }
        match op {
            Op::CallSoon(name, body) => {
                let callback = self.callback(body);
                let here = self.here();
                self.bind(name, format!("{here}.call_soon({callback})?"));
            }
            Op::CallLater(millis, name, body) => {
                let callback = self.callback(body);
                let (here, delay) = (self.here(), duration(*millis));
                self.bind(name, format!("{here}.call_later({delay}, {callback})?"));
            }
            Op::CallAt(millis, name, body) => {
                let callback = self.callback(body);
                let (here, when) = (self.here(), duration(*millis));
                self.bind(name, format!("{here}.call_at(start + {when}, {callback})?"));
            }
            Op::Io(millis, name, body) => {
                let reader = self
                    .plan
                    .function(body)
                    .map(|function| function.name.clone());
                let reader = reader.unwrap_or_else(|| name.to_string());
                let (here, delay) = (self.here(), duration(*millis));
                self.page.line("let (door, knock) = UnixStream::pair()?;");
                self.page.line("thread::spawn(move || {");
                self.page.line(format!("    thread::sleep({delay});"));
                self.page.line("    (&knock).write_all(b\"x\")");
                self.page.line("});");
                self.page.line("let door = Rc::new(door);");
                self.page.line(format!(
                    "{here}.add_reader(Source::new(door.clone()), move || {reader}(&door))?;"
                ));
            }
            Op::Task(name, body) => {
                let call = self.call(body);
                let create = if self.on_loop {
                    "event_loop.create_task"
                } else {
                    "create_task"
                };
                self.bind(name, format!("{create}({call})?"));
            }
            Op::Future(name) => {
                let kind = types::of_name(self.program, self.plan, name);
                let kind = kind.strip_prefix("Future").unwrap_or_default().to_owned();
                let here = self.here();
                self.bind(name, format!("{here}.create_future::{kind}()"));
            }
            Op::Gather(name, items, return_exceptions) => {
                let item = |item: &Item| match item {
                    Item::Name(name) => format!("{}.clone()", self.variable(name)),
                    Item::Body(body) => format!("create_task({})?", self.call(body)),
                };
                let items: Vec<String> = items.iter().map(item).collect();
                let gather = if *return_exceptions {
                    "gather_return_exceptions"
                } else {
                    "gather"
                };
                self.bind(name, format!("{gather}([{}])?", items.join(", ")));
            }
            Op::OnDone(name, _, body) => {
                let callback = self.callback(body).replace("move || ", "move |_| ");
                let called = if callback.starts_with("move") {
                    callback
                } else {
                    format!("|_| {callback}()")
                };
                let future = self.variable(name);
                self.page
                    .line(format!("{future}.add_done_callback({called});"));
            }
            Op::Agen(name, body) => {
                let call = self.call(body);
                let generator = format!("AsyncGenerator::open({}, {call})?", text(name));
                self.bind(name, generator);
            }
            other => {
                let line = self.simple(other);
                self.page.line(line);
            }
        }
        self.page.op(op, from);
    }

    /// The loop, as it is at hand.
    pub(super) fn here(&self) -> &'static str {
        if self.on_loop {
            "event_loop"
        } else {
            "running_loop()?"
        }
    }

    pub(super) fn variable(&self, name: &Name) -> String {
        match name.as_ref() {
            "self" => "current_task()".to_owned(),
            _ => self.plan.variable(name),
        }
    }

    fn bind(&mut self, name: &Name, call: String) {
        let line = if self.plan.is_used(name) {
            format!("let {} = {call};", self.plan.variable(name))
        } else {
            format!("{call};")
        };
        self.page.line(line);
    }

    /// An await of a future; the last one takes it.
    pub(super) fn awaited(&self, name: &Name) -> String {
        let future = self.variable(name);
        if self.plan.use_up(name) {
            format!("{future}.await")
        } else {
            format!("(&{future}).await")
        }
    }

    fn simple(&self, op: &Op) -> String {
        let var = |name| {
            self.plan.use_up(name);
            self.variable(name)
        };
        match op {
            Op::Log(Value::String(said)) => {
                let said = said.replace('{', "{{").replace('}', "}}");
                format!("println!({});", text(&said))
            }
            Op::Log(value) => format!("println!(\"{value}\");"),
            Op::Time => format!("println!(\"{{:?}}\", {}.time());", self.here()),
            Op::Block(millis) => format!("thread::sleep({});", duration(*millis)),
            Op::CancelHandle(name) | Op::Cancel(name) => format!("{}.cancel();", var(name)),
            Op::HandleCancelled(name) => {
                format!("println!(\"{{}}\", {}.cancelled());", var(name))
            }
            Op::Stop => format!("{}.stop();", self.here()),
            Op::RunForever => "event_loop.run_forever()?;".to_owned(),
            Op::Return(value) => format!("return Ok({});", literal(value)),
            Op::Raise(kind, message) => format!("return Err({});", exception(kind, message)),
            Op::Reraise => "return Err(exception);".to_owned(),
            Op::SetResult(name, value) => {
                format!("{}.set_result({})?;", var(name), literal(value))
            }
            Op::SetException(name, kind, message) => {
                format!(
                    "{}.set_exception({})?;",
                    var(name),
                    exception(kind, message)
                )
            }
            Op::OffDone(name, label) => format!(
                "println!(\"{{}}\", {}.remove_done_callback(&{}));",
                var(name),
                self.plan.labelled(label)
            ),
            Op::State(name) => format!("println!(\"{{}}\", {}.done());", var(name)),
            Op::Result(name) => format!("println!(\"{{:?}}\", {}.result()?);", var(name)),
            Op::Exception(name) => {
                format!("println!(\"{{:?}}\", {}.exception()?);", var(name))
            }
            Op::Await(name) => format!("{}?;", self.awaited(name)),
            Op::Yield => "yield_now().await?;".to_owned(),
            Op::Sleep(millis) if *millis <= 0 => "yield_now().await?;".to_owned(),
            Op::Sleep(millis) => format!("sleep({}).await?;", duration(*millis)),
            Op::Nest(body) => format!("{}.await?;", self.call(body)),
            Op::SetDebug(on) => format!("{}.set_debug({on});", self.here()),
            Op::SetSlow(millis) => format!(
                "{}.set_slow_callback_duration({});",
                self.here(),
                duration(*millis)
            ),
            Op::Aclose(name) => format!("{}.aclose().await?;", var(name)),
            _ => unreachable!("written where it is met"),
        }
    }
}

pub(super) fn duration(millis: Millis) -> String {
    format!("Duration::from_millis({})", millis.max(0))
}

pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "()".to_owned(),
        Value::String(said) => text(said),
        other => other.to_string(),
    }
}

fn text(said: &str) -> String {
    format!("{said:?}")
}

fn exception(kind: &str, message: &str) -> String {
    match kind {
        "CancelledError" => "Exception::Cancelled".to_owned(),
        "KeyboardInterrupt" | "SystemExit" => {
            format!("Exception::exit({})", text(&format!("{kind}: {message}")))
        }
        _ => format!("Exception::error({})", text(&format!("{kind}: {message}"))),
    }
}
