//! Runs of an exercise's tests that end badly: each ends all the same, and says what it teaches.

#[path = "learner/tiny.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod tiny;

use std::fs;
use std::process::Stdio;

use tiny::{Hung, RIGHT, Tiny, holds};

#[test]
fn a_stub_that_does_not_compile_is_shown_as_rustc_shows_it() {
    let tiny = Tiny::new();
    tiny.edit("pub fn add(left: u32, _right: u32) -> u32 {\n    left + \"one\"\n}\n");
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "error[E0277]: cannot add `&str` to `u32`\n",
            "--> exercises/01-first/adds/src/lib.rs:2:10\n",
            "adds does not compile.",
        ],
    );
    // The library is compiled twice; its error is told once.
    assert_eq!(text.matches("E0277]").count(), 1, "{text}");
    holds(&tiny.progress(), &["tries = 1\n"]);
}

#[test]
fn a_hung_stub_is_stopped_and_the_reason_guessed() {
    let tiny = Tiny::new();
    tiny.edit("pub fn add(left: u32, _right: u32) -> u32 {\n    let mut sum = left;\n    loop { sum = std::hint::black_box(sum); }\n}\n");
    let (code, text) = tiny.run("check --limit 2");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "stopped after 2 s in `",
            "a loop that never ends",
            "no end ",
        ],
    );
    assert!(
        !cfg!(target_os = "linux") || text.contains("It was computing"),
        "{text}"
    );

    let hung = Hung::new();
    tiny.edit(&hung.text());
    let (code, text) = tiny.run("check --limit 1");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "a future that nobody wakes",
            "a call that blocks the thread",
        ],
    );
    assert!(
        !cfg!(target_os = "linux") || text.contains("It stood still"),
        "{text}"
    );
    hung.runs().ends();
}

#[test]
fn a_stub_that_prints_without_end_is_stopped() {
    let tiny = Tiny::new();
    tiny.edit(
        "pub fn add(_left: u32, _right: u32) -> u32 {\n    loop { println!(\"again\"); }\n}\n",
    );
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "printed more than a mebibyte",
            "in `",
            "  | again\n",
            "more lines",
        ],
    );
    assert!(text.len() < 2000, "{} bytes", text.len());
}

#[test]
fn a_test_program_that_dies_is_explained() {
    let tiny = Tiny::new();
    let body = |body: &str| format!("pub fn add(_left: u32, _right: u32) -> u32 {{ {body} }}");
    for (text, why) in [
        (
            "std::process::exit(0)",
            "`std::process::exit` ends the tests",
        ),
        ("add(std::hint::black_box(1), 2) + 1", "its stack ran over"),
        (
            "std::hint::black_box(vec![0_u8; 1 << 40]).len() as u32",
            "more memory than it may have",
        ),
    ] {
        tiny.edit(&body(text));
        let (code, told) = tiny.run("check");
        assert_eq!(code, 1, "{told}");
        holds(&told, &["The test program ended in `", why]);
    }
}

#[test]
fn what_a_learner_prints_is_shown_with_the_failure() {
    let tiny = Tiny::new();
    tiny.edit("pub fn add(left: u32, _right: u32) -> u32 {\n    println!(\"left is {left}\");\n    left\n}\n");
    let (_, text) = tiny.run("check");
    holds(
        &text,
        &[
            "failed two and three are five\n  | left is 2\n",
            "1 of 2 tests pass",
        ],
    );
    assert!(!text.contains("left is 7"), "{text}");
}

#[test]
fn a_test_that_is_gone_is_missed() {
    let tiny = Tiny::new();
    tiny.edit(RIGHT);
    let tests = tiny.path("exercises/01-first/adds/tests/adds.rs");
    fs::write(&tests, "#[test]\nfn nothing_adds_nothing() {}\n").unwrap();
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "1 of 2 tests pass",
            "two_and_three_are_five did not run",
            "git checkout",
        ],
    );
}

