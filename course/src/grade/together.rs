//! Packages that the exercises of one submission share: one with all that they depend on, and one
//! with the tests of all, and the programs of all, in one binary each. To link and to load a crate's
//! metadata costs most of a small crate's build, and so it is paid twice a submission, not twice an
//! exercise.
//!
//! # What a hostile library could gain
//!
//! It shares the two binaries with the other exercises of its own submission, and with nobody
//! else's. That gives it no hold on them, and would give its author nothing that the author could
//! not write into the other library itself:
//!
//! * Each test and each command of a case is a process of its own. What runs there is the module
//!   that the grader names, and of the libraries the one that this module calls. Code that runs
//!   uncalled (a static constructor, a symbol in another one's place) takes `unsafe` attributes or
//!   blocks, and `unsafe_code` is forbidden in all of them.
//! * Which tests there are, which library a name means and what is built stands in the grader's
//!   files. A library adds no test: it is compiled as a library, and the harness knows the tests
//!   of the crate that it is built into alone.
//! * A linked crate's implementations of traits are seen by the compiler in all modules. By the
//!   orphan rule they concern its own types; they can make the type of an expression elsewhere
//!   ambiguous, which is an error and no other meaning. The same holds for a second global
//!   allocator. Such an error leads to a build of each exercise by itself.
//! * A type that takes for ever to check, or a build that eats the memory, stops the binary of all.
//!   Then each exercise is built by itself, with its own limits, and that one costs itself alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use crate::manifest::Exercise;
use crate::workshop::package::{Files, Package};

/// A package that has all dependencies of all exercises, so that they are built before. It is part
/// of every build, so that all of them want the same features of what they share.
pub(crate) const FLOORS: &str = "floors--all";
/// The package of the two binaries.
pub(crate) const ALL: &str = "together--all";
/// The binary of all tests.
pub(crate) const TESTS: &str = "handed_tests";
/// The binary of all programs.
pub(crate) const PROGRAMS: &str = "handed_programs";
/// The variable that tells the binary of all programs which of them it is.
pub(crate) const PROGRAM: &str = "LESSON_PROGRAM";
/// The folder of both packages, as a chapter's among the others.
const FOLDER: &str = "00-floors";
/// What stands at the end of a program, so that another crate's `main` can call its own.
const CALLED: &str = "\npub(crate) fn called_by_the_grader() -> impl ::std::process::Termination {\n    \
                      main()\n}\n";
/// What means another thing in a module than in a crate of its own.
const OF_A_CRATE: [&str; 5] = ["crate::", "#![", "CARGO_", "extern crate", "macro_use"];

/// Where a package of this module lies among the others.
pub(crate) fn folder(package: &str) -> std::path::PathBuf {
    Path::new(FOLDER).join(package)
}

/// An exercise whose tests and program can stand as modules beside others.
#[derive(Debug)]
pub(crate) struct Member {
    /// The module of its tests.
    pub(crate) tests: String,
    /// The name of its library.
    library: String,
    /// The module of its program, if it has one.
    program: Option<String>,
    /// The name of its test target.
    pub(crate) target: String,
}

impl Member {
    /// Whether the exercise has a program.
    pub(crate) fn has_program(&self) -> bool {
        self.program.is_some()
    }

    /// The exercise as a member, with its program made callable; none if it has to stand alone.
    fn of(exercise: &Exercise, package: &mut Package) -> Result<Option<Self>> {
        let is_library =
            |file: &std::path::PathBuf| file.starts_with("src") && file != Path::new("src/main.rs");
        let mut targets: Vec<String> = Vec::new();
        for (file, text) in &package.files {
            let is_rust = file.extension().is_some_and(|kind| kind == "rs");
            let is_test = file.starts_with("tests");
            if is_test && file.components().count() == 2 && is_rust {
                targets.extend(file.file_stem().map(|stem| stem.to_string_lossy().into()));
            }
            let is_module = is_test || file == Path::new("src/main.rs");
            let text = String::from_utf8_lossy(text);
            if is_rust && is_module && OF_A_CRATE.iter().any(|sign| text.contains(sign)) {
                return Ok(None);
            }
        }
        let manifest = manifest(package)?;
        let named = |table: &str| manifest.get(table)?.get("name")?.as_str();
        let (Some(library), [target], true) = (
            named("lib"),
            targets.as_slice(),
            exercise.editable.iter().all(is_library) && manifest.get("test").is_none(),
        ) else {
            return Ok(None);
        };
        let (library, target): (String, String) = (library.to_owned(), target.clone());
        let program = package.files.get_mut(Path::new("src/main.rs")).map(|main| {
            main.extend_from_slice(CALLED.as_bytes());
            format!("program_of_{library}")
        });
        Ok(Some(Self {
            tests: format!("tests_of_{library}"),
            library,
            program,
            target,
        }))
    }
}

