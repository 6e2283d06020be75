//! Run files from the command: of a program of the language, and of any command. The commands here
//! are shells that write what a filmed loop would; a real one is filmed in the tests of chapter 8.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const PROGRAM: &str = "tests/cmd/programs/hello.json";

fn course(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("course").unwrap();
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .env_remove("ASYNCIOFILM")
        .args(arguments);
    command
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Records a shell's command into `run.json` of a folder.
fn wall(folder: &Path, shell: &str) -> Command {
    let out = folder.join("run.json");
    let out = out.to_str().unwrap();
    course(&["trace", "--wall", "--out", out, "--", "sh", "-c", shell])
}

/// What went wrong, on standard error.
fn failure(command: &mut Command) -> String {
    let output = command.assert().failure().code(1).get_output().clone();
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

const LINE: &str = r#"{"tasks":["Task-1"],"handles":[{"name":"step:Task-1","task":0}],"between":[{"turn":0,"ready":[0]}],"turn":{"phase":"run:Task-1","t":0.01,"timeout":0,"woke":0.012,"end":0.5,"heap":[0,0],"ccount":[0,0],"ready":[0],"ran":[{"h":0,"t":0.02,"end":0.48}]}}"#;

#[test]
fn a_program_becomes_a_run_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run.json");
    let printed = course(&["trace", "--run", PROGRAM]).assert().success();
    let printed: Value = serde_json::from_slice(&printed.get_output().stdout).unwrap();
    assert_eq!(printed["format"], "loop-run/1");
    assert_eq!(printed["clock"], "virtual");
    assert_eq!(printed["handles"][0]["name"], "call:hello");
    assert!(printed["source"]["python"].as_array().unwrap().len() > 3);

    let said = course(&["trace", "--run", PROGRAM, "--out", out.to_str().unwrap()])
        .assert()
        .success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    assert!(said.starts_with("1 turn, 1 handle: "), "{said}");
    assert_eq!(read(&out), printed);
}

#[test]
fn a_run_file_that_cannot_be_written_is_an_error() {
    let said = failure(&mut course(&[
        "trace",
        "--run",
        PROGRAM,
        "--out",
        "/no/such/run.json",
    ]));
    assert!(said.contains("cannot write /no/such/run.json"), "{said}");
    let said = failure(&mut course(&["trace", PROGRAM, "--out", "x"]));
    assert!(
        said.contains("--out is for a run file; add --run"),
        "{said}"
    );
}

#[test]
fn a_command_s_loop_becomes_a_run_file() {
    let folder = tempfile::tempdir().unwrap();
    // The last line was not over as the command ended.
    let shell = format!("echo hello; printf '%s\\n%s' '{LINE}' '{{\"turn\":' > \"$ASYNCIOFILM\"");
    let done = wall(folder.path(), &shell).assert().success();
    let output = done.get_output();
    assert_eq!(output.stdout, b"hello\n", "the command's output is its own");
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.contains("1 turn, 1 handle: "), "{said}");
    let run = read(&folder.path().join("run.json"));
    assert_eq!(run["format"], "loop-run/1");
    assert_eq!(run["clock"], "wall");
    assert_eq!(run["totals"]["t_end"], 0.5);
    assert!(
        run["title"]
            .as_str()
            .unwrap()
            .starts_with("sh -c echo hello")
    );
    // Nothing but the file is left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_command_that_fails_is_recorded_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let shell = format!("echo '{LINE}' > \"$ASYNCIOFILM\"; kill -INT $$");
    let done = wall(folder.path(), &shell).assert().success();
    let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(said.contains("The command ended with signal: 2"), "{said}");
    assert_eq!(read(&folder.path().join("run.json"))["totals"]["turns"], 1);
}

#[test]
fn a_command_without_a_loop_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let said = failure(&mut wall(folder.path(), "exit 3"));
    assert!(
        said.contains("exit status: 3, and no loop ran in it"),
        "{said}"
    );
    assert!(
        said.contains("the_loop::film_from_environment(&event_loop)"),
        "{said}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_film_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = failure(&mut wall(
        folder.path(),
        "echo '{\"turn\": 1}' > \"$ASYNCIOFILM\"",
    ));
    assert!(said.contains("another version"), "{said}");
    assert!(
        said.contains("line 1 of the recording cannot be read"),
        "{said}"
    );
}

#[test]
fn a_command_that_is_not_there_and_a_place_that_is_none_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run.json");
    let out = out.to_str().unwrap();
    let command = &["trace", "--wall", "--out", out, "--", "no-such-command"];
    let said = failure(&mut course(command));
    assert!(
        said.contains("there is no command \"no-such-command\""),
        "{said}"
    );

    // Found before the command runs.
    let mark = folder.path().join("ran");
    for place in ["/no/such/folder/run.json", folder.path().to_str().unwrap()] {
        let command = &[
            "trace",
            "--wall",
            "--out",
            place,
            "--",
            "touch",
            mark.to_str().unwrap(),
        ];
        let said = failure(&mut course(command));
        assert!(
            said.contains("choose another place with --out FILE"),
            "{said}"
        );
        assert!(!mark.exists());
    }
    for wrong in [
        &["trace", "--wall"][..],
        &["trace", "--wall", PROGRAM, "--", "true"],
    ] {
        course(wrong).assert().failure().code(2);
    }
}
