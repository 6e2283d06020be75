//! A learner's way through a small course: from the first failure to the last exercise.

#[path = "learner/tiny.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod tiny;

use std::fs;
use std::process::Stdio;

use serde_json::Value;
use tiny::{RIGHT, Tiny, WRONG, holds};

const STUB: &str = "exercises/01-first/adds/src/lib.rs";

#[test]
fn from_the_first_failure_to_the_next_exercise() {
    let tiny = Tiny::new();
    let (code, text) = tiny.run("");
    assert_eq!(code, 0);
    holds(
        &text,
        &[
            "0 of 3 exercises",
            "0 min done, 1 h 15 min to go",
            "01-first",
            "0/2",
            "A sum (adds, 5 min)",
        ],
    );

    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "adds is as it was shipped: begin in exercises/01-first/adds/src/lib.rs:5\n  add the two\n\n",
            "0 of 2 tests pass in adds",
        ],
    );
    // Nothing is written, so nothing failed, and libtest's own words are not told at all.
    for word in ["failed", "The rule", "RUST_BACKTRACE", "running 2"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    holds(&tiny.progress(), &["current = \"adds\"", "tries = 0\n"]);

    tiny.edit(WRONG);
    let (code, text) = tiny.run("check adds");
    assert_eq!(code, 1);
    let lesson = "  the sum of 2 and 3 should be\n      5\n  but came out as\n      2\n\n  The rule: A sum has all of both.\n  Read again: chapter 1, \"Sums\"\n";
    holds(
        &text,
        &[
            lesson,
            "adds/tests/adds.rs:",
            "1 of 2 tests pass in adds",
            "Hint 1 of 3: cargo course hint adds",
        ],
    );

    for number in 1..=3 {
        holds(&tiny.run("hint").1, &[&format!("hint {number} of 3")]);
    }

    tiny.edit(RIGHT);
    let (code, text) = tiny.run("check");
    assert_eq!(code, 0, "{text}");
    holds(
        &text,
        &[
            "2 of 2 tests pass in adds",
            "Learnt\nA sum has all of both.",
            "Next: An empty queue (drains, 50 min)",
        ],
    );
    let (_, text) = tiny.run("next");
    holds(
        &text,
        &[
            "An empty queue (drains, 50 min)",
            "exercises/01-first/drains/src/lib.rs",
        ],
    );
    let (_, text) = tiny.run("");
    holds(&text, &["1 of 3 exercises", "5 min done, 1 h 10 min to go"]);
    let (_, text) = tiny.run("list");
    holds(
        &text,
        &["passed  adds", "(2 tries, 3 hints)", "> -       drains"],
    );

    let progress = tiny.progress();
    holds(
        &progress,
        &[
            "version = 1\n",
            "[exercise.adds]\ntries = 2\nhints = 3\npassed = \"20",
        ],
    );
    // What is passed stays passed, and further runs are no tries.
    tiny.edit(WRONG);
    assert_eq!(tiny.run("check adds").0, 1);
    holds(&tiny.progress(), &["tries = 2\nhints = 3\npassed = \"20"]);
}

#[test]
fn each_hint_says_more_and_the_last_opens_the_solution() {
    let tiny = Tiny::new();
    tiny.edit(WRONG);
    let (code, text) = tiny.run("diff adds");
    assert_eq!(code, 1);
    holds(
        &text,
        &["the solution of adds opens when you pass, or after hint 3 (you have read 0)"],
    );
    for (hint, number) in [
        ("What do both have?", 1),
        ("There is an operator", 2),
        ("`left + right`", 3),
        ("`left + right`", 3),
    ] {
        let (code, text) = tiny.run("hint");
        assert_eq!(code, 0);
        holds(&text, &[hint, &format!("hint {number} of 3")]);
    }
    let (_, text) = tiny.run("hint --again");
    holds(
        &text,
        &[
            "What do both have?",
            "There is an operator",
            "`left + right`",
        ],
    );
    let (code, text) = tiny.run("diff adds");
    assert_eq!(code, 0);
    holds(&text, &["-    left\n", "+    left + right\n"]);
}

#[test]
fn a_reset_keeps_and_an_undo_brings_back() {
    let tiny = Tiny::new();
    let stub = tiny.read(STUB);
    let (code, text) = tiny.run("reset adds");
    assert_eq!((code, text.as_str()), (0, "adds was as shipped already.\n"));
    assert!(!tiny.path("exercises/.kept").exists());
    let (code, text) = tiny.run("undo");
    assert_eq!(code, 1);
    holds(&text, &["nothing is kept of any exercise"]);

    tiny.edit("first");
    holds(
        &tiny.run("reset adds").1,
        &["exercises/.kept/0001-adds", "cargo course undo adds"],
    );
    assert_eq!(tiny.read(STUB), stub);
    tiny.edit("second");
    holds(&tiny.run("reset adds").1, &["exercises/.kept/0002-adds"]);
    // The newest comes first, what stands there is kept, and nothing is lost on the way.
    tiny.edit("third");
    holds(
        &tiny.run("undo").1,
        &["adds is what it was before", "a second undo"],
    );
    assert_eq!(tiny.read(STUB), "second");
    assert_eq!(tiny.run("undo adds").0, 0);
    assert_eq!(tiny.read(STUB), "third");
    assert_eq!(tiny.run("undo adds").0, 0);
    assert_eq!(tiny.read(STUB), "second");
    // A file that was deleted comes back as well.
    fs::remove_file(tiny.path(STUB)).unwrap();
    assert_eq!(tiny.run("reset adds").0, 0);
    assert_eq!(tiny.read(STUB), stub);
}

