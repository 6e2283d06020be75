//! A source while it is written: its lines, and which of them belong to which op and which body.

use film::Span;

use super::Spans;
use crate::op::{Body, Op};

#[derive(Default)]
pub(super) struct Page {
    pub(super) lines: Vec<String>,
    pub(super) ops: Spans,
    pub(super) bodies: Spans,
    pub(super) indent: usize,
}

impl Page {
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let margin = if text.is_empty() { 0 } else { self.indent * 4 };
        self.lines.push(format!("{}{text}", " ".repeat(margin)));
    }

    /// An empty line, unless there is one already.
    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.line("");
        }
    }

    /// Where the next line will stand.
    pub(super) fn here(&self) -> usize {
        self.lines.len()
    }

    /// The lines since `from` are those of the op. An op that is written twice keeps its first.
    pub(super) fn op(&mut self, op: &Op, from: usize) {
        let span = self.since(from);
        self.ops.entry(std::ptr::from_ref(op)).or_insert(span);
    }

    /// The lines since `from` are the head of the body.
    pub(super) fn body(&mut self, body: &Body, from: usize) {
        let span = self.since(from);
        self.bodies.entry(body.as_ptr()).or_insert(span);
    }

    /// Lines were put before all others.
    pub(super) fn shift(&mut self, by: usize) {
        for span in self.ops.values_mut().chain(self.bodies.values_mut()) {
            *span = [span[0] + by, span[1] + by];
        }
    }

    /// The last line is `return VALUE;` and becomes the value.
    pub(super) fn unreturn(&mut self) {
        if let Some(line) = self.lines.last_mut()
            && let Some(value) = line.trim_start().strip_prefix("return ")
        {
            let margin = line.len() - line.trim_start().len();
            *line = format!("{}{}", " ".repeat(margin), value.trim_end_matches(';'));
        }
    }

    fn since(&self, from: usize) -> Span {
        [from, self.here().saturating_sub(1).max(from)]
    }
}
