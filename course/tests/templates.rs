//! The templates for Gradescope and Actions: they call the grader as it is, and the autograder runs.

#[allow(dead_code, reason = "each test program uses its own part")]
mod graded;

use std::fs;
use std::process::Command;

use graded::{Desk, root};

fn template(path: &str) -> String {
    let path = root().join("course/templates").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn they_use_options_that_there_are() {
    let desk = Desk::new();
    let known = desk.grade(&["--help"]).stdout + &desk.grade(&["merge", "--help"]).stdout;
    let mut seen = 0;
    for path in [
        "gradescope/setup.sh",
        "gradescope/run_autograder",
        "actions/student.yml",
        "actions/class.yml",
    ] {
        let text = template(path).replace("\\\n", " ");
        let graders = text.lines().filter(|line| {
            let calls =
                line.contains("grade ") || line.contains("arguments") || line.contains("cases=");
            calls && !line.trim_start().starts_with('#')
        });
        for word in graders.flat_map(|line| line.split([' ', '(', ')'])) {
            if word.starts_with("--") {
                assert!(known.contains(word), "{path}: the grader has no {word}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 9, "{seen} options were looked at");
}

#[test]
fn the_scripts_are_sound_shell() {
    for path in ["gradescope/setup.sh", "gradescope/run_autograder"] {
        let script = root().join("course/templates").join(path);
        let sound = Command::new("bash")
            .arg("-n")
            .arg(&script)
            .status()
            .unwrap();
        assert!(sound.success(), "{path}");
    }
}

#[test]
fn the_autograder_writes_what_gradescope_reads() {
    let desk = Desk::new();
    // As Gradescope lays it out, the course by a link.
    fs::create_dir_all(desk.path("autograder/source")).unwrap();
    std::os::unix::fs::symlink(root(), desk.path("autograder/source/course")).unwrap();
    let place = "autograder/submission/course-main/exercises/01-counter/the-round/src";
    fs::create_dir_all(desk.path(place)).unwrap();
    let stub = root().join("exercises/01-counter/the-round/src/lib.rs");
    fs::copy(stub, desk.path(place).join("lib.rs")).unwrap();
    let run = Command::new(root().join("course/templates/gradescope/run_autograder"))
        .env("AUTOGRADER", desk.path("autograder"))
        .env("GRADER", env!("CARGO_BIN_EXE_course"))
        .env("CARGO_TARGET_DIR", Desk::scratch())
        .env("TMPDIR", desk.path("tmp"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let results = desk.report("autograder/results/results.json");
    assert_eq!(results["score"], 0);
    assert!(results["tests"].as_array().unwrap().len() > 100);
    assert!(results.to_string().contains("It is as it was shipped."));
    desk.is_clean();
}
