//! The order in which a submission is built: the libraries first, then the tests and programs of all
//! that have one, and by itself whatever did not come to its end with others.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::station::{Made, Ready, Station, folder_name, package_name};
use super::together::{self, ALL, FLOORS, PROGRAMS, TESTS};
use crate::manifest::Exercise;
use crate::workshop::messages::{Built, Said};
use crate::workshop::package::Files;
use crate::workshop::{entries, remove};

/// How much longer a build of libraries may take for each that is built with others.
const EACH: Duration = Duration::from_secs(20);
/// The same for the tests and programs: what takes longer is built by itself.
const EACH_OF_ALL: Duration = Duration::from_secs(5);
/// How often they are built together, each time without those that had errors: first names, then
/// types, then what only a use of a generic function brings up.
const TRIES: usize = 3;

impl Station<'_> {
    /// Builds these exercises of one submission: together, and those that did not come to an end so
    /// once more, each by itself, so that one that does not end costs itself alone. What the
    /// deadline leaves out is not in the result.
    ///
    /// # Errors
    /// Cargo or the guard fails: that is never the submission's fault.
    pub(crate) fn build(
        &self,
        handed: &BTreeMap<&str, Files>,
        deadline: Instant,
    ) -> Result<BTreeMap<String, Made>> {
        let mut made = BTreeMap::new();
        if handed.is_empty() {
            return Ok(made);
        }
        self.fill(handed)?;
        let exercises: Vec<&Exercise> = self
            .course
            .exercises
            .iter()
            .filter(|exercise| handed.contains_key(exercise.id.as_str()))
            .collect();
        if exercises.len() > 1 {
            let ready = self.libraries(&exercises, &mut made)?;
            self.together(ready, &mut made)?;
        }
        for exercise in exercises {
            if made.contains_key(&exercise.id) || Instant::now() > deadline {
                continue;
            }
            let what = ["--tests", "--bins", "-p", &package_name(exercise)].map(str::to_owned);
            let (mut build, verdict) = self.cargo(&what, self.build)?;
            let built = build.take(&self.folder(exercise));
            made.insert(exercise.id.clone(), self.judge(built, verdict.end));
        }
        Ok(made)
    }

    /// Builds the libraries, and gives the exercises whose library is there. Those that do not
    /// compile are done with.
    fn libraries<'e>(
        &self,
        exercises: &[&'e Exercise],
        made: &mut BTreeMap<String, Made>,
    ) -> Result<Vec<&'e Exercise>> {
        let mut what = ["--lib", "-p", FLOORS].map(str::to_owned).to_vec();
        for exercise in exercises {
            what.extend(["-p".to_owned(), package_name(exercise)]);
        }
        let (mut build, verdict) = self.cargo(&what, self.build + EACH * more(exercises.len()))?;
        let mut ready = Vec::new();
        for exercise in exercises {
            let built = build.take(&self.folder(exercise));
            if built.error().is_some() {
                made.insert(exercise.id.clone(), self.judge(built, verdict.end));
            } else if built.library {
                ready.push(*exercise);
            }
        }
        Ok(ready)
    }

    /// Builds the tests of all these exercises, and their programs, into one binary each. Leaves out
    /// those that the compiler's errors name; if it fails in another way, none of them is done.
    fn together(
        &self,
        mut exercises: Vec<&Exercise>,
        made: &mut BTreeMap<String, Made>,
    ) -> Result<()> {
        exercises.retain(|exercise| self.members.contains_key(&exercise.id));
        for _ in 0..TRIES {
            if exercises.len() < 2 {
                break;
            }
            self.forget_the_last()?;
            let features: Vec<String> = exercises
                .iter()
                .map(|exercise| format!("{ALL}/{}", exercise.id))
                .collect();
            let mut what = ["--tests", "-p", FLOORS, "-p", ALL, "--features"]
                .map(str::to_owned)
                .to_vec();
            what.push(features.join(","));
            let wall = self.build + EACH_OF_ALL * more(exercises.len());
            let (mut build, _) = self.cargo(&what, wall)?;
            let folder = self.workshop.folder().join("packages");
            let mut built = build.take(&folder.join(together::folder(ALL)));
            if let (Some(tests), Some(programs)) =
                (built.tests.remove(TESTS), built.tests.remove(PROGRAMS))
            {
                for exercise in exercises {
                    let ready = self.one_of_all(exercise, &tests, &programs);
                    made.extend(ready.map(|ready| (exercise.id.clone(), Made::Ready(ready))));
                }
                return Ok(());
            }
            let before = exercises.len();
            exercises.retain(|exercise| {
                let place = format!("packages/{}/", folder_name(exercise).display());
                let names = |said: &Said| said.error && said.rendered.contains(&place);
                !built.said.iter().any(names)
            });
            if exercises.len() == before || !build.finished {
                break;
            }
        }
        Ok(())
    }

    fn one_of_all(&self, exercise: &Exercise, tests: &Path, programs: &Path) -> Option<Ready> {
        let member = self.members.get(&exercise.id)?;
        Some(Ready {
            built: Built {
                folder: self.folder(exercise),
                tests: BTreeMap::from([(member.target.clone(), tests.to_owned())]),
                program: member.has_program().then(|| programs.to_owned()),
                ..Built::default()
            },
            module: Some(member.tests.clone()),
        })
    }

    /// Removes the binaries of the submission before: each set of exercises has its own names of
    /// files, and they would pile up.
    fn forget_the_last(&self) -> Result<()> {
        for (folder, prefix) in [("deps", TESTS), ("deps", PROGRAMS), (".fingerprint", ALL)] {
            for path in entries(&self.target.join("debug").join(folder))? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if name.starts_with(prefix) {
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

/// How many there are beside the first.
fn more(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)
}
