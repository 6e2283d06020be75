//! A copy of the small course in `tests/tiny/`, in a folder of its own, and the command in it.

use std::fs;
use std::io::{self, Read as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// How long a test waits for what must come.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A function that adds as it should.
pub(crate) const RIGHT: &str = "pub fn add(left: u32, right: u32) -> u32 {\n    left + right\n}\n";
/// One that forgets a number.
pub(crate) const WRONG: &str = "pub fn add(left: u32, _right: u32) -> u32 {\n    left\n}\n";

/// A learner's copy of the course.
pub(crate) struct Tiny {
    folder: TempDir,
}

impl Tiny {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(Path::new("tests/tiny"), folder.path()).unwrap();
        Self { folder }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    pub(crate) fn progress(&self) -> String {
        fs::read_to_string(self.path("exercises/progress.toml")).unwrap_or_default()
    }

    /// Saves the file of the first exercise.
    pub(crate) fn edit(&self, text: &str) {
        fs::write(self.path("exercises/01-first/adds/src/lib.rs"), text).unwrap();
    }

    /// Replaces `from`, which must be there, the first time it stands in a file.
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.contains(from), "{file} does not hold {from}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    /// Sets the first exercise on a floor: the package `lesson`, of this text.
    pub(crate) fn floor(&self, text: &str) {
        let folder = self.path("exercises/lesson");
        fs::create_dir_all(folder.join("src")).unwrap();
        let package = "[package]\nname = \"lesson\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(folder.join("Cargo.toml"), package).unwrap();
        fs::write(folder.join("src/lib.rs"), text).unwrap();
        self.replace(
            "Cargo.toml",
            "members = [",
            "members = [\"exercises/lesson\", ",
        );
        let adds = self.path("exercises/01-first/adds/Cargo.toml");
        let text = fs::read_to_string(&adds).unwrap();
        let needs = "\n[dependencies]\nlesson = { path = \"../../lesson\" }\n";
        fs::write(adds, text + needs).unwrap();
    }

    /// The command, in the course's folder, with a plain environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin!("course"));
        command.args(arguments).current_dir(self.root());
        for name in [
            "CLICOLOR_FORCE",
            "CARGO_TARGET_DIR",
            "VISUAL",
            "EDITOR",
            "FORCE_HYPERLINK",
        ] {
            command.env_remove(name);
        }
        command.env("NO_COLOR", "1");
        command
    }

    /// Runs the command; its exit code and what it printed.
    pub(crate) fn run(&self, line: &str) -> (i32, String) {
        let words: Vec<&str> = line.split_whitespace().collect();
        said(&self.command(&words).output().unwrap())
    }
}

/// Whether a text holds all of these, with all of it shown if not.
pub(crate) fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

/// An exit code, and what was printed: output, then errors.
pub(crate) fn said(output: &Output) -> (i32, String) {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap_or(-1), text)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}

/// A learner's function that says when it runs, and then never ends. Its connection closes when its
/// process is gone.
pub(crate) struct Hung {
    listener: TcpListener,
}

impl Hung {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { listener }
    }

    /// The function's text.
    pub(crate) fn text(&self) -> String {
        let port = self.listener.local_addr().unwrap().port();
        format!(
            "pub fn add(_left: u32, _right: u32) -> u32 {{
                let _here = std::net::TcpStream::connect((\"127.0.0.1\", {port}));
                loop {{ std::thread::park(); }}
            }}"
        )
    }

    /// Waits until the function runs.
    pub(crate) fn runs(&self) -> Runs {
        let listener = self.listener.try_clone().unwrap();
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(listener.accept()));
        let stream = receiver
            .recv_timeout(PATIENCE)
            .expect("the tests run")
            .unwrap()
            .0;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Runs(stream)
    }
}

/// A function that runs.
pub(crate) struct Runs(TcpStream);

impl Runs {
    /// Waits until its process is gone.
    pub(crate) fn ends(mut self) {
        match self.0.read(&mut [0]) {
            Ok(length) => assert_eq!(length, 0),
            // A process that is killed may reset its connection; patience at its end is no end.
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
        }
    }
}
