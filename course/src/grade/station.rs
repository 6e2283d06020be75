//! A worker's own place: a workshop that the grader fills, in which the exercises of one submission
//! after the other are built under the guard.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use guard::{End, Guard, Job, Limits, Verdict};
use toml::{Table, Value};

use super::clean::clean;
use super::outcome::State;
use super::rules;
use super::tools::Tools;
use crate::manifest::{Course, Exercise};
use crate::workshop::messages::{self, Build, Built};
use crate::workshop::package::{Files, Package};
use crate::workshop::{Workshop, put};

/// What stands behind an exercise's name in the name of its package.
const HANDED: &str = "handed";
/// A package that has all dependencies of all exercises, so that they are built before.
const FLOORS: &str = "floors--all";
/// How much longer a build may take for each exercise that is built with others.
const EACH: Duration = Duration::from_secs(20);
/// How much of cargo's messages is kept: a submission of fifty exercises has about two megabytes.
const MESSAGES: usize = 16 << 20;
/// How many of the compiler's errors a learner is shown.
const MOST_ERRORS: usize = 3;

/// What a submission may not see: other submissions, hidden cases, solutions, the reports.
pub(crate) type Hidden = Vec<PathBuf>;

/// One worker's place.
pub(crate) struct Station<'a> {
    course: &'a Course,
    tools: &'a Tools,
    guard: &'a Guard,
    hidden: &'a Hidden,
    workshop: Workshop,
    target: PathBuf,
    rules: PathBuf,
    compiler: PathBuf,
    jobs: usize,
    /// How long one exercise may take to build.
    pub(crate) build: Duration,
}

/// What came of an exercise's build.
pub(crate) enum Made {
    /// Its tests, and its program if it has one.
    Ready(Built),
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
        let station = Self {
            course,
            tools,
            guard,
            hidden,
            target: fs::canonicalize(&target).context("the target folder")?,
            workshop,
            rules,
            compiler,
            jobs,
            build,
        };
        station.fill(&BTreeMap::new())?;
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
    fn fill(&self, handed: &BTreeMap<&str, Files>) -> Result<()> {
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
        packages.push(floors(&packages)?);
        self.workshop.fill(&packages)
    }

    /// Builds these exercises of one submission: all at a time, and those that did not come to an
    /// end once more, each by itself, so that one that does not end costs itself alone. What the deadline leaves out is not in the result.
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
        let count = u32::try_from(exercises.len()).unwrap_or(u32::MAX);
        let alone = exercises.len() == 1;
        let (mut build, verdict) = self.cargo(&exercises, self.build + EACH * (count - 1))?;
        for exercise in exercises {
            let built = build.take(&self.folder(exercise));
            let came_to_its_end =
                verdict.end == End::Exited(0) || is_whole(&built, exercise, self.course);
            let result = if came_to_its_end || build.finished || alone {
                self.judge(built, verdict.end)
            } else if Instant::now() > deadline {
                continue;
            } else {
                let (mut build, verdict) = self.cargo(&[exercise], self.build)?;
                let built = build.take(&self.folder(exercise));
                self.judge(built, verdict.end)
            };
            made.insert(exercise.id.clone(), result);
        }
        Ok(made)
    }

    /// Where an exercise's package lies.
    fn folder(&self, exercise: &Exercise) -> PathBuf {
        self.workshop
            .folder()
            .join("packages")
            .join(folder_name(exercise))
    }

    fn cargo(&self, exercises: &[&Exercise], wall: Duration) -> Result<(Build, Verdict)> {
        let home = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        let limits = Limits {
            wall,
            cpu: wall.saturating_mul(2),
            output: MESSAGES,
            ..Limits::build()
        };
        let mut job = self
            .tools
            .cargo(home.path())
            .args(["build", "--tests", "--bins", "--keep-going"])
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
        for exercise in exercises {
            job = job.arg("-p").arg(package_name(exercise));
        }
        let verdict = hide(job, self.hidden).run(self.guard)?;
        let build = messages::read(&*verdict.stdout.bytes, |_| ()).context("cargo's messages")?;
        if let (End::Exited(_), false) = (verdict.end, build.finished) {
            bail!("cargo cannot build: {}", clean(&verdict.stderr.text(), &[]));
        }
        Ok((build, verdict))
    }

    fn judge(&self, built: Built, end: End) -> Made {
        let errors: Vec<_> = built.said.iter().filter(|said| said.error).collect();
        if let Some(why) = errors.iter().find_map(|said| rules::refusal(&said.line)) {
            return Made::Not(State::Refused(clean(&why, &[])));
        }
        if !errors.is_empty() {
            let places = self.places();
            let shown = errors.iter().take(MOST_ERRORS);
            let shown: Vec<String> = shown.map(|said| clean(&said.rendered, &places)).collect();
            return Made::Not(State::DoesNotCompile(shown.join("\n\n")));
        }
        if !built.tests.is_empty() {
            return Made::Ready(built);
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

fn package_name(exercise: &Exercise) -> String {
    format!("{}--{HANDED}", exercise.id)
}

/// Where a package lies among the others.
fn folder_name(exercise: &Exercise) -> PathBuf {
    Path::new(&exercise.chapter).join(package_name(exercise))
}

/// Whether all there is to build of an exercise is there.
fn is_whole(built: &Built, exercise: &Exercise, course: &Course) -> bool {
    let has_program = exercise.folder(&course.root).join("src/main.rs").is_file();
    built.error().is_some()
        || (!built.tests.is_empty() && (built.program.is_some() || !has_program))
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

/// A package that depends on all that the others depend on.
fn floors(packages: &[Package]) -> Result<Package> {
    let mut dependencies = Table::new();
    for package in packages {
        let text = package.files.get(Path::new("Cargo.toml"));
        let text = String::from_utf8_lossy(text.map_or(&[], Vec::as_slice)).into_owned();
        let manifest: Table = text
            .parse()
            .with_context(|| package.folder.display().to_string())?;
        for kind in ["dependencies", "dev-dependencies"] {
            if let Some(Value::Table(more)) = manifest.get(kind) {
                dependencies.extend(more.clone());
            }
        }
    }
    let mut package = Table::new();
    package.insert("name".into(), FLOORS.into());
    package.insert("version".into(), "0.0.0".into());
    package.insert("edition".into(), "2024".into());
    let mut manifest = Table::new();
    manifest.insert("package".into(), package.into());
    manifest.insert("dependencies".into(), dependencies.into());
    let mut files = Files::new();
    files.insert("Cargo.toml".into(), manifest.to_string().into_bytes());
    files.insert("src/lib.rs".into(), Vec::new());
    Ok(Package {
        folder: Path::new("00-floors").join(FLOORS),
        files,
    })
}
