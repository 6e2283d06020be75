//! Random programs against a CPython: a real one where there is one, and stand-ins that answer
//! wrongly, give up or die.

use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use assert_cmd::assert::OutputAssertExt as _;
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

type Tested = Result<(), Box<dyn Error>>;

/// The trace of the empty program, whatever the program is.
const ALWAYS_EMPTY: &str = r#"while read -r line; do
    echo '{"name":"x","trace":{"turns":[],"outcome":[],"late":[],"totals":{"turns":0,"handles":0,"t_end":0,"longest_turn":0}}}'
done"#;

/// A program that says it is a Python and records with a few lines of shell.
struct StandIn {
    folder: TempDir,
    program: PathBuf,
}

impl StandIn {
    fn new(says: &str, records: &str) -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let program = folder.path().join("python3");
        let script =
            format!("#!/bin/sh\nif [ \"$2\" = -c ]; then echo '{says}'; exit; fi\n{records}\n");
        fs::write(&program, script)?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
        Ok(Self { folder, program })
    }

    fn conform(&self, arguments: &[&str]) -> std::io::Result<Output> {
        let mut command = Command::new(cargo_bin!("course"));
        command.args(["conform", "--jobs", "1"]).args(arguments);
        command.arg("--python").arg(&self.program).output()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_real_cpython_agrees() -> Tested {
    let mut command = Command::new(cargo_bin!("course"));
    command.args(["conform", "--random", "60", "--seed", "1", "--level", "1"]);
    // As the other tests that want a Python: this variable names one that is not on PATH.
    if let Some(python) = std::env::var_os("PYTHON") {
        command.arg("--python").arg(python);
    }
    let output = command.output()?;
    if text(&output.stderr).contains("no CPython 3.12 or 3.13 on PATH") {
        eprintln!("skipped: no CPython 3.12 or 3.13 on PATH");
        return Ok(());
    }
    let output = output.assert().success();
    let stdout = text(&output.get_output().stdout);
    assert!(
        stdout.starts_with("level 1, seeds 1 to 60, CPython 3.1"),
        "{stdout}"
    );
    assert!(stdout.ends_with("\n60 passed, 0 failed\n"), "{stdout}");
    Ok(())
}

#[test]
fn a_difference_is_made_small_and_can_be_repeated() -> Tested {
    let python = StandIn::new("CPython 3.13.99", ALWAYS_EMPTY)?;
    let first = python.conform(&["--random", "20", "--seed", "5", "--level", "1"])?;
    let stdout = text(&first.stdout);
    assert!(
        stdout.starts_with("FAILED random1-0000000000000005  seed 5\n"),
        "{stdout}"
    );
    let again = "  again: cargo course conform --random 1 --seed 5 --level 1\n";
    assert!(stdout.contains(again), "{stdout}");
    let end = "\nlevel 1, seeds 5 to 24, CPython 3.13.99\n0 passed, 20 failed\n";
    assert!(
        stdout.contains("FAILED too: seeds ") && stdout.ends_with(end),
        "{stdout}"
    );
    first.assert().code(1).stderr("");

    let repeated = python.conform(&["--random", "1", "--seed", "5", "--level", "1"])?;
    let shown = |output: &str| {
        output
            .lines()
            .take(6)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&text(&repeated.stdout)), shown(&stdout));

    let json = python.conform(&["--random", "20", "--seed", "5", "--level", "1", "--json"])?;
    let report: serde_json::Value = serde_json::from_slice(&json.stdout)?;
    assert_eq!(report["failed"], 20);
    // One op is the least that leaves a trace, and what comes out alike is shown once.
    let failures = report["failures"].as_array().ok_or("a list")?;
    let scripts: Vec<_> = failures.iter().map(|f| &f["program"]["script"]).collect();
    assert!((1..20).contains(&scripts.len()), "{scripts:?}");
    assert!(
        scripts
            .iter()
            .all(|script| script.as_array().is_some_and(|ops| ops.len() == 1))
    );
    json.assert().code(1);
    Ok(())
}

#[test]
fn a_recorder_that_dies_leaves_what_was_compared() -> Tested {
    let dies = "read -r a; echo '{\"error\":\"too new\"}'; read -r b; echo ouch >&2; exit 3";
    let python = StandIn::new("CPython 3.12.99", dies)?;
    let output = python.conform(&["--random", "9", "--seed", "5", "--level", "1"])?;
    let message = "error: 0 of 9 compared: the recorder ended (exit status: 3): ouch\n";
    let stdout = "1 left out, the first of seed 5: too new\n\
                  level 1, seeds 5 to 13, CPython 3.12.99\n\
                  0 passed, 0 failed\n";
    output.assert().code(1).stderr(message).stdout(stdout);
    Ok(())
}

#[test]
fn nothing_compared_is_no_pass() -> Tested {
    let gives_up = "while read -r line; do echo '{\"error\":\"lacks it\"}'; done";
    let python = StandIn::new("CPython 3.12.99", gives_up)?;
    let output = python.conform(&["--random", "2", "--seed", "5", "--level", "1"])?;
    output
        .assert()
        .code(1)
        .stderr("error: no program could be compared\n");

    let babbles = StandIn::new("CPython 3.12.99", "while read -r line; do echo hello; done")?;
    let output = babbles.conform(&["--random", "2", "--seed", "5", "--level", "1"])?;
    assert!(text(&output.stderr).contains("the recorder wrote what is no JSON"));
    output.assert().code(1);
    Ok(())
}

#[test]
fn a_wrong_python_is_named() -> Tested {
    let old = StandIn::new("CPython 3.11.7", "")?;
    let output = old.conform(&["--random", "1"])?;
    let shown = old.program.display();
    let message = format!("error: {shown} is CPython 3.11.7; a CPython 3.12 or 3.13 is needed\n");
    output.assert().code(1).stdout("").stderr(message);

    let on_path = Command::new(cargo_bin!("course"))
        .args(["conform", "--random", "1"])
        .env("PATH", old.folder.path())
        .output()?;
    let message = text(&on_path.stderr);
    assert!(
        message.contains("no CPython 3.12 or 3.13 on PATH"),
        "{message}"
    );
    assert!(message.contains("python3 is CPython 3.11.7"), "{message}");
    on_path.assert().code(1);

    let other = StandIn::new("PyPy 3.13.0", "")?;
    let output = other.conform(&["--random", "1"])?;
    assert!(text(&output.stderr).contains("is PyPy 3.13.0"));
    output.assert().code(1);
    Ok(())
}

#[test]
fn options_that_make_no_sense() -> Tested {
    let python = StandIn::new("CPython 3.13.99", ALWAYS_EMPTY)?;
    python.conform(&["--random", "0"])?.assert().code(2);
    python
        .conform(&["--random", "1", "--level", "6"])?
        .assert()
        .code(2);
    python
        .conform(&["--random", "1", "tests/cmd/programs/two.jsonl"])?
        .assert()
        .code(2);
    // Without --random there is nothing for a Python to do.
    python
        .conform(&["tests/cmd/programs/two.jsonl"])?
        .assert()
        .code(2);
    python
        .conform(&["--random", "1", "--level", "5"])?
        .assert()
        .code(1)
        .stdout("");
    Ok(())
}
