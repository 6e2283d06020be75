//! The program in Rust, on the loop of this book.

use super::page::Page;
use super::plan::{Function, Part, Plan, children};
use super::rust_types as types;
use crate::op::{Body, Mode, Name, Op, Program};

pub(super) fn write(program: &Program, plan: &Plan) -> Page {
    let mut writer = Writer {
        plan,
        program,
        page: Page::default(),
        on_loop: false,
    };
    for function in &plan.functions {
        if function.part != Part::Main {
            writer.function(function);
        }
    }
    writer.main();
    writer.imports();
    writer.page
}

pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) program: &'a Program,
    pub(super) page: Page,
    /// Whether the loop is at hand as `event_loop`.
    pub(super) on_loop: bool,
}

/// The names of the loop's crate, by what a line that uses them looks like. Some methods are those of
/// traits.
const OF_THE_LOOP: [(&str, &str); 20] = [
    ("AsyncGenerator", "AsyncGenerator"),
    (".set_debug(", "DebugMode"),
    (".set_slow_callback_duration(", "DebugMode"),
    ("EventLoop::", "EventLoop"),
    ("Exception::", "Exception"),
    ("Future<", "Future"),
    ("Handle", "Handle"),
    ("Outcome<", "Outcome"),
    ("Runner::", "Runner"),
    ("Source::", "Source"),
    ("Task<", "Task"),
    (".create_future::", "Tasks"),
    ("TimerHandle", "TimerHandle"),
    ("create_task(", "create_task"),
    ("gather(", "gather"),
    ("gather_return_exceptions(", "gather_return_exceptions"),
    ("run(async", "run"),
    ("running_loop(", "running_loop"),
    ("sleep(", "sleep"),
    ("yield_now(", "yield_now"),
];

/// Likewise of the standard library.
const OF_STD: [(&str, &str); 5] = [
    (".read_exact(", "use std::io::{Read, Write};"),
    ("UnixStream::", "use std::os::unix::net::UnixStream;"),
    ("Rc::", "use std::rc::Rc;"),
    ("thread::", "use std::thread;"),
    ("Duration::", "use std::time::Duration;"),
];

