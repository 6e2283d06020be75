//! The program in Python, on asyncio. It runs as it stands.

use std::collections::BTreeSet;

use super::page::Page;
use super::plan::{Function, Part, Plan};
use super::python_needs::{anywhere, bindings, inline, needs_loop, readers, tells_moments};
use super::python_ops::{exception, seconds};
use crate::op::{Body, Millis, Mode, Name, Op, Program};

pub(super) fn write(program: &Program, plan: &Plan) -> Page {
    let mut writer = Writer {
        plan,
        page: Page::default(),
        script: program.mode == Mode::Loop,
        tells_start: match program.mode {
            // At the script's own moment zero, a descriptor needs none.
            Mode::Loop => program.script.iter().any(|op| match op {
                Op::Io(_, _, body) => body.iter().any(tells_moments),
                other => tells_moments(other),
            }),
            Mode::Run => program.script.iter().any(tells_moments),
        },
    };
    writer.imports(program);
    if writer.script {
        writer.page.line("loop = asyncio.new_event_loop()");
        if program.debug {
            writer.page.line("loop.set_debug(True)");
        }
        if writer.tells_start {
            writer.page.line("start = loop.time()");
        }
        writer.settings(program, "loop");
    }
    for function in &plan.functions {
        writer.function(function);
    }
    writer.page.gap();
    writer.page.gap();
    match program.mode {
        Mode::Loop => {
            writer.page.line("");
            program.script.iter().for_each(|op| writer.op(op));
            writer.page.line("loop.close()");
        }
        Mode::Run => writer.runs(program),
    }
    writer.page
}

pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) page: Page,
    pub(super) script: bool,
    tells_start: bool,
}

