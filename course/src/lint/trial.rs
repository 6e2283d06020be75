//! Builds every variant of every exercise at once, then runs their tests and their cases.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::subject::{Role, Subject};
use crate::cases;
use crate::manifest::Course;
use crate::workshop::checks::{self, Tested};
use crate::workshop::messages::{Built, Said};
use crate::workshop::process::{self, Limits};
use crate::workshop::{Workshop, parallel};

/// What a test may take: far more than any needs, on a machine that does other things as well.
const LIMITS: Limits = Limits {
    wall: Duration::from_secs(20),
    output: 1 << 20,
};

/// What came of one variant.
pub(crate) struct Trial {
    /// The index of its exercise.
    pub(crate) subject: usize,
    pub(crate) role: Role,
    /// What the compiler said.
    pub(crate) said: Vec<Said>,
    /// Its tests; none if it does not compile.
    pub(crate) tests: Vec<Tested>,
    /// Its cases by name, or what is wrong with the file.
    pub(crate) cases: Vec<(String, Result<cases::Judged>)>,
}

/// A variant, built.
struct Variant {
    subject: usize,
    role: Role,
    built: Built,
}

/// One thing to run.
enum Job {
    Test {
        variant: usize,
        binary: PathBuf,
        name: String,
    },
    Case {
        variant: usize,
        file: PathBuf,
        bin: (String, PathBuf),
    },
}

enum Done {
    Test(usize, Tested),
    Case(usize, String, Result<cases::Judged>),
}

/// Tries every exercise in every role.
///
/// # Errors
/// Something that no exercise is to blame for: no cargo, a floor that does not compile, a full disk.
pub(crate) fn all(
    course: &Course,
    subjects: &[Subject],
    workshop: &Workshop,
    jobs: usize,
) -> Result<Vec<Trial>> {
    let variants = build(course, subjects, workshop)?;
    let to_do = to_do(course, subjects, &variants, jobs)?;
    let bar = bar("Running", to_do.len());
    let run = |command, input: &[u8]| process::run(command, input, LIMITS);
    let run_case = |command, input: &[u8]| process::run(command, input, cases::LIMITS);
    let done = parallel::each(jobs, &to_do, |job| {
        let done = match job {
            Job::Test {
                variant,
                binary,
                name,
            } => checks::test(binary, name, &run).map(|tested| Done::Test(*variant, tested)),
            Job::Case { variant, file, bin } => {
                let judged = cases::judge(file, std::slice::from_ref(bin), &run_case);
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                Ok(Done::Case(*variant, name.into_owned(), judged))
            }
        };
        bar.inc(1);
        done
    });
    bar.finish_and_clear();

    let mut trials: Vec<Trial> = variants
        .into_iter()
        .map(|variant| Trial {
            subject: variant.subject,
            role: variant.role,
            said: variant.built.said,
            tests: Vec::new(),
            cases: Vec::new(),
        })
        .collect();
    for done in done {
        match done? {
            Done::Test(variant, tested) => trials[variant].tests.push(tested),
            Done::Case(variant, name, judged) => trials[variant].cases.push((name, judged)),
        }
    }
    Ok(trials)
}

fn build(course: &Course, subjects: &[Subject], workshop: &Workshop) -> Result<Vec<Variant>> {
    let (mut packages, mut variants) = (Vec::new(), Vec::new());
    for (index, subject) in subjects.iter().enumerate() {
        for role in subject.roles() {
            packages.push(subject.package(course, role)?);
            variants.push((index, role));
        }
    }
    if packages.is_empty() {
        return Ok(Vec::new());
    }
    workshop.fill(&packages)?;
    let bar = bar("Building", packages.len());
    let mut begun = std::collections::BTreeSet::new();
    let build = workshop.build(|folder| {
        if begun.insert(folder.to_owned()) {
            bar.inc(1);
        }
    });
    bar.finish_and_clear();
    let mut build = build?;
    let variant = |((subject, role), package): ((usize, Role), _)| Variant {
        subject,
        role,
        built: workshop.take(&mut build, package),
    };
    Ok(variants.into_iter().zip(&packages).map(variant).collect())
}

fn to_do(
    course: &Course,
    subjects: &[Subject],
    variants: &[Variant],
    jobs: usize,
) -> Result<Vec<Job>> {
    let run = |command, input: &[u8]| process::run(command, input, LIMITS);
    let binaries: Vec<(usize, &PathBuf)> = variants
        .iter()
        .enumerate()
        // A test target that does not compile leaves a test target that nothing says of.
        .filter(|(_, variant)| variant.built.error().is_none())
        .flat_map(|(index, variant)| variant.built.tests.values().map(move |test| (index, test)))
        .collect();
    let lists = parallel::each(jobs, &binaries, |(_, binary)| checks::list(binary, &run));
    let mut to_do = Vec::new();
    for ((variant, binary), names) in binaries.into_iter().zip(lists) {
        for name in names? {
            let binary = binary.clone();
            to_do.push(Job::Test {
                variant,
                binary,
                name,
            });
        }
    }
    for (index, variant) in variants.iter().enumerate() {
        let exercise = subjects[variant.subject].exercise;
        let Some(program) = &variant.built.program else {
            continue;
        };
        for name in exercise.points.cases.keys() {
            let folder = exercise.folder(&course.root).join("grading");
            let kinds = ["trycmd", "toml"].map(|kind| folder.join(format!("{name}.{kind}")));
            if let Some(file) = kinds.into_iter().find(|file| file.is_file()) {
                to_do.push(Job::Case {
                    variant: index,
                    file,
                    bin: (exercise.id.clone(), program.clone()),
                });
            }
        }
    }
    Ok(to_do)
}

/// How far it is, on a terminal only.
fn bar(what: &'static str, length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{msg:>9} {wide_bar} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
