//! What lies where: every exercise has its two packages, each file in them is known, and the
//! solution runs the exercise's own tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use toml::{Table, Value};

use super::fault::Fault;
use crate::manifest::{Course, Exercise};
use crate::workshop::package::files_below;

/// What lies in the two folders and belongs to no exercise.
const OF_THE_COURSE: [&str; 5] = [
    "exercises/course.toml",
    // A learner's way through the course; it may lie there, and says nothing of the exercises.
    "exercises/progress.toml",
    "exercises/README.md",
    "solutions/README.md",
    "solutions/equivalent-mutants.toml",
];

/// The files of `exercises/` and `solutions/` that nothing knows.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn strays(course: &Course) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    let known: BTreeSet<&Path> = OF_THE_COURSE.iter().map(Path::new).collect();
    for top in ["exercises", "solutions"] {
        for file in files_below(&course.root.join(top))? {
            let file = Path::new(top).join(file);
            let inside = |folder: PathBuf| file.strip_prefix(folder).map(Path::to_owned);
            let owner = course.exercises.iter().find_map(|exercise| {
                let own = inside(exercise.folder(Path::new(""))).ok();
                let solved = || inside(exercise.solution(Path::new(""))).ok();
                own.map(|path| (exercise, path, false))
                    .or_else(|| solved().map(|path| (exercise, path, true)))
            });
            let fits = match &owner {
                Some((exercise, path, false)) => is_of_an_exercise(exercise, path),
                Some((exercise, path, true)) => is_of_a_solution(course, exercise, path),
                None => {
                    known.contains(&*file)
                        || file.starts_with("exercises/lesson")
                        || file.starts_with("exercises/.kept")
                }
            };
            if !fits {
                let what = match owner {
                    Some(_) => "no part of the exercise",
                    None => "no part of the course",
                };
                faults.push(Fault::new(
                    slashes(&file),
                    what,
                    "remove it, or enter its exercise in exercises/course.toml",
                ));
            }
        }
    }
    Ok(faults)
}

fn is_of_an_exercise(exercise: &Exercise, path: &Path) -> bool {
    let words: Vec<_> = path.iter().filter_map(|word| word.to_str()).collect();
    match words.as_slice() {
        ["Cargo.toml"] => true,
        ["src", ..] => is_source(path) || exercise.editable.iter().any(|file| file == path),
        ["tests", ..] => is_source(path),
        // A log that the learner reads lies where it is found first.
        [_] if path.extension().is_some_and(|kind| kind == "log") => true,
        // A case may have a folder that it starts in, and one that it must end with.
        ["grading", file, ..] => {
            let stem = file.split('.').next().unwrap_or_default();
            let kinds = ["trycmd", "toml", "in", "out", "stdin", "stdout", "stderr"];
            exercise.points.cases.contains_key(stem)
                && Path::new(file)
                    .extension()
                    .is_some_and(|kind| kinds.iter().any(|known| kind == *known))
        }
        _ => exercise.editable.iter().any(|file| file == path),
    }
}

/// A solution holds its manifest, the editable files, solved and as they were shipped, its
/// misconceptions, and what its source needs beside them: links to the files of the exercise, or the same text.
fn is_of_a_solution(course: &Course, exercise: &Exercise, path: &Path) -> bool {
    let words: Vec<_> = path.iter().filter_map(|word| word.to_str()).collect();
    let as_in_the_exercise = || {
        let there = fs::read(exercise.folder(&course.root).join(path));
        let here = fs::read(exercise.solution(&course.root).join(path));
        matches!((there, here), (Ok(there), Ok(here)) if there == here)
    };
    match words.as_slice() {
        ["Cargo.toml"] => true,
        ["misconceptions", _] => path.extension().is_some_and(|kind| kind == "patch"),
        ["shipped", ..] => {
            let file = path.strip_prefix("shipped");
            file.is_ok_and(|file| exercise.editable.iter().any(|one| one == file))
        }
        _ if exercise.editable.iter().any(|file| file == path) => true,
        ["src", ..] => as_in_the_exercise(),
        _ => false,
    }
}