impl Writer<'_> {
    fn imports(&mut self, program: &Program) {
        let page = &mut self.page;
        page.line("import asyncio");
        if anywhere(&program.script, |op| matches!(op, Op::Io(..))) {
            page.line("import socket");
            page.line("import threading");
        }
        if anywhere(&program.script, |op| matches!(op, Op::Block(_))) {
            page.line("import time");
        }
        page.line("");
    }

    fn settings(&mut self, program: &Program, event_loop: &str) {
        for (field, value) in [
            ("slow_callback_duration", program.slow),
            ("_clock_resolution", program.resolution),
        ] {
            if let Some(value) = value {
                let value = value.as_secs_f64();
                self.page.line(format!("{event_loop}.{field} = {value}"));
            }
        }
    }

    fn runs(&mut self, program: &Program) {
        self.page.line("");
        let mains = self.plan.functions.iter().filter(|f| f.part == Part::Main);
        let mains: Vec<_> = mains.map(|main| main.name.clone()).collect();
        let debug = if program.debug { "debug=True" } else { "" };
        let plain = program.slow.is_none() && program.resolution.is_none();
        if let ([only], [op], true) = (mains.as_slice(), program.script.as_slice(), plain) {
            let comma = if program.debug { ", " } else { "" };
            let from = self.page.here();
            self.page
                .line(format!("asyncio.run({only}(){comma}{debug})"));
            return self.page.op(op, from);
        }
        self.page
            .line(format!("with asyncio.Runner({debug}) as runner:"));
        let from = self.page.here();
        for (main, op) in mains.iter().zip(&program.script) {
            if self.page.here() == from {
                self.settings_of_runner(program);
            }
            let from = self.page.here();
            self.page.line(format!("    runner.run({main}())"));
            self.page.op(op, from);
        }
        if mains.is_empty() {
            self.page.line("    pass");
        }
    }

    fn settings_of_runner(&mut self, program: &Program) {
        let before = self.page.here();
        self.settings(program, "runner.get_loop()");
        for line in &mut self.page.lines[before..] {
            line.insert_str(0, "    ");
        }
    }

    fn function(&mut self, function: &Function) {
        self.page.gap();
        self.page.line("");
        let from = self.page.here();
        let Function { part, name, .. } = function;
        let head = match part {
            Part::Main | Part::Coroutine | Part::Closing => format!("async def {name}():"),
            Part::Callback | Part::Reader => format!("def {name}():"),
            Part::Done => format!("def {name}(_future):"),
        };
        self.page.line(head);
        self.inside(|writer| {
            writer.head(function);
            writer.page.body(function.body, from);
            match part {
                Part::Closing => {
                    writer.page.line("try:");
                    writer.page.line("    yield");
                    writer.page.line("finally:");
                    writer.block(function.body);
                }
                _ if function.body.is_empty() && writer.page.here() > from + 1 => {}
                _ => writer.ops(function.body),
            }
        });
    }

    /// What stands before a function's first op.
    fn head(&mut self, function: &Function) {
        let starts = self.tells_start && !self.script && function.part == Part::Main;
        let starts = starts
            && self
                .plan
                .functions
                .iter()
                .find(|f| f.part == Part::Main)
                .is_some_and(|first| first.name == function.name);
        let mut globals: BTreeSet<String> = self.shared(function).into_iter().collect();
        if starts {
            globals.insert("start".to_owned());
        }
        if !globals.is_empty() {
            let globals: Vec<String> = globals.into_iter().collect();
            self.page.line(format!("global {}", globals.join(", ")));
        }
        if !self.script && (starts || inline(function.body, needs_loop)) {
            self.page.line("loop = asyncio.get_running_loop()");
        }
        if starts {
            self.page.line("start = loop.time()");
        }
        if function.part == Part::Reader {
            let door = format!("{}_door", function.name);
            self.page.line(format!("{door}.recv(1)"));
            let event_loop = if self.script || inline(function.body, needs_loop) {
                "loop"
            } else {
                "asyncio.get_running_loop()"
            };
            self.page
                .line(format!("{event_loop}.remove_reader({door})"));
        }
    }

    /// The variables that the function binds and others use.
    fn shared(&self, function: &Function) -> Vec<String> {
        let mut bound = Vec::new();
        bindings(function.body, &mut bound);
        let others = || {
            self.plan
                .functions
                .iter()
                .filter(|f| f.name != function.name)
        };
        let taken = |name: &Name| others().any(|other| other.takes.contains(name));
        let shared = bound.into_iter().filter(|name| {
            taken(name) || (function.part != Part::Main && function.takes.contains(*name))
        });
        let mut shared: Vec<String> = shared.map(|name| self.plan.variable(name)).collect();
        let mut doors = Vec::new();
        readers(function.body, self.plan, &mut doors);
        shared.extend(doors);
        shared
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.page.indent += 1;
        write(self);
        self.page.indent -= 1;
    }

    fn block(&mut self, body: &Body) {
        self.inside(|writer| writer.ops(body));
    }

    fn ops(&mut self, body: &Body) {
        if body.is_empty() {
            self.page.line("pass");
        }
        body.iter().for_each(|op| self.op(op));
    }

    fn op(&mut self, op: &Op) {
        let from = self.page.here();
        match op {
            Op::Repeat(times, body) => {
                self.page.line(format!("for _ in range({times}):"));
                self.page.op(op, from);
                self.block(body);
            }
            Op::Try(body, clauses, last) => {
                self.page.line("try:");
                self.page.op(op, from);
                self.block(body);
                for (kind, body) in clauses {
                    self.page.line(format!("except {}:", exception(kind)));
                    self.block(body);
                }
                if !last.is_empty() || clauses.is_empty() {
                    self.page.line("finally:");
                    self.block(last);
                }
            }
            Op::Io(millis, name, body) => {
                let reader = self.name_of(body, name);
                let (door, delay) = (format!("{reader}_door"), self.delay(*millis));
                self.page
                    .line(format!("{door}, knock = socket.socketpair()"));
                self.page.line(format!(
                    "threading.Timer({delay}, knock.send, [b\"x\"]).start()"
                ));
                self.page.line(format!("loop.add_reader({door}, {reader})"));
                self.page.op(op, from);
            }
            Op::Agen(name, body) => {
                let (generator, function) = (self.plan.variable(name), self.name_of(body, name));
                self.page.line(format!("{generator} = {function}()"));
                self.page.line(format!("await anext({generator})"));
                self.page.op(op, from);
            }
            other => {
                let line = self.simple(other);
                self.page.line(line);
                self.page.op(op, from);
            }
        }
    }

    pub(super) fn name_of(&self, body: &Body, name: &str) -> String {
        let found = self.plan.function(body);
        found.map_or_else(|| name.to_owned(), |function| function.name.clone())
    }

    fn delay(&self, millis: Millis) -> String {
        if self.script && self.page.indent == 0 {
            seconds(millis.max(0))
        } else {
            format!("start + {} - loop.time()", seconds(millis))
        }
    }

    pub(super) fn variable(&self, name: &Name) -> String {
        match name.as_ref() {
            "self" => "asyncio.current_task()".to_owned(),
            _ => self.plan.variable(name),
        }
    }

    /// `NAME = CALL`, or the call alone if nobody uses the name.
    pub(super) fn bound(&self, name: &Name, call: String) -> String {
        if self.plan.is_used(name) {
            format!("{} = {call}", self.plan.variable(name))
        } else {
            call
        }
    }
}
