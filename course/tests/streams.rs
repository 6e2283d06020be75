//! The command in a pipe, in another folder, with and without colour.

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::assert::OutputAssertExt as _;
use assert_cmd::cargo::cargo_bin;

type Tested = Result<(), Box<dyn Error>>;

const ESCAPE: char = '\u{1b}';

/// The command in its own folder, with nothing in the environment that speaks of colour.
fn course(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("course"));
    command
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn standard_input_is_a_file_called_minus() -> Tested {
    let program = fs::File::open("tests/cmd/programs/hello.json")?;
    let piped = course(&["trace", "-"]).stdin(program).output()?;
    let named = course(&["trace", "tests/cmd/programs/hello.json"]).output()?;
    assert_eq!(stdout(&piped), stdout(&named));
    assert!(stdout(&piped).contains("call:hello"));

    let corpus = fs::File::open("tests/cmd/programs/two.jsonl")?;
    let judged = course(&["conform", "-"]).stdin(corpus).output()?;
    let judged = judged.assert().success();
    judged.stdout("standard input, level 1: 2/2\n2 passed, 0 failed\n");
    Ok(())
}

#[test]
fn what_is_no_text_is_an_error() -> Tested {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("binary.jsonl");
    fs::write(&file, [0xff, 0xfe, 0x00])?;
    for verb in ["trace", "conform"] {
        let output = course(&[verb]).arg(&file).output()?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            stderr.contains("binary.jsonl: stream did not contain valid UTF-8"),
            "{stderr}"
        );
        output.assert().code(1).stdout("");
    }
    Ok(())
}

#[test]
fn a_reader_that_leaves_is_no_panic() -> Tested {
    for arguments in [
        &["conform", "--verbose"][..],
        &["trace", "tests/cmd/programs/hello.json"],
        &[],
    ] {
        let (reader, writer) = io::pipe()?;
        drop(reader);
        let child = course(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()?;
        child.wait_with_output()?.assert().code(141).stderr("");
    }
    Ok(())
}

#[test]
fn colour_only_where_it_is_asked_for() -> Tested {
    let wrong = ["conform", "tests/cmd/programs/wrong.jsonl"];
    let piped = course(&wrong).output()?;
    assert!(!stdout(&piped).contains(ESCAPE));
    let forced = course(&wrong).env("CLICOLOR_FORCE", "1").output()?;
    assert!(stdout(&forced).contains(ESCAPE));
    let refused = course(&wrong)
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()?;
    assert_eq!(stdout(&refused), stdout(&piped));
    Ok(())
}

#[test]
fn the_number_of_threads_changes_nothing() -> Tested {
    let level = "../chapters-code/scenario/corpus/open/level1.jsonl";
    let run = |jobs| {
        let files = [
            "conform",
            "--verbose",
            level,
            "tests/cmd/programs/wrong.jsonl",
        ];
        course(&files).args(["--jobs", jobs]).output()
    };
    let (one, many) = (run("1")?, run("7")?);
    assert_eq!(stdout(&one), stdout(&many));
    assert!(stdout(&one).ends_with("\n138 passed, 4 failed\n"));
    Ok(())
}

#[test]
fn outside_the_workspace_files_have_to_be_named() -> Tested {
    let elsewhere = tempfile::tempdir()?;
    let output = course(&["conform"]).current_dir(&elsewhere).output()?;
    let message = "error: no corpus here: name a FILE.jsonl, or go to the course's folder\n";
    output.assert().code(1).stdout("").stderr(message);

    let corpus = Path::new("tests/cmd/programs/two.jsonl").canonicalize()?;
    let named = course(&["conform"])
        .arg(corpus)
        .current_dir(&elsewhere)
        .output()?;
    named.assert().success();

    let alone = course(&[]).current_dir(&elsewhere).output()?;
    let alone = alone.assert().code(1).stdout("");
    let message = String::from_utf8_lossy(&alone.get_output().stderr).into_owned();
    assert!(
        message.starts_with("error: no exercises/course.toml in "),
        "{message}"
    );
    assert!(
        message.ends_with("go to the folder that you cloned the course into\n"),
        "{message}"
    );
    Ok(())
}
