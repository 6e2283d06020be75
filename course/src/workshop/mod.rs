//! A workshop: a scratch workspace in which variants of exercises are built side by side, with the
//! course's own dependencies, lints and lock file. `lint` builds the course in one, `grade` what is
//! handed in. The folder and its target stay, so that the floors are built once.

pub(crate) mod checks;
mod manifest;
pub(crate) mod messages;
pub(crate) mod package;
pub(crate) mod parallel;
pub(crate) mod process;

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result, bail};

use messages::{Build, Built};
use package::{Package, files_below};

/// The folder of the packages in a workshop.
const PACKAGES: &str = "packages";
/// The folder of the floors, which exercises may include data from.
const FLOORS: &str = "chapters-code";

/// A scratch workspace.
pub(crate) struct Workshop {
    folder: PathBuf,
    target: PathBuf,
    /// How many compilers run at a time; none: as many as cargo likes.
    pub(crate) jobs: Option<usize>,
    /// Held as long as this is: two runs in one folder would build each other's packages.
    _lock: File,
}

impl Workshop {
    /// Opens a workshop for the course at `root` in a folder, which is made if it is not there;
    /// `target` keeps what is built. Waits for another run that uses the folder.
    ///
    /// # Errors
    /// The course's manifest is broken, or the folder cannot be written.
    pub(crate) fn open(root: &Path, folder: &Path, target: &Path) -> Result<Self> {
        let why = || format!("{} cannot be used as a scratch folder", folder.display());
        fs::create_dir_all(folder.join(PACKAGES)).with_context(why)?;
        let folder = folder.canonicalize().with_context(why)?;
        let lock = File::create(folder.join(".lock")).with_context(why)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            anstream::eprintln!("waiting for another `cargo course` in {}", folder.display());
            lock.lock().with_context(why)?;
        }
        let place = root.join("Cargo.toml");
        let text = fs::read_to_string(&place)
            .with_context(|| format!("{} cannot be read", place.display()))?;
        let root = root.canonicalize().with_context(why)?;
        let text =
            manifest::of_root(&text, &root).with_context(|| format!("{}", place.display()))?;
        put(&folder.join("Cargo.toml"), text.as_bytes())?;
        let locked = root.join("Cargo.lock");
        if locked.is_file() {
            fs::copy(locked, folder.join("Cargo.lock")).with_context(why)?;
        }
        link(&root.join(FLOORS), &folder.join(FLOORS)).with_context(why)?;
        Ok(Self {
            target: std::path::absolute(target).with_context(why)?,
            folder,
            jobs: None,
            _lock: lock,
        })
    }

    /// The folder of the workspace.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts these packages into the workshop, and no others. A file that is as it was keeps its
    /// time, so that cargo builds what has changed.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub(crate) fn fill(&self, packages: &[Package]) -> Result<()> {
        let all = self.folder.join(PACKAGES);
        let wanted: BTreeSet<&Path> = packages.iter().map(|package| &*package.folder).collect();
        for chapter in entries(&all)? {
            for path in entries(&chapter)? {
                if path
                    .strip_prefix(&all)
                    .is_ok_and(|inside| wanted.contains(inside))
                {
                    continue;
                }
                remove(&path)?;
            }
        }
        for package in packages {
            let folder = all.join(&package.folder);
            for stale in files_below(&folder)? {
                if !package.files.contains_key(&stale) {
                    let stale = folder.join(stale);
                    fs::remove_file(&stale)
                        .with_context(|| format!("{} cannot be removed", stale.display()))?;
                }
            }
            for (path, text) in &package.files {
                put(&folder.join(path), text)?;
            }
        }
        Ok(())
    }

    /// The command that builds all packages, their tests and their programs; its standard output is
    /// for [`messages::read`].
    pub(crate) fn command(&self, offline: bool) -> Command {
        let mut command = cargo();
        command
            .args(["build", "--tests", "--bins", "--keep-going"])
            .args(["--message-format", "json", "--color", "never"])
            .arg("--target-dir")
            .arg(&self.target)
            .args(offline.then_some("--offline"))
            .current_dir(&self.folder);
        if let Some(jobs) = self.jobs {
            command.arg("--jobs").arg(jobs.to_string());
        }
        command
    }

    /// Builds all packages; `on` hears of each binary, with the folder of its package. A package
    /// that does not compile is no error: what the compiler says stands in the result.
    ///
    /// # Errors
    /// Cargo cannot build at all, or a floor does not compile.
    pub(crate) fn build(&self, on: impl FnMut(&Path)) -> Result<Build> {
        self.build_with(|command| command, on)
    }

    /// Builds these packages alone.
    ///
    /// # Errors
    /// Cargo cannot build at all, or a floor does not compile.
    pub(crate) fn build_only(&self, packages: &[&str]) -> Result<Build> {
        let add = |mut command: Command| {
            for package in packages {
                command.args(["-p", package]);
            }
            command
        };
        self.build_with(add, |_| ())
    }

    fn build_with(
        &self,
        with: impl Fn(Command) -> Command,
        mut on: impl FnMut(&Path),
    ) -> Result<Build> {
        let (mut build, mut said) = stream(with(self.command(true)), &mut on)?;
        if !build.finished && said.contains("offline") {
            (build, said) = stream(with(self.command(false)), &mut on)?;
        }
        if !build.finished {
            bail!("cargo cannot build the exercises: {}", said.trim());
        }
        let own = self.folder.join(PACKAGES);
        for (folder, built) in &build.packages {
            if let (false, Some(error)) = (folder.starts_with(&own), built.error()) {
                bail!(
                    "{} does not compile, so no exercise can be built: {}",
                    folder.display(),
                    error.line
                );
            }
        }
        Ok(build)
    }

    /// What came of one of the packages.
    pub(crate) fn take(&self, build: &mut Build, package: &Package) -> Built {
        build.take(&self.folder.join(PACKAGES).join(&package.folder))
    }
}

