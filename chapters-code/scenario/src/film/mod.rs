//! A program's run file: the loop is filmed while it runs the program, and the lines of its
//! source, in both languages, go with what ran.

mod cells;
mod gallery;
mod grid;
mod source;

use std::collections::HashMap;

use film::{Film, Lines, Run};
use serde_json::Value;

pub use cells::responsiveness;
pub use gallery::{GalleryError, Shown, gallery, rust_of};
pub use grid::{CHUNKS, KINDS, Kind, PERIODS, Place, TASKS, WORK};

use crate::op::{Body, Op, Program};
use crate::run::{RunError, run_on};
use crate::world::{ORIGIN, World};

/// The film, and where in the source each op and each body stands. Both are known by their places
/// in memory, which the program keeps.
pub(crate) struct Camera {
    pub(crate) film: Film,
    pub(crate) places: Places,
}

/// Where the ops and the bodies of a program stand in its source.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) ops: HashMap<*const Op, Lines>,
    pub(crate) bodies: HashMap<*const Op, Lines>,
}

impl Camera {
    pub(crate) fn at_op(&self, op: &Op) {
        if let Some(lines) = self.places.ops.get(&std::ptr::from_ref(op)) {
            self.film.at(*lines);
        }
    }

    pub(crate) fn at_body(&self, body: &Body) {
        if let Some(lines) = self.places.bodies.get(&body.as_ptr()) {
            self.film.at(*lines);
        }
    }
}

/// Runs a program on a fresh loop with a virtual clock, and gives its run file.
///
/// # Errors
/// As [`run`](crate::run).
pub fn film(program: &Program) -> Result<Run, RunError> {
    let (source, places) = source::write(program);
    let camera = Camera {
        film: Film::from_origin(ORIGIN),
        places,
    };
    let world = World::filmed(program, Some(camera));
    run_on(&world, program, |outcome| {
        let event_loop = &world.subject.event_loop;
        let camera = world.tracer.camera.as_ref();
        let mut run = camera.map(|camera| camera.film.cut(event_loop));
        if let Some(run) = &mut run {
            run.name.clone_from(&program.name);
            run.title.clone_from(&program.name);
            run.text.clone_from(&program.desc);
            run.outcome = Value::Array(outcome);
            run.source = Some(source);
        }
        run.expect("a camera was given above")
    })
}
