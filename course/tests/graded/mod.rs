//! Runs `course grade` on the course of this repository, in a scratch folder of its own.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The root of this repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// A run of the grader with a temporary folder of its own.
pub(crate) struct Desk {
    /// Where submissions and reports go.
    pub(crate) folder: TempDir,
}

/// What a run said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// A desk without results of former runs.
    pub(crate) fn new() -> Self {
        let _ = fs::remove_dir_all(Self::scratch().join("course/grade/cache"));
        let desk = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(desk.path("tmp")).unwrap();
        desk
    }

    /// What is built stays from test to test; nothing else of it counts.
    pub(crate) fn scratch() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("grade")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// `course grade` with these arguments; `{}` stands for the desk's folder.
    pub(crate) fn grade(&self, arguments: &[&str]) -> Said {
        let folder = self.folder.path().to_str().unwrap();
        let output = Command::cargo_bin("course")
            .unwrap()
            .arg("grade")
            .args(
                arguments
                    .iter()
                    .map(|argument| argument.replace("{}", folder)),
            )
            .current_dir(root())
            .env("CARGO_TARGET_DIR", Self::scratch())
            .env("TMPDIR", self.path("tmp"))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        Said {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// A file that a run wrote.
    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A report that a run wrote.
    pub(crate) fn report(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// Nothing that was graded runs any more, and no temporary file is left.
    pub(crate) fn is_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().flatten().collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        let running = Self::running();
        assert!(running.is_empty(), "still runs: {running:?}");
    }

    /// The command lines of what runs in the place where submissions are built.
    pub(crate) fn running() -> Vec<String> {
        let place = Self::scratch().join("course/grade").display().to_string();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = processes.map(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).into_owned()
        });
        lines.filter(|line| line.contains(&place)).collect()
    }
}