#[test]
fn a_killed_run_leaves_the_progress_whole_and_no_process() {
    let tiny = Tiny::new();
    assert_eq!(tiny.run("hint").0, 0);
    let before = tiny.progress();
    for (signal, code) in [("KILL", None), ("INT", Some(130)), ("TERM", Some(130))] {
        let hung = Hung::new();
        tiny.edit(&hung.text());
        let mut child = tiny
            .command(&["check"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let runs = hung.runs();
        let id = rustix::process::Pid::from_child(&child);
        let signal = match signal {
            "KILL" => rustix::process::Signal::KILL,
            "INT" => rustix::process::Signal::INT,
            _ => rustix::process::Signal::TERM,
        };
        rustix::process::kill_process(id, signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), code);
        // Only Linux ends what a killed parent leaves behind.
        if cfg!(target_os = "linux") || code.is_some() {
            runs.ends();
        }
        assert_eq!(tiny.progress(), before);
    }
    tiny.edit(RIGHT);
    assert_eq!(tiny.run("check").0, 0);
    holds(&tiny.progress(), &["tries = 1\nhints = 1\npassed"]);
}

#[test]
fn an_error_in_a_floor_is_not_the_learners() {
    let tiny = Tiny::new();
    tiny.floor("pub fn floor() -> u32 {\n    \"three\"\n}\n");
    tiny.edit(RIGHT);
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "--> exercises/lesson/src/lib.rs:2:5\n",
            "\nlesson does not compile. That is not your file: `git status` shows what changed there; \
             `cargo clean -p lesson` if nothing did.\n",
        ],
    );
    for word in ["adds does not", "Hint", "tests pass"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    assert!(!tiny.progress().contains("tries"), "{}", tiny.progress());
    holds(
        &tiny.run("check --all").1,
        &["failed adds: lesson does not compile."],
    );

    // An error of their own is told as one, on a sound floor.
    tiny.replace("exercises/lesson/src/lib.rs", "\"three\"", "3");
    assert_eq!(tiny.run("check").0, 0);
    tiny.edit("pub fn add(left: u32, _: u32) -> u32 {\n    left + lesson::no_floor()\n}\n");
    holds(&tiny.run("check adds").1, &["adds does not compile."]);
}

/// The tests of `adds`, each failing at its own place, but for two.
fn many_failures(tiny: &Tiny) {
    let test = |name: &str, body: &str| format!("#[test]\nfn {name}() {{\n    {body}\n}}\n");
    let own = |name| test(name, &format!("panic!(\"{name} is wrong\");"));
    let same = |name| test(name, "same();");
    let tests = [
        "fn same() {\n    panic!(\"this and that\");\n}\n".to_owned(),
        ["c", "d_and_e", "f"].map(own).concat(),
        ["nothing_adds_nothing", "a", "b"].map(same).concat(),
        test("two_and_three_are_five", "adds::add(2, 3);"),
    ]
    .concat();
    fs::write(tiny.path("exercises/01-first/adds/tests/adds.rs"), tests).unwrap();
    tiny.edit(RIGHT);
}

#[test]
fn three_failures_are_told_and_the_others_named() {
    let tiny = Tiny::new();
    many_failures(&tiny);
    tiny.edit("pub fn add(left: u32, right: u32) -> u32 {\n    panic!(\"{left} {right}\")\n}\n");
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    let told = text.split("  exercises/").collect::<Vec<_>>();
    assert_eq!(told.len(), 4, "{text}");
    assert!(told[0].starts_with("failed two and three are five\n  2 3\n"));
    holds(
        &text,
        &[
            "\n\nfailed nothing adds nothing, and a and b for the same reason\n  this and that\n",
            "\n\nfailed c\n  c is wrong\n",
            "\n\nand 2 more: d and e, f\n\n0 of 7 tests pass in adds\n",
        ],
    );
    let (_, json) = tiny.run("check --json");
    holds(&json, &["f is wrong", "\"as_shipped\":false"]);
}

#[test]
fn stages_are_told_one_at_a_time() {
    let tiny = Tiny::new();
    many_failures(&tiny);
    let manifest = "exercises/course.toml";
    tiny.replace(manifest, "\"complete\"", "\"capstone\"");
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    let told = "failed nothing adds nothing\n  this and that\n  exercises/01-first/adds/tests/adds.rs:2\n\n\
                1 of 7 stages pass; the next is nothing adds nothing\n";
    assert!(text.starts_with(told), "{text}");
    assert!(!text.contains("more"), "{text}");
}

#[test]
fn a_wrong_program_as_it_was_shipped_is_no_try() {
    let tiny = Tiny::new();
    many_failures(&tiny);
    let shipped = tiny.path("solutions/01-first/adds/shipped/src/lib.rs");
    fs::write(shipped, RIGHT).unwrap();
    let (code, text) = tiny.run("check");
    assert_eq!(code, 1);
    let told = "adds is as it was shipped: begin in exercises/01-first/adds/src/lib.rs\n\n\
                failed nothing adds nothing, and a and b for the same reason\n  this and that\n";
    assert!(text.starts_with(told), "{text}");
    holds(&text, &["and 3 more: c, d and e, f\n", "1 of 7 tests pass"]);
    holds(&tiny.progress(), &["current = \"adds\"", "tries = 0\n"]);
    tiny.edit(&(RIGHT.to_owned() + "// mine\n"));
    tiny.run("check");
    holds(&tiny.progress(), &["tries = 1\n"]);
}
