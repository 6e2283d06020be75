//! A callback of a program: the handles that a trace calls `call:H`, `done:C` and `io:R`.

use std::rc::Rc;

use serde_json::json;
use six_steps::Exception;

use crate::exec::Who;
use crate::op::{Body, Name};
use crate::subject::Subject;
use crate::world::World;

/// A callback whose body is ops: `call:H`, `done:C`, `io:R`.
pub(crate) struct ScriptCallback<S: Subject> {
    pub(crate) world: Rc<World<S>>,
    pub(crate) kind: &'static str,
    pub(crate) label: Name,
    pub(crate) body: Body,
}

impl<S: Subject> ScriptCallback<S> {
    /// Records that it runs, then runs its body.
    pub(crate) fn run(&self) -> Result<(), Exception> {
        self.world.tracer.at_body(&self.body);
        self.world
            .record(Who::Loop, json!([self.kind, self.label.as_ref()]));
        self.world.run_callback(Who::Loop, &self.body)
    }

    /// What a trace calls it.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}", self.kind, self.label)
    }
}