impl Writer<'_> {
    fn imports(&mut self) {
        let body = std::mem::take(&mut self.page.lines);
        let uses = |mark: &str| body.iter().any(|line| stands_alone(line, mark));
        let std = OF_STD.iter().filter(|(mark, _)| uses(mark));
        let mut head: Vec<String> = std.map(|(_, line)| (*line).to_owned()).collect();
        if !head.is_empty() {
            head.push(String::new());
        }
        let ours = OF_THE_LOOP.iter().filter(|(mark, _)| uses(mark));
        let mut names: Vec<&str> = ours.map(|(_, name)| *name).collect();
        names.dedup();
        head.extend(import(&names));
        head.push(String::new());
        let by = head.len();
        head.extend(body);
        self.page.lines = head;
        self.page.shift(by);
    }

    fn main(&mut self) {
        self.page.line("fn main() -> Outcome<()> {");
        self.page.indent += 1;
        match self.program.mode {
            Mode::Loop => self.script(),
            Mode::Run => self.runs(),
        }
        self.page.indent -= 1;
        self.page.line("}");
    }

    fn script(&mut self) {
        self.page.line("let event_loop = EventLoop::new();");
        self.on_loop = true;
        if self.program.debug {
            self.page.line("event_loop.set_debug(true);");
        }
        if let Some(slow) = self.program.slow {
            let slow = slow.as_millis();
            self.page.line(format!(
                "event_loop.set_slow_callback_duration(Duration::from_millis({slow}));"
            ));
        }
        if self
            .program
            .script
            .iter()
            .any(|op| matches!(op, Op::CallAt(..)))
        {
            self.page.line("let start = event_loop.time();");
        }
        let program = self.program;
        program.script.iter().for_each(|op| self.op(op));
        self.page.line("event_loop.close()?;");
        self.page.line("Ok(())");
    }

    fn runs(&mut self) {
        let program = self.program;
        let one = program.script.len() == 1 && !program.debug && program.slow.is_none();
        if !one {
            let debug = if program.debug {
                ".with_debug(true)"
            } else {
                ""
            };
            self.page
                .line(format!("let mut runner = Runner::new(){debug};"));
        }
        if let Some(slow) = program.slow {
            let slow = slow.as_millis();
            self.page.line(format!(
                "runner.get_loop()?.set_slow_callback_duration(Duration::from_millis({slow}));"
            ));
        }
        for op in &program.script {
            let Op::Run(_, body) = op else { continue };
            self.plan.enter(body);
            let unit = types::returned(body) == "()";
            let from = self.page.here();
            let run = if one { "run" } else { "runner.run" };
            let value = if unit { "" } else { "let value = " };
            self.page.line(format!("{value}{run}(async {{"));
            self.page.op(op, from);
            self.page.body(body, from);
            self.page.indent += 1;
            self.ops(body, true);
            self.page.indent -= 1;
            self.page.line(if one && unit { "})" } else { "})?;" });
            if !unit {
                self.page.line("println!(\"{value:?}\");");
            }
            if one && unit {
                return;
            }
        }
        if !one {
            self.page.line("runner.close()?;");
        }
        self.page.line("Ok(())");
    }

    fn function(&mut self, function: &Function) {
        let from = self.page.here();
        let Function {
            part,
            name,
            body,
            takes,
        } = function;
        self.plan.enter(body);
        let mut parameters: Vec<String> = Vec::new();
        if *part == Part::Reader {
            parameters.push("door: &UnixStream".to_owned());
        }
        parameters.extend(takes.iter().map(|name| {
            let kind = types::of_name(self.program, self.plan, name);
            format!("{}: {kind}", self.plan.variable(name))
        }));
        let parameters = parameters.join(", ");
        let (head, fails) = match part {
            Part::Main | Part::Coroutine | Part::Closing => {
                let returned = types::returned(body);
                (
                    format!("async fn {name}({parameters}) -> Outcome<{returned}>"),
                    true,
                )
            }
            Part::Callback | Part::Reader | Part::Done => {
                let fails = *part == Part::Reader || body.iter().any(may_fail);
                let outcome = if fails { " -> Outcome<()>" } else { "" };
                (format!("fn {name}({parameters}){outcome}"), fails)
            }
        };
        if body.is_empty() && *part != Part::Reader && !fails {
            self.page.line(format!("{head} {{}}"));
            self.page.body(body, from);
            return self.page.line("");
        }
        self.page.line(format!("{head} {{"));
        self.page.body(body, from);
        self.page.indent += 1;
        if *part == Part::Reader {
            self.page.line("(&*door).read_exact(&mut [0])?;");
            self.page.line("running_loop()?.remove_reader(&door);");
            self.page.body(body, from);
        }
        self.ops(body, fails);
        self.page.indent -= 1;
        self.page.line("}");
        self.page.line("");
    }

    /// The ops of a function or of a block that has an outcome.
    pub(super) fn ops(&mut self, body: &Body, fails: bool) {
        body.iter().for_each(|op| self.op(op));
        let last = body.last();
        // The last op is the value, where it gives one.
        match last {
            Some(Op::Return(_) | Op::Raise(..) | Op::Reraise) => self.page.unreturn(),
            _ if fails => self.page.line("Ok(())"),
            _ => {}
        }
    }

    /// A call of a function, with what it takes.
    pub(super) fn call(&self, body: &Body) -> String {
        let Some(function) = self.plan.function(body) else {
            return String::new();
        };
        let given = function.takes.iter().map(|name| self.given(name));
        let given: Vec<String> = given.collect();
        format!("{}({})", function.name, given.join(", "))
    }

    fn given(&self, name: &Name) -> String {
        self.plan.use_up(name);
        format!("{}.clone()", self.plan.variable(name))
    }

    /// A callback of a function: itself, or a closure that owns what it takes.
    pub(super) fn callback(&mut self, body: &Body) -> String {
        let Some(function) = self.plan.function(body) else {
            return String::new();
        };
        let name = function.name.clone();
        let given: Vec<String> = function.takes.iter().map(|name| self.given(name)).collect();
        match given.as_slice() {
            [] => name,
            [one] => {
                self.page.line(format!("let ours = {one};"));
                format!("move || {name}(ours)")
            }
            many => {
                let numbers: Vec<String> = (0..many.len()).map(|n| format!("ours.{n}")).collect();
                self.page.line(format!("let ours = ({});", many.join(", ")));
                format!("move || {name}({})", numbers.join(", "))
            }
        }
    }
}

/// The `use` of the loop's names, broken where it is long.
fn import(names: &[&str]) -> Vec<String> {
    let one = format!("use the_loop::{{{}}};", names.join(", "));
    if one.len() <= 92 {
        return vec![one];
    }
    let mut lines = vec!["use the_loop::{".to_owned()];
    let mut line = "   ".to_owned();
    for name in names {
        if line.len() + name.len() > 90 {
            lines.push(std::mem::replace(&mut line, "   ".to_owned()));
        }
        line.extend([" ", name, ","]);
    }
    lines.extend([line, "};".to_owned()]);
    lines
}

/// Whether a line has `mark`, and not as the end of a longer name or path, or inside a string.
fn stands_alone(line: &str, mark: &str) -> bool {
    let code = line.split('"').next().unwrap_or(line);
    if mark.starts_with('.') {
        return code.contains(mark);
    }
    code.match_indices(mark).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'))
    })
}

/// Whether an op can end a callback with an error.
fn may_fail(op: &Op) -> bool {
    match op {
        Op::Log(_)
        | Op::Block(_)
        | Op::CancelHandle(_)
        | Op::HandleCancelled(_)
        | Op::Cancel(_)
        | Op::State(_)
        | Op::OffDone(..) => false,
        Op::Repeat(..) => children(op)
            .iter()
            .any(|(.., body)| body.iter().any(may_fail)),
        _ => true,
    }
}