/// Adds the shared packages to those of the exercises, which lie in `folder`; gives the members of
/// the binaries by the exercise's name.
///
/// # Errors
/// A package's manifest is broken.
pub(crate) fn add(
    folder: &Path,
    exercises: &[Exercise],
    packages: &mut Vec<Package>,
) -> Result<BTreeMap<String, Member>> {
    let floors = dependencies(packages)?;
    let mut members = BTreeMap::new();
    let mut all = floors.clone();
    let mut features = Table::new();
    let mut tests = String::new();
    let (mut programs, mut arms) = (String::new(), String::new());
    for (exercise, package) in exercises.iter().zip(packages.iter_mut()) {
        let Some(member) = Member::of(exercise, package)? else {
            continue;
        };
        // A floor of the same name: one of the two would be out of reach.
        if all
            .keys()
            .any(|key| key.replace('-', "_") == member.library)
        {
            continue;
        }
        let (id, place) = (&exercise.id, folder.join(&package.folder));
        let mut dependency = Table::new();
        let name = package.folder.file_name().unwrap_or_default();
        dependency.insert("package".into(), name.to_string_lossy().as_ref().into());
        dependency.insert("path".into(), place.display().to_string().into());
        dependency.insert("optional".into(), true.into());
        all.insert(member.library.clone(), dependency.into());
        let feature = vec![format!("dep:{}", member.library)];
        features.insert(id.clone(), feature.into());
        let file = place.join("tests").join(format!("{}.rs", member.target));
        tests.push_str(&module(id, &file, &member.tests));
        if let Some(program) = &member.program {
            programs.push_str(&module(id, &place.join("src/main.rs"), program));
            let _ = write!(
                arms,
                "        #[cfg(feature = {id:?})]\n        \
                 Ok({id:?}) => {program}::called_by_the_grader().report(),\n"
            );
        }
        members.insert(id.clone(), member);
    }
    let _ = write!(
        programs,
        "\nfn main() -> std::process::ExitCode {{\n    \
         #[allow(unused_imports)]\n    use std::process::Termination as _;\n    \
         match std::env::var({PROGRAM:?}).as_deref() {{\n{arms}        \
         _ => std::process::ExitCode::FAILURE,\n    }}\n}}\n"
    );
    let mut both = Vec::new();
    for (name, harness) in [(TESTS, true), (PROGRAMS, false)] {
        let mut target = Table::new();
        target.insert("name".into(), name.into());
        target.insert("path".into(), format!("{name}.rs").into());
        target.insert("harness".into(), harness.into());
        both.push(Value::from(target));
    }
    let mut more = Table::new();
    more.insert("features".into(), features.into());
    more.insert("test".into(), both.into());
    more.insert(
        "lints".into(),
        Table::from_iter([("workspace".to_owned(), true.into())]).into(),
    );
    let files = [
        (format!("{TESTS}.rs"), tests),
        (format!("{PROGRAMS}.rs"), programs),
    ];
    packages.push(package(ALL, all, more, files));
    let lib = Table::from_iter([("test".to_owned(), Value::from(false))]);
    let more = Table::from_iter([("lib".to_owned(), Value::from(lib))]);
    packages.push(package(
        FLOORS,
        floors,
        more,
        [("src/lib.rs".to_owned(), String::new())],
    ));
    Ok(members)
}

