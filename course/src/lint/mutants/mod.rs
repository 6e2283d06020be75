//! `cargo course lint --mutants`: cargo-mutants changes the solutions, one small change at a time, and
//! the exercises' tests have to notice. It catches what a test never asks for.

mod survey;

use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use super::folders::slashes;
use super::subject::{Role, Subject};
use crate::manifest::Course;
use crate::workshop::{self, Workshop};
pub(crate) use survey::Survey;
use survey::{EQUIVALENT, Equivalent, List, survey};

/// What the tests of one mutant may take; longer, and they would never end.
const TIMEOUT: &str = "20";

/// Mutates the solutions of these exercises.
///
/// # Errors
/// cargo-mutants is not installed, or cannot run.
pub(crate) fn run(
    course: &Course,
    subjects: &[Subject],
    scratch: &Path,
    jobs: usize,
) -> Result<Survey> {
    let known = known(course)?;
    is_installed()?;
    let folder = scratch.join("mutants");
    let workshop = Workshop::open(&course.root, &folder, &scratch.join("target"))?;
    let package = |subject: &Subject| {
        let mut package = subject.package(course, Role::Solution)?;
        // Its program is no part of what the tests judge.
        let manifest = Path::new("Cargo.toml");
        if let Some(text) = package.files.get_mut(manifest) {
            let mut table: toml::Table = String::from_utf8_lossy(text).parse()?;
            table.remove("bin");
            *text = table.to_string().into_bytes();
        }
        Ok(package)
    };
    let packages: Vec<_> = subjects.iter().map(package).collect::<Result<_>>()?;
    workshop.fill(&packages)?;

    let output = folder.join("mutants.out");
    if output.exists() {
        fs::remove_dir_all(&output).context("the last run's mutants.out cannot be removed")?;
    }
    let mut command = workshop::cargo();
    command
        .args([
            "mutants",
            "--workspace",
            "--test-tool",
            "cargo",
            "--no-shuffle",
        ])
        .args([
            "--timeout",
            TIMEOUT,
            "--build-timeout",
            "120",
            "--cap-lints",
            "true",
        ])
        // The scratch folder lies below `target/`, which git ignores.
        .args(["--gitignore", "false", "--jobs", &jobs.to_string()])
        .args(["--colors", "never", "--annotations", "none"])
        .arg("--dir")
        .arg(workshop.folder())
        .arg("--output")
        .arg(workshop.folder())
        .stdin(Stdio::null());
    // What the learner writes; what lies beside it is the exercise's, and right by definition.
    for subject in subjects {
        let id = &subject.exercise.id;
        for file in &subject.exercise.editable {
            command.arg("--file");
            command.arg(format!("packages/*/{id}--solution/{}", slashes(file)));
        }
    }
    // How far it is, on a terminal only.
    if std::io::stderr().is_terminal() {
        command.stdout(std::io::stderr());
    } else {
        command.stdout(Stdio::null());
    }
    let status = command
        .status()
        .context("cargo cannot be started; is it on PATH?")?;
    let text = fs::read_to_string(output.join("outcomes.json")).unwrap_or_default();
    // 2 and 3 tell of mutants that were missed or never ended, which the file tells as well.
    if !matches!(status.code(), Some(0 | 2 | 3)) || text.is_empty() {
        bail!(
            "cargo mutants failed ({status}); what it said lies in {}",
            output.display()
        );
    }
    survey(&text, known)
}

fn is_installed() -> Result<()> {
    let mut command = workshop::cargo();
    let asked = command.args(["mutants", "--version"]).output();
    if !asked.is_ok_and(|asked| asked.status.success()) {
        bail!("cargo-mutants is not installed: run `cargo install cargo-mutants --locked`");
    }
    Ok(())
}

fn known(course: &Course) -> Result<Vec<Equivalent>> {
    let path = course.root.join(EQUIVALENT);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let list: List =
        toml::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    Ok(list.equivalent)
}