/// Rust, or data that Rust includes; not what an editor or `patch` left.
fn is_source(path: &Path) -> bool {
    let kinds = ["rs", "txt", "log", "json", "jsonl", "md"];
    path.extension()
        .is_some_and(|kind| kinds.iter().any(|known| kind == *known))
}

/// What is wrong with the two packages of an exercise; whether they can be built at all.
pub(crate) fn packages(course: &Course, exercise: &Exercise, faults: &mut Vec<Fault>) -> bool {
    let before = faults.len();
    let (id, root) = (&exercise.id, Path::new(""));
    let sides = [
        (exercise.folder(root), id.clone()),
        (exercise.solution(root), format!("{id}-solution")),
    ];
    for (folder, package) in &sides {
        let shown = slashes(&folder.join("Cargo.toml"));
        let manifest = fs::read_to_string(course.root.join(&shown));
        let table = match manifest.map(|text| text.parse::<Table>()) {
            Ok(Ok(table)) => table,
            Ok(Err(error)) => {
                let what = format!("{shown} is no TOML ({})", error.message());
                faults.push(Fault::new(id, what, "mend it"));
                continue;
            }
            Err(_) => {
                let what = format!("{shown} is not there");
                let remedy = "make the package, or take the exercise out of exercises/course.toml";
                faults.push(Fault::new(id, what, remedy));
                continue;
            }
        };
        let name = table.get("package").and_then(|package| package.get("name"));
        if name.and_then(Value::as_str) != Some(package) {
            let what = format!("the package of {shown} has another name");
            faults.push(Fault::new(id, what, format!("call it {package}")));
        }
        if *folder == sides[1].0 && !runs_the_exercises_tests(course, exercise, &table) {
            let what = format!("{shown} does not run the exercise's own tests");
            let remedy = format!(
                "give its [[test]] the path ../../../{}/tests/{}.rs",
                slashes(&sides[0].0),
                id.replace('-', "_")
            );
            faults.push(Fault::new(id, what, remedy));
        }
        for file in &exercise.editable {
            let file = folder.join(file);
            if !course.root.join(&file).is_file() {
                let what = format!("{} is editable, and not there", slashes(&file));
                faults.push(Fault::new(id, what, "add it, or mend `editable`"));
            }
        }
    }
    if faults.len() > before {
        return false;
    }
    let shipped = exercise.solution(&course.root).join("shipped");
    for file in &exercise.editable {
        let now = fs::read(exercise.folder(&course.root).join(file)).ok();
        if now != fs::read(shipped.join(file)).ok() {
            let what = format!("{} is not as it is kept for `reset`", slashes(file));
            faults.push(Fault::new(
                id,
                what,
                "keep it as it is now: `cargo course ship`",
            ));
        }
    }
    let same = |file: &PathBuf| {
        let text = |folder: PathBuf| fs::read(folder.join(file)).ok();
        text(exercise.folder(&course.root)) == text(exercise.solution(&course.root))
    };
    for file in exercise.editable.iter().filter(|file| same(file)) {
        let what = format!(
            "{} is the same in the exercise and its solution",
            slashes(file)
        );
        let remedy = "take out what the learner has to write, or take it out of `editable`";
        faults.push(Fault::new(id, what, remedy));
    }
    true
}

fn runs_the_exercises_tests(course: &Course, exercise: &Exercise, solution: &Table) -> bool {
    let folder = exercise.solution(&course.root);
    let tests = solution.get("test").and_then(Value::as_array);
    let named: BTreeSet<PathBuf> = tests
        .into_iter()
        .flatten()
        .filter_map(|test| folder.join(test.get("path")?.as_str()?).canonicalize().ok())
        .collect();
    let tests = exercise.folder(&course.root).join("tests");
    let Ok(files) = files_below(&tests) else {
        return false;
    };
    let own: BTreeSet<PathBuf> = files
        .iter()
        // What lies deeper belongs to a test, and is none.
        .filter(|file| file.components().count() == 1)
        .filter(|file| file.extension().is_some_and(|kind| kind == "rs"))
        .filter_map(|file| tests.join(file).canonicalize().ok())
        .collect();
    !own.is_empty() && own == named
}

/// A path for people, the same on every system.
pub(crate) fn slashes(path: &Path) -> String {
    let words: Vec<_> = path.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}