fn module(feature: &str, file: &Path, name: &str) -> String {
    // As Rust writes a string, quotes and all.
    let file = file.display().to_string();
    format!("#[cfg(feature = {feature:?})]\n#[path = {file:?}]\nmod {name};\n")
}

/// All that the packages depend on.
fn dependencies(packages: &[Package]) -> Result<Table> {
    let mut all = Table::new();
    for package in packages {
        let manifest = manifest(package)?;
        for kind in ["dependencies", "dev-dependencies"] {
            if let Some(Value::Table(more)) = manifest.get(kind) {
                all.extend(more.clone());
            }
        }
    }
    Ok(all)
}

fn manifest(package: &Package) -> Result<Table> {
    let text = package.files.get(Path::new("Cargo.toml"));
    let text = String::from_utf8_lossy(text.map_or(&[], Vec::as_slice)).into_owned();
    text.parse()
        .with_context(|| package.folder.display().to_string())
}

fn package<const N: usize>(
    name: &str,
    dependencies: Table,
    more: Table,
    sources: [(String, String); N],
) -> Package {
    let mut package = Table::new();
    package.insert("name".into(), name.into());
    package.insert("version".into(), "0.0.0".into());
    package.insert("edition".into(), "2024".into());
    let mut manifest = Table::new();
    manifest.insert("package".into(), package.into());
    manifest.insert("dependencies".into(), dependencies.into());
    manifest.extend(more);
    let mut files = Files::new();
    files.insert("Cargo.toml".into(), manifest.to_string().into_bytes());
    for (file, text) in sources {
        files.insert(file.into(), text.into_bytes());
    }
    Package {
        folder: folder(name),
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Course;

    fn packages(course: &Course) -> Vec<Package> {
        let of = |exercise| Package::of(&course.root, exercise, "handed", &Files::new(), true);
        course
            .exercises
            .iter()
            .map(|each| of(each).unwrap())
            .collect()
    }

    #[test]
    fn every_exercise_of_the_course_can_share_a_binary() {
        let course = Course::here().unwrap();
        let mut packages = packages(&course);
        let folder = Path::new("/packages");
        let members = add(folder, &course.exercises, &mut packages).unwrap();
        for exercise in &course.exercises {
            assert!(members.contains_key(&exercise.id), "{}", exercise.id);
        }
    }

    #[test]
    fn what_belongs_to_a_crate_stands_alone() {
        let course = Course::here().unwrap();
        let mut packages = packages(&course);
        let test = packages[0]
            .files
            .iter_mut()
            .find(|(file, _)| file.starts_with("tests"));
        test.unwrap().1.extend_from_slice(b"use crate::put as _;\n");
        let members = add(Path::new("/"), &course.exercises, &mut packages).unwrap();
        assert!(!members.contains_key(&course.exercises[0].id));
        assert_eq!(members.len(), course.exercises.len() - 1);
    }

    #[test]
    fn the_modules_and_the_features_go_by_the_exercise() {
        let course = Course::here().unwrap();
        let mut packages = packages(&course);
        add(Path::new("/w"), &course.exercises, &mut packages).unwrap();
        let all = packages
            .iter()
            .find(|package| package.folder == folder(ALL));
        let files = &all.unwrap().files;
        let text = |name: &str| String::from_utf8(files[Path::new(name)].clone()).unwrap();
        let module = "#[cfg(feature = \"the-round\")]\n\
                      #[path = \"/w/01-counter/the-round--handed/tests/the_round.rs\"]\n\
                      mod tests_of_the_round;\n";
        assert!(text("handed_tests.rs").contains(module));
        let arm = "Ok(\"the-round\") => program_of_the_round::called_by_the_grader().report(),";
        assert!(text("handed_programs.rs").contains(arm));
        let manifest: Table = text("Cargo.toml").parse().unwrap();
        assert_eq!(
            manifest["features"]["the-round"],
            vec!["dep:the_round"].into()
        );
        let dependency = &manifest["dependencies"]["the_round"];
        assert_eq!(dependency["package"].as_str(), Some("the-round--handed"));
        assert_eq!(dependency["optional"].as_bool(), Some(true));
    }
}
