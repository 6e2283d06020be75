//! Loops and exceptions in Rust: a `try` is a block with an outcome, and its clauses are the arms of
//! a match.

use super::rust::Writer;
use super::rust_ops::duration;
use crate::op::{Body, Op};

impl Writer<'_> {
    /// Writes an op that has blocks; false if it has none.
    pub(super) fn flow(&mut self, op: &Op) -> bool {
        let from = self.page.here();
        match op {
            Op::Repeat(times, body) => {
                self.page.line(format!("for _ in 0..{times} {{"));
                self.page.op(op, from);
                self.plan.loops.set(self.plan.loops.get() + 1);
                self.block(body);
                self.plan.loops.set(self.plan.loops.get() - 1);
                self.page.line("}");
            }
            Op::Try(body, clauses, last) if last.is_empty() => self.try_(op, body, clauses),
            Op::Try(body, clauses, last) => {
                self.open("let outcome: Outcome<()> = ");
                self.page.op(op, from);
                self.page.indent += 1;
                if clauses.is_empty() {
                    self.ops(body, true);
                } else {
                    self.try_(op, body, clauses);
                    self.page.line("Ok(())");
                }
                self.page.indent -= 1;
                self.close(";");
                body_ops(self, last);
                self.page.line("outcome?;");
            }
            _ => return false,
        }
        true
    }

    fn try_(&mut self, op: &Op, body: &Body, clauses: &[(&'static str, Body)]) {
        let from = self.page.here();
        if let Some(awaited) = self.only_await(body) {
            self.page.line(format!("match {awaited} {{"));
            self.page.op(op, from);
            self.page.op(&body[0], from);
        } else {
            self.open("let tried: Outcome<()> = ");
            self.page.op(op, from);
            self.page.indent += 1;
            self.ops(body, true);
            self.page.indent -= 1;
            self.close(";");
            self.page.line("match tried {");
        }
        self.page.line("    Ok(_) => {}");
        for (kind, clause) in clauses {
            let guard = guard(kind);
            let name = if raises_again(clause) || !guard.is_empty() {
                "exception"
            } else {
                "_"
            };
            let head = format!("    Err({name}){guard} =>");
            if clause.is_empty() {
                self.page.line(format!("{head} {{}}"));
                continue;
            }
            self.page.line(format!("{head} {{"));
            self.page.indent += 1;
            self.block(clause);
            self.page.indent -= 1;
            self.page.line("    }");
        }
        if !clauses.iter().any(|(kind, _)| guard(kind).is_empty()) {
            self.page
                .line("    Err(exception) => return Err(exception),");
        }
        self.page.line("}");
    }

    /// The expression of a body that is one await.
    fn only_await(&self, body: &Body) -> Option<String> {
        match &body[..] {
            [Op::Await(name)] => Some(self.awaited(name)),
            [Op::Sleep(millis)] if *millis > 0 => {
                Some(format!("sleep({}).await", duration(*millis)))
            }
            _ => None,
        }
    }

    fn block(&mut self, body: &Body) {
        self.page.indent += 1;
        body_ops(self, body);
        self.page.indent -= 1;
    }

    /// A block with an outcome; in a callback it is a closure that is called.
    fn open(&mut self, before: &str) {
        let block = if self.on_loop { "(|| {" } else { "async {" };
        self.page.line(format!("{before}{block}"));
    }

    fn close(&mut self, after: &str) {
        if self.on_loop {
            self.page.line(format!("}})(){after}"));
        } else {
            self.page.line("}");
            self.page.line(format!(".await{after}"));
        }
    }
}

fn body_ops(writer: &mut Writer, body: &Body) {
    body.iter().for_each(|op| writer.op(op));
}

fn raises_again(ops: &[Op]) -> bool {
    ops.iter().any(|op| {
        let bodies = super::plan::children(op);
        let mut bodies = bodies.iter().filter(|(part, ..)| part.is_none());
        matches!(op, Op::Reraise) || bodies.any(|(.., body)| raises_again(body))
    })
}

/// What an exception must be for a clause to take it.
fn guard(kind: &str) -> String {
    match kind {
        "BaseException" => String::new(),
        "CancelledError" => " if exception.is_cancelled()".to_owned(),
        "Exception" => " if !exception.is_cancelled() && !exception.is_exit()".to_owned(),
        other => format!(" if exception.to_string().starts_with({other:?})"),
    }
}
