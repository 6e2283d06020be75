//! What can be wrong around a learner: one sentence each, that says what to do, and nothing lost.

#[path = "learner/tiny.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod tiny;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use tiny::{Tiny, holds, said};

/// The one line that a failing command prints.
fn error(tiny: &Tiny, line: &str) -> String {
    let (code, text) = tiny.run(line);
    assert_eq!(code, 1, "{text}");
    text
}

#[test]
fn an_unknown_name_gives_the_nearest() {
    let tiny = Tiny::new();
    for verb in [
        "check", "hint", "diff", "solution", "reset", "undo", "open", "watch",
    ] {
        let text = error(&tiny, &format!("{verb} drain"));
        assert_eq!(
            text,
            "error: no exercise is called \"drain\"; did you mean drains?\n"
        );
    }
    let text = error(&tiny, "check zzz");
    assert_eq!(
        text,
        "error: no exercise is called \"zzz\"; `cargo course list` shows their names\n"
    );
}

#[test]
fn a_manifest_broken_by_hand_names_the_line() {
    let tiny = Tiny::new();
    let manifest = tiny.path("exercises/course.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("minutes = 50", "minutes = many")).unwrap();
    for line in ["", "list", "check", "doctor"] {
        let text = error(&tiny, line);
        assert!(
            text.contains("course.toml") && text.contains("line 26"),
            "{text}"
        );
        assert!(
            text.contains("git checkout exercises/course.toml"),
            "{text}"
        );
    }
}

#[test]
fn progress_of_a_newer_version_is_left_alone() {
    let tiny = Tiny::new();
    let file = tiny.path("exercises/progress.toml");
    let newer = "version = 2\nlevels = [1]\n";
    fs::write(&file, newer).unwrap();
    for line in ["", "list", "next", "check", "hint", "watch"] {
        let text = error(&tiny, line);
        let why = "progress.toml was written by a newer `cargo course` (its version is 2, this one knows 1): `git pull` and run it again\n";
        assert!(text.ends_with(why), "{text}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), newer);
}

#[test]
fn progress_broken_by_hand_names_the_line() {
    let tiny = Tiny::new();
    let file = tiny.path("exercises/progress.toml");
    for (text, why) in [
        ("version = 1\nthis is no TOML\n", "line 2"),
        ("hints = 3\n", "no version = 1"),
        ("version = 1\n[exercise.adds]\ntries = \"two\"\n", "line 3"),
    ] {
        fs::write(&file, text).unwrap();
        let said = error(&tiny, "hint");
        assert!(
            said.contains(why) && said.contains("mend it, or move it away"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn what_another_branch_knows_is_kept() {
    let tiny = Tiny::new();
    let other =
        "[exercise.of-another-branch]\ntries = 4\nhints = 1\npassed = \"2026-01-02T03:04:05Z\"\n";
    fs::write(
        tiny.path("exercises/progress.toml"),
        format!("version = 1\n\n{other}"),
    )
    .unwrap();
    assert_eq!(tiny.run("hint adds").0, 0);
    assert!(tiny.progress().contains(other), "{}", tiny.progress());
}

#[test]
fn without_cargo_there_is_one_sentence() {
    let tiny = Tiny::new();
    let mut command = tiny.command(&["check"]);
    command.env_remove("CARGO").env("PATH", "/nowhere");
    let (code, text) = said(&command.output().unwrap());
    assert_eq!(code, 1);
    assert_eq!(
        text,
        "error: no cargo on PATH: install Rust from https://rustup.rs, or open a new terminal if you have\n"
    );
    let mut command = tiny.command(&["doctor"]);
    command.env_remove("CARGO").env("PATH", "/nowhere");
    let (code, text) = said(&command.output().unwrap());
    assert_eq!(code, 1);
    assert!(
        text.contains("bad    Rust           no cargo on PATH"),
        "{text}"
    );
}

#[test]
fn a_read_only_checkout_is_no_place_to_learn() {
    let tiny = Tiny::new();
    // The superuser may write everywhere, so the command becomes somebody else then.
    let binary = tiny.path("course");
    fs::copy(cargo_bin!("course"), &binary).unwrap();
    let set = |path: &str, mode| {
        let path = tiny.path(path);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set("", 0o755);
    set("exercises", 0o555);
    let run = |verb: &str| {
        let mut command = Command::new(&binary);
        command
            .args(verb.split(' '))
            .current_dir(tiny.root())
            .env("NO_COLOR", "1");
        if rustix::process::geteuid().is_root() {
            command.uid(65534).gid(65534);
        }
        said(&command.output().unwrap())
    };
    for verb in [
        "check",
        "hint",
        "watch",
        "next --skip",
        "solution adds --give-up",
    ] {
        let (code, text) = run(verb);
        assert_eq!(code, 1, "{verb}: {text}");
        assert_eq!(text.lines().count(), 1, "{verb}: {text}");
        assert!(
            text.contains("cannot be written (Permission denied"),
            "{verb}: {text}"
        );
        assert!(
            text.contains("clone the course into a folder of your own"),
            "{verb}: {text}"
        );
    }
    // Looking is free.
    for verb in ["list", "next", "--json"] {
        assert_eq!(run(verb).0, 0);
    }
    set("exercises", 0o755);
    assert!(!tiny.path("exercises/progress.toml").exists());
}

#[test]
fn a_shipped_file_that_is_gone_costs_nothing() {
    let tiny = Tiny::new();
    tiny.edit("mine");
    fs::remove_dir_all(tiny.path("solutions/01-first/adds/shipped")).unwrap();
    let text = error(&tiny, "reset adds");
    assert!(
        text.contains("`git checkout solutions` brings it back"),
        "{text}"
    );
    assert_eq!(tiny.read("exercises/01-first/adds/src/lib.rs"), "mine");
}

#[test]
fn an_editor_is_started_with_the_files() {
    let tiny = Tiny::new();
    let (code, text) = tiny.run("open adds");
    assert_eq!(code, 0);
    holds(
        &text,
        &[
            "book/01-first/index.md",
            "http://127.0.0.1:3000/01-first/index.html#what-is-a-sum",
            "Neither $VISUAL nor $EDITOR",
        ],
    );
    let open = |editor: &str| {
        said(
            &tiny
                .command(&["open"])
                .env("EDITOR", editor)
                .output()
                .unwrap(),
        )
    };
    let (code, text) = open("echo 'now in'");
    assert_eq!(code, 0);
    holds(
        &text,
        &[&format!(
            "now in {}\n",
            tiny.path("exercises/01-first/adds/src/lib.rs").display()
        )],
    );
    holds(
        &open("vim").1,
        &["vim needs a terminal, so it is not started."],
    );
    let (code, text) = open("/no/editor");
    assert_eq!(code, 1);
    holds(
        &text,
        &["/no/editor cannot be run: set $VISUAL or $EDITOR to your editor"],
    );
}

#[test]
fn a_floor_that_does_not_build_is_found_by_the_doctor() {
    let tiny = Tiny::new();
    tiny.floor("pub fn floor() -> u32 {\n    3\n}\n");
    holds(&tiny.run("doctor").1, &["good   floors         build\n"]);
    tiny.replace("exercises/lesson/src/lib.rs", "    3", "    \"three\"");
    let (code, text) = tiny.run("doctor");
    assert_eq!(code, 1);
    holds(
        &text,
        &[
            "bad    floors         error[E0308]: mismatched types\n",
            "-> `cargo check -p lesson` says where; `git status` shows what changed in chapters-code/",
        ],
    );
}
