//! A small project in a temporary folder, with the real `book.toml` and theme, for the tests.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// The folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A project of two pages and one floor.
pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let toml = fs::read_to_string(workspace().join("book.toml")).unwrap();
        project.write("book.toml", &toml);
        for folder in ["book/theme", "book/components"] {
            for file in fs::read_dir(workspace().join(folder)).unwrap() {
                let file = file.unwrap();
                if file.file_type().unwrap().is_file() {
                    let text = fs::read_to_string(file.path()).unwrap();
                    let name = format!("{folder}/{}", file.file_name().to_str().unwrap());
                    project.write(&name, &text);
                }
            }
        }
        project.write(
            "book/SUMMARY.md",
            "# Summary\n\n[Preface](preface.md)\n\n- [A](01-a/index.md)\n",
        );
        project.write(
            "book/preface.md",
            "# Preface\n\nRead [the first](01-a/index.md#first).\n",
        );
        project.write(
            "book/01-a/index.md",
            "# First\n\n```rust,ignore\n{{#include ../../chapters-code/01-a/src/lib.rs:f}}\n```\n\n\
             ```admonish note\nA note.\n```\n",
        );
        project.write(
            "chapters-code/01-a/Cargo.toml",
            "[package]\nname = \"first\"\n",
        );
        project.write(
            "chapters-code/01-a/src/lib.rs",
            "mod m {\n    // ANCHOR: f\n    fn f() {}\n    // ANCHOR_END: f\n}\n",
        );
        project
    }

    /// Gives the first page an exercise, and the line that lists it.
    #[allow(dead_code, reason = "not every test file asks for it")]
    pub(crate) fn with_exercise(self) -> Self {
        self.write(
            "exercises/course.toml",
            "version = 1\n[[exercise]]\nid = \"the-round\"\nchapter = \"01-a\"\ntitle = \"One `round`\"\n\
             section = \"How long is a `round`?\"\nkind = \"complete\"\ndifficulty = \"easy\"\n\
             minutes = 10\n",
        );
        self.write(
            "exercises/01-a/the-round/Cargo.toml",
            "[package]\nname = \"the-round\"\ndescription = \"Exercise: one round\"\n",
        );
        let page = self.read("book/01-a/index.md");
        self.write(
            "book/01-a/index.md",
            &format!(
                "{page}\n## How long is a `round`?\n\n## Exercises\n\n{{{{exercises}}}}\n\n## End\n"
            ),
        );
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    /// Replaces `from`, which must be there, in a file.
    #[allow(dead_code, reason = "not every test file asks for it")]
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.contains(from), "{file} does not hold {from}");
        self.write(file, &text.replace(from, to));
    }

    /// The command, run in the project's folder, with no `MDBOOK_…` variable set.
    pub(crate) fn press(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("press").unwrap();
        command.current_dir(self.path()).args(arguments);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("MDBOOK_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Standard output of a run that must succeed.
    #[allow(dead_code, reason = "not every test file asks for it")]
    pub(crate) fn good(&self, arguments: &[&str]) -> String {
        let output = self
            .press(arguments)
            .assert()
            .success()
            .get_output()
            .clone();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Both streams of a run that must fail.
    #[allow(dead_code, reason = "not every test file asks for it")]
    pub(crate) fn bad(&self, arguments: &[&str]) -> String {
        let output = self
            .press(arguments)
            .assert()
            .failure()
            .code(1)
            .get_output()
            .clone();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }
}