/// The cargo that runs this program, or the one on PATH. What cargo sets for this program's own
/// build must not reach another one.
pub(crate) fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&*name);
        }
    }
    command
}

/// Runs cargo and reads its messages as they come; with what it said beside them.
///
/// # Errors
/// It cannot be started, or its messages cannot be read.
pub(crate) fn stream(mut command: Command, on: impl FnMut(&Path)) -> Result<(Build, String)> {
    let mut cargo = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cargo cannot be started; is it on PATH?")?;
    let stderr = cargo.stderr.take();
    let said = thread::spawn(move || {
        let mut said = Vec::new();
        // What came before a fault is all there is to tell.
        let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut said));
        String::from_utf8_lossy(&said).into_owned()
    });
    let stdout = cargo.stdout.take().context("cargo has no output")?;
    let build = messages::read(BufReader::new(stdout), on).context("cargo's messages");
    cargo.wait().context("cargo cannot be waited for")?;
    Ok((build?, said.join().unwrap_or_default()))
}

/// Removes a file, or a folder with all that is in it.
///
/// # Errors
/// It cannot be removed.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.with_context(|| format!("{} cannot be removed", path.display()))
}

/// What lies in a folder; nothing if it is none.
///
/// # Errors
/// It cannot be read.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let why = || format!("{} cannot be read", folder.display());
    let entries = fs::read_dir(folder).with_context(why)?;
    entries
        .map(|entry| Ok(entry.with_context(why)?.path()))
        .collect()
}

/// Makes `link` lead to `to`, wherever it led before.
fn link(to: &Path, link: &Path) -> std::io::Result<()> {
    match fs::read_link(link) {
        Ok(led) if led == to => return Ok(()),
        Ok(_) => fs::remove_file(link)?,
        Err(_) => {}
    }
    std::os::unix::fs::symlink(to, link)
}

/// Writes a file unless it has this content already.
///
/// # Errors
/// It cannot be written.
pub(crate) fn put(path: &Path, text: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    let why = || format!("{} cannot be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(why)?;
    }
    fs::write(path, text).with_context(why)
}
