//! One submission from its files to its grade.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use guard::Guard;

use super::cache::{Cache, Key};
use super::clean::clean;
use super::expect::Expected;
use super::intake::{Taken, Text, take};
use super::outcome::{End, ExerciseGrade, Graded, State};
use super::run::Room;
use super::station::{Hidden, Made, Ready, Station};
use super::tokens;
use crate::manifest::{Course, Exercise};
use crate::workshop::package::{Files, editable};
use crate::workshop::parallel;

/// What a learner is told of an error that is not the learner's. What it says may name a hidden case.
const OURS: &str = "the grader itself failed, and whoever grades can read why";

/// What a run grades, and with what.
pub(crate) struct Grading<'a> {
    pub(crate) course: &'a Course,
    pub(crate) exercises: Vec<Exam<'a>>,
    pub(crate) guard: &'a Guard,
    /// What no test may see.
    pub(crate) hidden: &'a Hidden,
    pub(crate) cache: Cache,
    /// How long a test may take, and a whole submission.
    pub(crate) limits: (Duration, Duration),
    /// How many tests run at a time.
    pub(crate) jobs: usize,
}

/// An exercise and what is expected of it.
pub(crate) struct Exam<'a> {
    pub(crate) exercise: &'a Exercise,
    pub(super) expected: Vec<Expected>,
    stub: Files,
    key: Key,
}

impl<'a> Exam<'a> {
    /// Reads the exercise as it was shipped.
    ///
    /// # Errors
    /// A file of it cannot be read.
    pub(crate) fn read(
        course: &Course,
        exercise: &'a Exercise,
        expected: Vec<Expected>,
        run: &Key,
    ) -> Result<Self> {
        Ok(Self {
            stub: editable(exercise, &exercise.folder(&course.root))?,
            key: run.clone().exercise(course, exercise, &expected)?,
            exercise,
            expected,
        })
    }

    fn grade(&self, state: State, suspicious: Vec<String>) -> ExerciseGrade {
        ExerciseGrade {
            id: self.exercise.id.clone(),
            title: self.exercise.title.clone(),
            chapter: self.exercise.chapter.clone(),
            state,
            checks: self
                .expected
                .iter()
                .map(|expected| expected.check(End::NotRun))
                .collect(),
            suspicious,
        }
    }
}

/// An exercise on its way.
enum Way {
    /// It has its grade.
    Done(ExerciseGrade),
    /// It is to be built.
    Build {
        files: Files,
        key: String,
        suspicious: Vec<String>,
        read: bool,
    },
}

