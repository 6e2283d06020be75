//! `course run-case`: a case passes only if all of its commands ran and fit. Each file here is one
//! that trycmd by itself lets pass.

use std::fs;

use assert_cmd::Command;

/// Runs a case whose program `echo` is the system's; returns the exit code and all that was said.
fn run(name: &str, text: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    let output = Command::cargo_bin("course")
        .unwrap()
        .args(["run-case", "--bin", "echo=/bin/echo"])
        .arg(&file)
        .env("NO_COLOR", "1")
        // It must not come through: it makes every case pass and rewrites it.
        .env("TRYCMD", "overwrite")
        .output()
        .unwrap();
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        text,
        "the case was rewritten"
    );
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    (output.status.code().unwrap(), said)
}

fn fails(name: &str, text: &str, why: &str) {
    let (code, said) = run(name, text);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(why), "{why}\nis missing in\n{said}");
}

const GOOD: &str =
    "It echoes.\n\n```console\n$ echo a b\na b\n\n```\n\n```console\n$ echo c\nc\n\n```\n";

#[test]
fn a_case_that_fits_passes_with_its_commands_counted() {
    let (code, said) = run("good.trycmd", GOOD);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.starts_with("passed ") && said.ends_with("(2 commands)\n"),
        "{said}"
    );
    let (code, said) = run(
        "good.toml",
        "bin.name = \"echo\"\nargs = [\"a\"]\nstdout = \"a\\n\"\n",
    );
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_does_not_fit_is_shown() {
    fails(
        "wrong.trycmd",
        &GOOD.replace("\na b\n", "\na c\n"),
        "does not print",
    );
    fails("wrong.trycmd", &GOOD.replace("\na b\n", "\na c\n"), "a c");
    fails(
        "wrong.toml",
        "bin.name = \"echo\"\nargs = [\"a\"]\nstdout = \"b\\n\"\n",
        "does not print",
    );
}

#[test]
fn what_trycmd_passes_over_does_not_pass() {
    fails(
        "other.trycmd",
        &GOOD.replace("$ echo c", "$ ehco c"),
        "a command was passed over",
    );
    fails("empty.trycmd", "Nothing here.\n", "it has no command");
    let indented = GOOD.replace(
        "```console\n$ echo c\nc\n\n```",
        "  ```console\n  $ echo c\n  c\n\n  ```",
    );
    fails("indented.trycmd", &indented, "1 of its 2 commands ran");
    let ignored = GOOD.replacen("```console", "```console,ignore", 1);
    fails("ignored.trycmd", &ignored, "1 of its 2 commands ran");
    let skipped = GOOD.replace("$ echo c\n", "$ echo c\n? skipped\n");
    fails("skipped.trycmd", &skipped, "a command was passed over");
    let misspelt = "bin.name = \"echo\"\nargs = [\"a\"]\nstdot = \"b\"\n";
    fails("misspelt.toml", misspelt, "trycmd knows no key `stdot`");
    fails(
        "gone.txt",
        "$ echo\n",
        "a case is a .trycmd or a .toml file",
    );
}