#[test]
fn two_writers_lose_nothing() {
    let tiny = Tiny::new();
    let ids = ["adds", "drains", "greets"];
    let spawn = |id: &&str| {
        tiny.command(&["hint", id])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..3).flat_map(|_| ids.iter().map(spawn)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(
        tiny.progress().matches("hints = 3\n").count(),
        3,
        "{}",
        tiny.progress()
    );
}

#[test]
fn without_a_name_the_folder_says_which() {
    let tiny = Tiny::new();
    let place = tiny.path("exercises/01-first/drains/src");
    let mut command = tiny.command(&["hint"]);
    let output = command.current_dir(&place).output().unwrap();
    let (_, text) = tiny::said(&output);
    holds(&text, &["drains", "hint 1 of 3"]);
    // Elsewhere it is still the current one.
    let (_, text) = tiny.run("hint");
    holds(&text, &["hint 2 of 3"]);
}

#[test]
fn all_exercises_at_once() {
    let tiny = Tiny::new();
    tiny.edit(RIGHT);
    fs::write(tiny.path("exercises/01-first/drains/src/lib.rs"), "pub fn").unwrap();
    let (code, text) = tiny.run("check --all");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "passed adds\n",
            "failed drains: does not compile; `cargo course check drains` shows why\n",
            "failed greets: 0 of 1 tests pass\n",
            "1 of 3 exercises pass\n",
        ],
    );
    // Passing counts, trying does not.
    assert_eq!(tiny.progress().matches("tries = 0").count(), 1);

    for exercise in ["01-first/drains", "02-second/greets"] {
        let solution = tiny.path(&format!("solutions/{exercise}/src/lib.rs"));
        fs::copy(
            solution,
            tiny.path(&format!("exercises/{exercise}/src/lib.rs")),
        )
        .unwrap();
    }
    let (code, text) = tiny.run("check --all");
    assert_eq!(code, 0, "{text}");
    let (code, text) = tiny.run("check");
    assert_eq!(
        (code, text.as_str()),
        (
            0,
            "Every exercise is passed. `cargo course check NAME` runs one again.\n"
        )
    );
    holds(
        &tiny.run("").1,
        &["3 of 3 exercises", "The course is done."],
    );
    holds(
        &tiny.run("hint").1,
        &["every exercise is passed: name the one"],
    );
}

#[test]
fn a_skipped_exercise_waits() {
    let tiny = Tiny::new();
    holds(&tiny.run("next --skip").1, &["(drains, 50 min)"]);
    holds(&tiny.run("next").1, &["(drains, 50 min)"]);
    holds(&tiny.run("next --skip").1, &["(greets, 20 min)"]);
    holds(&tiny.run("next --skip").1, &["(adds, 5 min)"]);
}

#[test]
fn giving_up_opens_the_solution_and_is_written_down() {
    let tiny = Tiny::new();
    assert_eq!(tiny.run("solution greets").0, 1);
    let (code, text) = tiny.run("solution greets --give-up");
    assert_eq!(code, 0);
    holds(
        &text,
        &[
            "solutions/02-second/greets/src/lib.rs\n",
            "format!(\"Good day, {name}\")",
        ],
    );
    holds(
        &tiny.progress(),
        &["[exercise.greets]\ntries = 0\nhints = 0\ngave_up = true\n"],
    );
    assert_eq!(tiny.run("diff greets").0, 0);
    holds(&tiny.run("list").1, &["(saw the solution)"]);
}

#[test]
fn every_verb_speaks_json() {
    let tiny = Tiny::new();
    let json = |line: &str| -> Value {
        let (_, text) = tiny.run(line);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}\n{text}"))
    };
    assert_eq!(json("--json")["next"], "adds");
    assert_eq!(json("--json")["chapters"][0]["minutes_left"], 55);
    assert_eq!(json("list --json")[2]["difficulty"], "hard");
    assert_eq!(json("next --json")["next"]["files"][0], STUB);
    let check = json("check --json");
    assert_eq!(check["outcome"], "failed");
    assert_eq!(check["tests"][1]["line"], 5);
    assert_eq!(json("hint --json")["hints"][0], "What do both have?");
    assert_eq!(json("diff adds --give-up --json")["files"][0]["file"], STUB);
    assert_eq!(
        json("solution adds --json")["files"][0]["file"],
        "solutions/01-first/adds/src/lib.rs"
    );
    tiny.edit(RIGHT);
    let check = json("check --json");
    assert_eq!(
        (&check["outcome"], &check["next"]),
        (&"passed".into(), &"drains".into())
    );
    assert_eq!(json("check --all --json")["passed"], 1);
    assert_eq!(
        json("reset adds --json")["kept"],
        "exercises/.kept/0001-adds"
    );
    assert_eq!(json("undo --json")["exercise"], "adds");
    assert_eq!(json("open adds --json")["page"], "book/01-first/index.md");
    let doctor = json("doctor --json");
    let checks = doctor["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 11);
    let state = |name: &str| checks.iter().find(|check| check["check"] == name).unwrap();
    for name in ["Rust", "file watching", "offline", "checkout", "progress"] {
        assert_eq!(state(name)["state"], "good", "{doctor}");
    }
}