impl Grading<'_> {
    /// Takes and grades a submission. What cannot be graded says why.
    pub(crate) fn grade(&self, station: &Station<'_>, name: &str, path: &Path) -> Graded {
        let taken = match take(self.course, path) {
            Ok(taken) => taken,
            Err(error) => return not_graded(name, &format!("it {error:#}"), None),
        };
        match self.exercises(station, &taken) {
            Ok(exercises) => Graded {
                name: name.to_owned(),
                refused: None,
                failure: None,
                exercises,
                ignored: taken.ignored,
            },
            Err(error) => not_graded(name, OURS, Some(&format!("{error:#}"))),
        }
    }

    /// The key of everything that a submission's grade stands on.
    pub(crate) fn key(&self, path: &Path) -> Option<String> {
        let taken = take(self.course, path).ok()?;
        let first = self.exercises.first()?;
        let mut key = first.key.clone();
        for exam in &self.exercises {
            let files = match files(&taken, exam.exercise) {
                Ok(files) => files,
                Err(why) => Files::from_iter([(PathBuf::new(), why.into_bytes())]),
            };
            key.add(exam.key.clone().files(&files).text());
        }
        for ignored in &taken.ignored {
            key.add(&ignored.path);
        }
        Some(key.text())
    }

    pub(super) fn exercises(
        &self,
        station: &Station<'_>,
        taken: &Taken,
    ) -> Result<Vec<ExerciseGrade>> {
        let deadline = Instant::now() + self.limits.1;
        let ways: Vec<Way> = self
            .exercises
            .iter()
            .map(|exam| self.way(exam, taken))
            .collect();
        let mut handed = BTreeMap::new();
        for (exam, way) in self.exercises.iter().zip(&ways) {
            if let Way::Build { files, .. } = way {
                handed.insert(exam.exercise.id.as_str(), files.clone());
            }
        }
        let made = station.build(&handed, deadline)?;
        let places = station.places();
        let room = Room {
            guard: self.guard,
            hidden: self.hidden,
            places: &places,
            limit: self.limits.0,
            deadline,
        };
        // All checks of the submission, as one list: the slow ones then wait for nobody.
        let mut list = Vec::new();
        for (index, exam) in self.exercises.iter().enumerate() {
            if let Some(Made::Ready(ready)) = made.get(&exam.exercise.id)
                && !matches!(&ways[index], Way::Build { read: false, .. })
            {
                list.extend(
                    exam.expected
                        .iter()
                        .map(|expected| (index, ready, expected)),
                );
            }
        }
        let one = |(index, ready, expected): &(usize, &Ready, &Expected)| {
            let check = room.run(self.exercises[*index].exercise, ready, expected);
            check.map(|check| (*index, check))
        };
        let mut checks = vec![Vec::new(); self.exercises.len()];
        for done in parallel::each(self.jobs, &list, one) {
            let (index, check) = done?;
            checks[index].push(check);
        }
        let mut grades = Vec::new();
        for ((exam, way), checks) in self.exercises.iter().zip(ways).zip(checks) {
            grades.push(match way {
                Way::Done(grade) => grade,
                Way::Build {
                    key,
                    suspicious,
                    read,
                    ..
                } => {
                    let made = made.get(&exam.exercise.id);
                    let state = state(made, read);
                    let mut grade = exam.grade(state, suspicious);
                    if !checks.is_empty() {
                        grade.checks = checks;
                    }
                    if !matches!(made, Some(Made::Stopped(_)) | None) {
                        self.cache.put(&key, &grade);
                    }
                    grade
                }
            });
        }
        Ok(grades)
    }

    fn way(&self, exam: &Exam<'_>, taken: &Taken) -> Way {
        let handed = match files(taken, exam.exercise) {
            Ok(files) if files.is_empty() => return Way::Done(exam.grade(State::Missing, vec![])),
            Ok(files) => files,
            Err(why) => return Way::Done(exam.grade(State::Refused(why), vec![])),
        };
        if handed
            .iter()
            .all(|(path, text)| exam.stub.get(path) == Some(text))
        {
            return Way::Done(exam.grade(State::Untouched, vec![]));
        }
        let (mut refused, mut suspicious, mut read) = (Vec::new(), Vec::new(), true);
        for (path, text) in &handed {
            let stub = exam
                .stub
                .get(path)
                .map_or("".into(), |stub| String::from_utf8_lossy(stub));
            let seen = tokens::look(&String::from_utf8_lossy(text), &stub);
            let place = |what| format!("{} {what}", path.display());
            refused.extend(seen.refused.into_iter().map(place));
            suspicious.extend(seen.suspicious.into_iter().map(place));
            read &= seen.read;
        }
        if !refused.is_empty() {
            let why = format!("{}.", refused.join("; "));
            return Way::Done(exam.grade(State::Refused(why), suspicious));
        }
        let key = exam.key.clone().files(&handed).text();
        match self.cache.get(&key) {
            Some(grade) => Way::Done(grade),
            None => Way::Build {
                files: handed,
                key,
                suspicious,
                read,
            },
        }
    }
}

fn state(made: Option<&Made>, read: bool) -> State {
    match made {
        Some(Made::Ready(_)) if read => State::Checked,
        Some(Made::Ready(_)) => State::Refused("it cannot be read as Rust.".to_owned()),
        Some(Made::Not(state) | Made::Stopped(state)) => state.clone(),
        None => State::Refused("the time of the whole submission was over.".to_owned()),
    }
}

/// The learner's files of an exercise, or why they are not taken.
fn files(taken: &Taken, exercise: &Exercise) -> Result<Files, String> {
    let mut files = Files::new();
    for (wanted, text) in &taken.files {
        if wanted.exercise == exercise.id {
            match text {
                Text::Is(text) => {
                    files.insert(PathBuf::from(&wanted.file), text.clone().into_bytes());
                }
                Text::Refused(why) => return Err(format!("{}: {why}.", wanted.file)),
            }
        }
    }
    Ok(files)
}

fn not_graded(name: &str, why: &str, failure: Option<&str>) -> Graded {
    Graded {
        name: name.to_owned(),
        refused: Some(clean(why, &[])),
        failure: failure.map(|failure| clean(failure, &[])),
        exercises: Vec::new(),
        ignored: Vec::new(),
    }
}
