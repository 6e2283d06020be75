//! `cargo course lint` over small courses: a sound one passes, and each fault of the others is
//! reported in a line of its own, with nothing beside them.

mod tiny;

use serde_json::Value;
use tiny::Tiny;

fn stdout(command: &mut assert_cmd::Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_sound_course_is_counted() {
    let tiny = Tiny::new();
    tiny.exercise("twice");
    let said = stdout(&mut tiny.course(&["lint"]), 0);
    let row: Vec<&str> = said.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row, ["twice", "2", "2", "1", "3", "3"], "{said}");
    assert!(
        said.ends_with("\n\nSound: 1 exercise, 3 misconceptions, 2 tests, 1 case.\n"),
        "{said}"
    );

    // The second run finds everything built, and says the same to programs.
    let said = stdout(
        &mut tiny.course(&["lint", "twice", "--json", "--jobs", "1"]),
        0,
    );
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["sound"], true);
    assert_eq!(report["totals"]["tests"], 2);
    assert_eq!(report["exercises"][0]["caught"], 3);
    assert_eq!(report["faults"], Value::Array(Vec::new()));
}

/// Asks for exactly these faults, each by its beginning.
fn expect(said: &str, faults: &[&str]) {
    for fault in faults {
        let lines = said.lines().filter(|line| line.starts_with(fault));
        assert_eq!(lines.count(), 1, "{fault}\nis missing in\n{said}");
    }
    let count = format!("\n{} faults in ", faults.len());
    assert!(
        said.contains(&count),
        "there are other faults as well:\n{said}"
    );
    let explained = said
        .lines()
        .filter(|line| line.contains(": ") && line.contains("; "));
    assert_eq!(
        explained.count(),
        faults.len(),
        "a fault has no remedy:\n{said}"
    );
}

#[test]
fn what_lies_in_the_folders_and_the_manifest_is_checked() {
    let tiny = Tiny::new();
    tiny.exercise("facts");
    tiny.entry("facts", "minutes = 5", "minutes = 0");
    tiny.entry("facts", "title = \"Double\"", "title = \"Twice\"");
    tiny.entry("facts", "How `double` doubles", "How double doubles");
    tiny.entry("facts", "\"b\", \"c\"", "\"a\", \"c\"");
    tiny.entry("facts", "zero = 1", "none = 1");
    tiny.entry("facts", "four = 1", "five = 1");
    let tests = "exercises/01-a/facts/tests/facts.rs";
    tiny.replace(
        tests,
        "double of 0\");\n    lesson::passed();",
        "double of 0\");",
    );
    tiny.write(
        tests,
        &(tiny.read(tests) + "\n/// When.\npub type When = std::time::Instant;\n"),
    );
    for stray in [
        "exercises/01-a/entries.toml",
        "exercises/01-a/facts/src/lib.rs.orig",
        "exercises/01-a/gone/src/lib.rs",
        "solutions/01-a/facts/src/more.rs",
    ] {
        tiny.write(stray, "");
    }
    std::fs::remove_file(
        tiny.path()
            .join("solutions/01-a/facts/misconceptions/adds.patch"),
    )
    .unwrap();
    tiny.write("solutions/01-a/facts/shipped/src/lib.rs", "");
    // Two more that cannot be built at all.
    for id in ["no-folder", "own-tests"] {
        let text = tiny.read("exercises/course.toml");
        tiny.exercise(id);
        assert!(tiny.read("exercises/course.toml").len() > text.len());
    }
    std::fs::remove_dir_all(tiny.path().join("exercises/01-a/no-folder")).unwrap();
    std::fs::remove_dir_all(tiny.path().join("solutions/01-a/no-folder")).unwrap();
    // An empty package for the stray file, so that cargo can read the workspace.
    tiny.replace("Cargo.toml", "exercises/0*/*", "exercises/01-a/[!g]*");
    let own = "solutions/01-a/own-tests";
    let tests = tiny.read("exercises/01-a/own-tests/tests/own_tests.rs");
    tiny.write(&format!("{own}/tests/own_tests.rs"), &tests);
    let manifest = format!("{own}/Cargo.toml");
    tiny.replace(
        &manifest,
        "../../../exercises/01-a/own-tests/tests/",
        "tests/",
    );

    let said = stdout(&mut tiny.course(&["lint"]), 1);
    expect(
        &said,
        &[
            "exercises/01-a/entries.toml: no part of the course;",
            "exercises/01-a/facts/grading/four.trycmd: no part of the exercise;",
            "exercises/01-a/facts/src/lib.rs.orig: no part of the exercise;",
            "exercises/01-a/gone/src/lib.rs: no part of the course;",
            "solutions/01-a/facts/src/more.rs: no part of the exercise;",
            "solutions/01-a/own-tests/tests/own_tests.rs: no part of the exercise;",
            "facts: it takes no time;",
            "facts: it has fewer than three hints;",
            "facts: src/lib.rs does not begin with \"//! # Twice\";",
            "facts: book/01-a/index.md has no heading \"How double doubles\";",
            "facts: the case five has points, and no file in grading/;",
            "facts: the case four has no points;",
            "facts: src/lib.rs is not as it is kept for `reset`;",
            "facts: tests/facts.rs:12: the test zero does not end with `lesson::passed();`;",
            "facts: tests/facts.rs:15: `Instant` looks at the wall clock;",
            "facts: it has 2 misconceptions;",
            "facts: the test zero ends before its last statement on the solution;",
            "facts: none has points, and no test has that name;",
            "facts: the test zero has no points;",
            "no-folder: the case four has points, and no file in grading/;",
            "no-folder: exercises/01-a/no-folder/Cargo.toml is not there;",
            "no-folder: solutions/01-a/no-folder/Cargo.toml is not there;",
            "own-tests: solutions/01-a/own-tests/Cargo.toml does not run the exercise's own tests;",
        ],
    );
}

