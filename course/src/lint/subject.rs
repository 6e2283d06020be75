//! An exercise as lint tries it: as shipped, as solved, and with each of its misconceptions.

use anyhow::Result;

use super::fault::Fault;
use super::folders::slashes;
use super::misconception::{self, Misconception};
use crate::manifest::{Course, Exercise};
use crate::workshop::package::{Files, Package, editable, files_below};

/// The fewest misconceptions that an exercise is tried with.
const FEWEST: usize = 3;

/// An exercise with what it is tried with.
pub(crate) struct Subject<'a> {
    pub(crate) exercise: &'a Exercise,
    /// How many misconceptions it has, those that are of no use among them.
    pub(crate) patches: usize,
    solution: Files,
    /// Those that apply.
    pub(crate) misconceptions: Vec<Misconception>,
}

/// What the editable files of a variant are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// As shipped.
    Stub,
    /// As solved.
    Solution,
    /// With the misconception of this index.
    Wrong(usize),
}

impl<'a> Subject<'a> {
    /// Reads the solution and the misconceptions of an exercise whose folders are sound.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn read(
        course: &Course,
        exercise: &'a Exercise,
        faults: &mut Vec<Fault>,
    ) -> Result<Self> {
        let folder = exercise.solution(&course.root);
        let solution = editable(exercise, &folder)?;
        let (mut patches, mut misconceptions) = (0, Vec::new());
        for file in files_below(&folder.join("misconceptions"))? {
            if file.extension().is_none_or(|kind| kind != "patch") {
                continue;
            }
            patches += 1;
            match misconception::read(&folder.join("misconceptions").join(&file), &solution) {
                Ok(read) => misconceptions.push(read),
                Err((what, remedy)) => {
                    let what = format!("misconceptions/{} {what}", slashes(&file));
                    faults.push(Fault::new(&exercise.id, what, remedy));
                }
            }
        }
        if patches < FEWEST {
            let what = format!("it has {patches} misconceptions");
            let remedy = format!(
                "write {FEWEST}, in solutions/{}/{}/misconceptions/",
                exercise.chapter, exercise.id
            );
            faults.push(Fault::new(&exercise.id, what, remedy));
        }
        Ok(Self {
            exercise,
            patches,
            solution,
            misconceptions,
        })
    }

    /// Everything that this exercise is tried as.
    pub(crate) fn roles(&self) -> Vec<Role> {
        let wrong = (0..self.misconceptions.len()).map(Role::Wrong);
        [Role::Stub, Role::Solution]
            .into_iter()
            .chain(wrong)
            .collect()
    }

    /// The package of a role.
    ///
    /// # Errors
    /// A file of the exercise cannot be read.
    pub(crate) fn package(&self, course: &Course, role: Role) -> Result<Package> {
        let none = Files::new();
        let (variant, edited, program) = match role {
            Role::Stub => ("stub", &none, true),
            Role::Solution => ("solution", &self.solution, true),
            // Its tests have to find it out, so its program is of no use.
            Role::Wrong(index) => {
                let wrong = &self.misconceptions[index];
                (wrong.slug.as_str(), &wrong.files, false)
            }
        };
        Package::of(&course.root, self.exercise, variant, edited, program)
    }
}
