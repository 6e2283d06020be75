//! The compiler under the guard: where it lies, what it may see, and which guard holds it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, ensure};
use guard::{Guard, Job};

/// The hidden verb that makes this program its own guard.
pub(crate) const UNDER_GUARD: &str = "under-guard";

/// Cargo, the compiler and clippy, by their real paths: what starts them by name alone lies in a
/// home, and homes are hidden.
#[derive(Debug, Clone)]
pub(crate) struct Tools {
    sysroot: PathBuf,
    cargo_home: PathBuf,
    /// What the compiler says that it is.
    pub(crate) version: String,
}

impl Tools {
    /// Finds them.
    ///
    /// # Errors
    /// One of them is missing, clippy most likely.
    pub(crate) fn find() -> Result<Self> {
        let say = |arguments: &[&str]| -> Result<String> {
            let said = Command::new("rustc").args(arguments).output();
            let said = said.context("rustc cannot be started; is it on PATH?")?;
            ensure!(said.status.success(), "rustc {} fails", arguments.join(" "));
            Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
        };
        let tools = Self {
            sysroot: say(&["--print", "sysroot"])?.into(),
            version: say(&["-vV"])?,
            cargo_home: cargo_home().context("there is no HOME, so no cargo home")?,
        };
        for tool in ["cargo", "clippy-driver"] {
            ensure!(
                tools.bin(tool).is_file(),
                "{} is not there: `rustup component add clippy` brings what is missing",
                tools.bin(tool).display()
            );
        }
        Ok(tools)
    }

    /// The path of a tool.
    pub(crate) fn bin(&self, tool: &str) -> PathBuf {
        self.sysroot.join("bin").join(tool)
    }

    /// Cargo as a job: without a network, with what was downloaded at hand to be read.
    pub(crate) fn cargo(&self, home: &Path) -> Job {
        let mut path = OsString::from(self.sysroot.join("bin"));
        if let Some(own) = std::env::var_os("PATH") {
            path.push(":");
            path.push(own);
        }
        let mut job = Job::new(self.bin("cargo"))
            .env("PATH", path)
            .env("HOME", home)
            .env("CARGO_HOME", &self.cargo_home)
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_INCREMENTAL", "0")
            .readable(&self.sysroot);
        // Not the whole home: it may hold the credentials of a registry.
        for part in ["registry", "git", "config.toml"] {
            let part = self.cargo_home.join(part);
            if part.exists() {
                job = job.readable(part);
            }
        }
        job
    }
}

fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// Where this program lies for as long as it runs.
static THIS: OnceLock<PathBuf> = OnceLock::new();

/// Puts this program into a folder of the run, and has it started from there: whoever builds the
/// course meanwhile replaces the file that it was started from.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn settle(folder: &Path) -> Result<()> {
    let place = folder.join("course");
    let own = this()?;
    if fs::hard_link(&own, &place).is_err() {
        // The folder lies on another disk.
        fs::copy(&own, &place).context("no copy of this program; is the disk full?")?;
    }
    let _ = THIS.set(place);
    Ok(())
}

/// This program, to be started once more.
///
/// # Errors
/// It cannot be found.
pub(crate) fn this() -> Result<PathBuf> {
    match THIS.get() {
        Some(place) => Ok(place.clone()),
        None => std::env::current_exe().context("this program cannot be found"),
    }
}

/// This program as a guard, tried on this machine.
///
/// # Errors
/// It cannot be started again.
pub(crate) fn guard() -> Result<Guard> {
    Guard::embedded_at(this()?, UNDER_GUARD).context("the guard cannot be had")
}
