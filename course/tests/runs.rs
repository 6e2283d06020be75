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