#[test]
fn what_runs_is_checked() {
    let tiny = Tiny::new();
    for id in ["too-easy", "unsolved", "broken", "patches"] {
        tiny.exercise(id);
    }
    let stub = "todo!(\"{n} times 2\")";
    let lib = |side: &str, id: &str| format!("{side}/01-a/{id}/src/lib.rs");
    tiny.replace(&lib("exercises", "too-easy"), stub, "2 * n");

    tiny.replace(
        &lib("solutions", "unsolved"),
        "n * 2",
        "let twice = n * 2 + 1;\n    twice",
    );
    for slug in ["adds", "nothing", "squares"] {
        let file = format!("solutions/01-a/unsolved/misconceptions/{slug}.patch");
        tiny.replace(
            &file,
            "-    n * 2\n",
            "-    let twice = n * 2 + 1;\n-    twice\n",
        );
        tiny.replace(&file, "-3,4 +3,4", "-3,5 +3,4");
    }
    tiny.replace(
        &lib("exercises", "unsolved"),
        stub,
        &format!("let more = 1;\n    {stub}"),
    );
    tiny.replace(&lib("exercises", "broken"), stub, "None");

    let patch = |slug: &str| format!("solutions/01-a/patches/misconceptions/{slug}.patch");
    tiny.replace(&patch("adds"), "-    n * 2", "-    n * 3");
    tiny.replace(&patch("squares"), "+    n * n", "+    n * \"n\"");
    tiny.replace(&patch("nothing"), "+    n", "+    2 * n");
    tiny.misconception(
        "patches",
        "silent",
        "It halves.",
        "no such message",
        "n / 2",
    );
    tiny.misconception("patches", "nameless", " ", "the double of 3", "n / 2");
    tiny.course(&["ship"]).assert().success();

    let said = stdout(&mut tiny.course(&["lint"]), 1);
    expect(
        &said,
        &[
            "too-easy: its tests pass as shipped;",
            "too-easy: the case four passes as shipped;",
            "unsolved: the shipped code has a warning: unused variable: `more` (src/lib.rs:5);",
            "unsolved: clippy on the shipped code: unused variable: `more` (src/lib.rs:5);",
            "unsolved: clippy on the solution: returning the result of a `let` binding from a block (src/lib.rs:6);",
            "unsolved: the test three fails on the solution;",
            "unsolved: the test zero fails on the solution;",
            "unsolved: the case four fails on the solution: the program does not print",
            "broken: the shipped code does not compile: mismatched types (src/lib.rs:5);",
            "broken: clippy on the shipped code: mismatched types (src/lib.rs:5);",
            "patches: misconceptions/adds.patch does not apply",
            "patches: misconceptions/nameless.patch has no line `Believes: …`;",
            "patches: misconceptions/squares.patch does not compile:",
            "patches: misconceptions/nothing.patch passes every test;",
            "patches: misconceptions/silent.patch fails, and no message has \"no such message\" in it;",
        ],
    );
}

#[test]
fn names_and_places_that_are_wrong_say_what_to_do() {
    let tiny = Tiny::new();
    tiny.exercise("twice");
    let said = |command: &mut assert_cmd::Command| {
        let output = command.assert().code(1).get_output().clone();
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let wrong = said(&mut tiny.course(&["lint", "twiec"]));
    assert_eq!(
        wrong,
        "error: no exercise is called \"twiec\"; did you mean twice?\n"
    );
    let outside = tempfile::tempdir().unwrap();
    let wrong = said(tiny.course(&["lint"]).current_dir(outside.path()));
    assert!(
        wrong.starts_with("error: no exercises/course.toml in "),
        "{wrong}"
    );
}
