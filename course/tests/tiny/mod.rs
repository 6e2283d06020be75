//! A course of tiny exercises in a temporary folder. It has no floor, so it is built in seconds.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// What every exercise of this course asks for: twice a number.
const STUB: &str = "//! # Double\n\n/// Twice `n`.\npub fn double(n: u32) -> u32 {\n    \
                    todo!(\"{n} times 2\")\n}\n";
const TESTS: &str = "//! Doubles.\n\n#[test]\nfn three() {\n    \
                     assert_eq!(NAME::double(3), 6, \"the double of 3\");\n    lesson::passed();\n}\n\n\
                     #[test]\nfn zero() {\n    \
                     assert_eq!(NAME::double(0), 0, \"the double of 0\");\n    lesson::passed();\n}\n";
const MAIN: &str = "//! Doubles its argument.\n\nfn main() {\n    \
                    let n = std::env::args().nth(1).and_then(|n| n.parse().ok());\n    \
                    println!(\"{}\", NAME::double(n.unwrap_or(5)));\n}\n";
const CASE: &str = "It doubles.\n\n```console\n$ ID 4\n8\n\n```\n";
const ENTRY: &str = "[[exercise]]\nid = \"ID\"\nchapter = \"01-a\"\ntitle = \"Double\"\n\
                     section = \"How `double` doubles\"\nkind = \"complete\"\ndifficulty = \"easy\"\n\
                     minutes = 5\neditable = [\"src/lib.rs\"]\nlearnt = \"Doubling.\"\n\
                     hints = [\"a\", \"b\", \"c\"]\n\
                     [exercise.points.tests]\nthree = 1\nzero = 1\n\
                     [exercise.points.cases]\nfour = 1\n\n";

pub(crate) struct Tiny {
    folder: TempDir,
}

impl Tiny {
    /// A course without exercises.
    pub(crate) fn new() -> Self {
        let tiny = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        tiny.write(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\n\
             members = [\"exercises/lesson\", \"exercises/0*/*\", \"solutions/0*/*\"]\n\
             [workspace.package]\nedition = \"2024\"\n\
             [workspace.dependencies]\nlesson = { path = \"exercises/lesson\" }\n\
             [workspace.lints.rust]\nmissing_docs = \"warn\"\n",
        );
        tiny.write(
            "exercises/lesson/Cargo.toml",
            "[package]\nname = \"lesson\"\nversion = \"0.1.0\"\nedition.workspace = true\n",
        );
        tiny.write(
            "exercises/lesson/src/lib.rs",
            include_str!("../../../exercises/lesson/src/passed.rs"),
        );
        tiny.write("exercises/course.toml", "version = 1\n\n");
        tiny.write("book/01-a/index.md", "# A\n\n## How `double` doubles\n");
        tiny
    }

    /// Adds a sound exercise.
    pub(crate) fn exercise(&self, id: &str) {
        let lib = id.replace('-', "_");
        let (own, solved) = (
            format!("exercises/01-a/{id}"),
            format!("solutions/01-a/{id}"),
        );
        let manifest = |name: &str, more: &str| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition.workspace = true\n\n\
                 [lints]\nworkspace = true\n\n{more}\n[dev-dependencies]\n\
                 lesson = {{ workspace = true }}\n"
            )
        };
        self.write(&format!("{own}/Cargo.toml"), &manifest(id, ""));
        self.write(&format!("{own}/src/lib.rs"), STUB);
        self.write(&format!("{solved}/shipped/src/lib.rs"), STUB);
        self.write(&format!("{own}/src/main.rs"), &MAIN.replace("NAME", &lib));
        self.write(
            &format!("{own}/tests/{lib}.rs"),
            &TESTS.replace("NAME", &lib),
        );
        self.write(
            &format!("{own}/grading/four.trycmd"),
            &CASE.replace("ID", id),
        );
        let targets = format!(
            "[lib]\nname = \"{lib}\"\n\n[[bin]]\nname = \"{id}-solution\"\n\
             path = \"../../../{own}/src/main.rs\"\n\n\
             [[test]]\nname = \"{lib}\"\npath = \"../../../{own}/tests/{lib}.rs\"\n"
        );
        let package = format!("{id}-solution");
        self.write(
            &format!("{solved}/Cargo.toml"),
            &manifest(&package, &targets),
        );
        self.write(
            &format!("{solved}/src/lib.rs"),
            &STUB.replace("todo!(\"{n} times 2\")", "n * 2"),
        );
        for (slug, wrong) in [("adds", "n + 2"), ("squares", "n * n"), ("nothing", "n")] {
            self.misconception(
                id,
                slug,
                "The double of 3 is another.",
                "the double of 3",
                wrong,
            );
        }
        let manifest = self.read("exercises/course.toml");
        self.write(
            "exercises/course.toml",
            &(manifest + &ENTRY.replace("ID", id)),
        );
    }

    /// Adds a misconception: what stands in place of `n * 2`.
    pub(crate) fn misconception(
        &self,
        id: &str,
        slug: &str,
        believes: &str,
        fails: &str,
        wrong: &str,
    ) {
        self.write(
            &format!("solutions/01-a/{id}/misconceptions/{slug}.patch"),
            &format!(
                "Believes: {believes}\nFails with: {fails}\n--- a/src/lib.rs\n+++ b/src/lib.rs\n\
                 @@ -3,4 +3,4 @@\n /// Twice `n`.\n pub fn double(n: u32) -> u32 {{\n\
                 -    n * 2\n+    {wrong}\n }}\n"
            ),
        );
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
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
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.contains(from), "{file} does not hold {from}");
        self.write(file, &text.replace(from, to));
    }

    /// Replaces in the manifest's entry of one exercise.
    pub(crate) fn entry(&self, id: &str, from: &str, to: &str) {
        let text = self.read("exercises/course.toml");
        let at = text.find(&format!("id = {id:?}")).unwrap();
        let (before, after) = text.split_at(at);
        let end = after.find("[[exercise]]").unwrap_or(after.len());
        let (own, rest) = after.split_at(end);
        assert!(own.contains(from), "the entry of {id} does not hold {from}");
        let text = format!("{before}{}{rest}", own.replace(from, to));
        self.write("exercises/course.toml", &text);
    }

    pub(crate) fn course(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("course").unwrap();
        command
            .current_dir(self.path())
            .args(arguments)
            .env_remove("CARGO_TARGET_DIR")
            .env("NO_COLOR", "1");
        command
    }
}
