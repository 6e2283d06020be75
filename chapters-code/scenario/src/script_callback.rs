//! A callback of a program: the handles that a trace calls `call:H`, `done:C` and `io:R`.

use std::fmt;
use std::rc::Rc;

use serde_json::json;
use six_steps::{Callback, Exception, Handle};

use crate::exec::Who;
use crate::op::{Body, Name};
use crate::world::World;

/// A callback whose body is ops: `call:H`, `done:C`, `io:R`.
pub(crate) struct ScriptCallback {
    pub(crate) world: Rc<World>,
    pub(crate) kind: &'static str,
    pub(crate) label: Name,
    pub(crate) body: Body,
    pub(crate) before: Box<dyn Fn()>,
}

impl ScriptCallback {
    /// The same callback, which first does something that leaves no event.
    pub(crate) fn after(self, before: impl Fn() + 'static) -> Self {
        Self {
            before: Box::new(before),
            ..self
        }
    }
}

impl Callback for ScriptCallback {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        (self.before)();
        self.world
            .record(Who::Loop, json!([self.kind, self.label.as_ref()]));
        self.world.run_callback(Who::Loop, &self.body)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.label)
    }
}
