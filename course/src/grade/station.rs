//! A worker's own place: a workshop that the grader fills, in which the exercises of one submission
//! after the other are built under the guard.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use guard::{End, Guard, Job, Limits, Verdict};
use toml::{Table, Value};

use super::clean::clean;
use super::outcome::State;
use super::rules;
use super::together::{self, FLOORS, Member};
use super::tools::Tools;
use crate::manifest::{Course, Exercise};
use crate::workshop::messages::{self, Build, Built};
use crate::workshop::package::{Files, Package};
use crate::workshop::{Workshop, put};

/// What stands behind an exercise's name in the name of its package.
const HANDED: &str = "handed";
/// How much of cargo's messages is kept: a submission of fifty exercises has about two megabytes.
const MESSAGES: usize = 16 << 20;
/// How many of the compiler's errors a learner is shown.
const MOST_ERRORS: usize = 3;

/// What a submission may not see: other submissions, hidden cases, solutions, the reports.
pub(crate) type Hidden = Vec<PathBuf>;

/// One worker's place.
pub(crate) struct Station<'a> {
    pub(super) course: &'a Course,
    tools: &'a Tools,
    guard: &'a Guard,
    hidden: &'a Hidden,
    pub(super) workshop: Workshop,
    pub(super) target: PathBuf,
    rules: PathBuf,
    compiler: PathBuf,
    /// The exercises whose tests can share a binary.
    pub(super) members: BTreeMap<String, Member>,
    jobs: usize,
    /// How long one exercise may take to build.
    pub(crate) build: Duration,
}

/// An exercise that can be run.
pub(crate) struct Ready {
    /// Its tests, and its program if it has one.
    pub(crate) built: Built,
    /// The module of its tests, if they share their binary.
    pub(crate) module: Option<String>,
}

/// What came of an exercise's build.
pub(crate) enum Made {
    /// It can be run.
    Ready(Ready),
    /// Why there is nothing to run.
    Not(State),
    /// It was stopped. That may be the machine's doing, so it is no fact about the text.
    Stopped(State),
}

