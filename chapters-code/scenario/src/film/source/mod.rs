//! A program as a person would write it: in Rust on the loop of this book, and in Python on asyncio.
//! Each op is one or more lines, and the lines of what ran can be told.

mod cast;
mod page;
mod plan;
mod python;
mod python_needs;
mod python_ops;
mod rust;
mod rust_flow;
mod rust_ops;
mod rust_types;

use std::collections::HashMap;

use film::{Lines, Source, Span};

use super::Places;
use crate::op::{Op, Program};
use plan::Plan;

/// Writes a program in both languages.
pub(crate) fn write(program: &Program) -> (Source, Places) {
    let plan = Plan::of(program);
    let rust = rust::write(program, &plan);
    let python = python::write(program, &plan);
    let places = Places {
        ops: both(&rust.ops, &python.ops),
        bodies: both(&rust.bodies, &python.bodies),
    };
    let source = Source {
        rust: rust.lines,
        python: python.lines,
    };
    (source, places)
}

type Spans = HashMap<*const Op, Span>;

fn both(rust: &Spans, python: &Spans) -> HashMap<*const Op, Lines> {
    let pairs = rust.iter().filter_map(|(op, rust)| {
        let python = python.get(op)?;
        let (rust, python) = (*rust, *python);
        Some((*op, Lines { rust, python }))
    });
    pairs.collect()
}