impl<'a> Station<'a> {
    /// Opens the place of this number below a scratch folder, with the floors built.
    ///
    /// # Errors
    /// The folder cannot be written, or a floor does not compile.
    pub(crate) fn open(
        course: &'a Course,
        (tools, guard, hidden): (&'a Tools, &'a Guard, &'a Hidden),
        scratch: &Path,
        jobs: usize,
        build: Duration,
    ) -> Result<Self> {
        let target = scratch.join("target");
        let mut workshop = Workshop::open(&course.root, scratch, &target)?;
        workshop.jobs = Some(jobs);
        let root = workshop.folder().join("Cargo.toml");
        put(&root, own_lints(&root)?.as_bytes())?;
        let rules = workshop.folder().join("rules");
        let compiler = rules::write(&rules, &tools.bin("clippy-driver"))?;
        fs::create_dir_all(&target)
            .with_context(|| format!("{} cannot be made", target.display()))?;
        let mut station = Self {
            course,
            tools,
            guard,
            hidden,
            target: fs::canonicalize(&target).context("the target folder")?,
            workshop,
            rules,
            compiler,
            members: BTreeMap::new(),
            jobs,
            build,
        };
        station.members = station.fill(&BTreeMap::new())?;
        station.workshop.build_only(&[FLOORS])?;
        Ok(station)
    }

    /// The folders and names of this run that no report should hold.
    pub(crate) fn places(&self) -> Vec<String> {
        let mut places = vec![format!("{}/", self.workshop.folder().display())];
        for exercise in &self.course.exercises {
            places.push(format!("packages/{}/", folder_name(exercise).display()));
        }
        places.push(format!("--{HANDED}"));
        places
    }

    /// Every exercise stands there, with the learner's files where there are any, so that the lock
    /// file is the same for all. Only what is asked for is built.
    pub(super) fn fill(&self, handed: &BTreeMap<&str, Files>) -> Result<BTreeMap<String, Member>> {
        let none = Files::new();
        let mut packages = Vec::new();
        for exercise in &self.course.exercises {
            let edited = handed.get(exercise.id.as_str()).unwrap_or(&none);
            packages.push(Package::of(
                &self.course.root,
                exercise,
                HANDED,
                edited,
                true,
            )?);
        }
        let folder = self.workshop.folder().join("packages");
        let members = together::add(&folder, &self.course.exercises, &mut packages)?;
        self.workshop.fill(&packages)?;
        Ok(members)
    }

    /// Where an exercise's package lies.
    pub(super) fn folder(&self, exercise: &Exercise) -> PathBuf {
        self.workshop
            .folder()
            .join("packages")
            .join(folder_name(exercise))
    }

    pub(super) fn cargo(&self, what: &[String], wall: Duration) -> Result<(Build, Verdict)> {
        let home = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        let limits = Limits {
            wall,
            cpu: wall.saturating_mul(2),
            output: MESSAGES,
            ..Limits::build()
        };
        let job = self
            .tools
            .cargo(home.path())
            .args(["build", "--keep-going"])
            .args(what)
            .args(["--message-format", "json", "--locked", "--offline"])
            .args(["--jobs", &self.jobs.to_string()])
            .arg("--target-dir")
            .arg(&self.target)
            .env("TMPDIR", home.path())
            .env("RUSTC_WORKSPACE_WRAPPER", &self.compiler)
            .env("CLIPPY_CONF_DIR", &self.rules)
            .current_dir(self.workshop.folder())
            .readable(&self.course.root)
            .hidden(self.course.root.join("solutions"))
            .writable(&self.target)
            .writable(home.path())
            .limits(limits);
        let verdict = hide(job, self.hidden).run(self.guard)?;
        let build = messages::read(&*verdict.stdout.bytes, |_| ()).context("cargo's messages")?;
        if let (End::Exited(_), false) = (verdict.end, build.finished) {
            bail!("cargo cannot build: {}", clean(&verdict.stderr.text(), &[]));
        }
        Ok((build, verdict))
    }

    pub(super) fn judge(&self, built: Built, end: End) -> Made {
        let errors: Vec<_> = built.said.iter().filter(|said| said.error).collect();
        if let Some(why) = errors.iter().find_map(|said| rules::refusal(&said.line)) {
            return Made::Not(State::Refused(clean(&why, &[])));
        }
        if !errors.is_empty() {
            let mut places = self.places();
            // The floors and what the tests say lie in the course itself.
            places.push(format!("{}/", self.course.root.display()));
            let shown = errors.iter().take(MOST_ERRORS);
            let shown: Vec<String> = shown.map(|said| clean(&said.rendered, &places)).collect();
            return Made::Not(State::DoesNotCompile(shown.join("\n\n")));
        }
        if !built.tests.is_empty() {
            return Made::Ready(Ready {
                built,
                module: None,
            });
        }
        match end {
            End::Exited(_) => Made::Not(State::DoesNotCompile(
                "The compiler gave up on it without a message.".to_owned(),
            )),
            end => Made::Stopped(State::Refused(format!(
                "its build was {}.",
                end.to_string().replace("ended by the guard", "stopped")
            ))),
        }
    }
}

/// Hides what no submission may see.
pub(crate) fn hide(mut job: Job, hidden: &Hidden) -> Job {
    for path in hidden {
        job = job.hidden(path);
    }
    job
}

pub(super) fn package_name(exercise: &Exercise) -> String {
    format!("{}--{HANDED}", exercise.id)
}

/// Where a package lies among the others.
pub(super) fn folder_name(exercise: &Exercise) -> PathBuf {
    Path::new(&exercise.chapter).join(package_name(exercise))
}

/// The root manifest with the grader's lints in place of the course's: style is not graded.
fn own_lints(manifest: &Path) -> Result<String> {
    let why = || format!("{}", manifest.display());
    let text = fs::read_to_string(manifest).with_context(why)?;
    let mut root: Table = text.parse().with_context(why)?;
    if let Some(Value::Table(workspace)) = root.get_mut("workspace") {
        let rust = Table::from_iter([("unsafe_code".to_owned(), Value::from("forbid"))]);
        let lints = Table::from_iter([("rust".to_owned(), rust.into())]);
        workspace.insert("lints".into(), lints.into());
    }
    Ok(root.to_string())
}
