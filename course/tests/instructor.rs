//! What an instructor meets with a class as it comes: files that are no submission, an archive that
//! is damaged, a hidden case with a mistake, a class that shrinks, Ctrl-C.

#[allow(dead_code, reason = "each test program uses its own part")]
mod graded;

use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use graded::{Desk, root};
use rexpect::process::WaitStatus;
use rexpect::session::spawn_command;

/// Where the learner's file of the exercise lies.
const PLACE: &str = "exercises/01-counter/the-round/src/lib.rs";
/// The longest that a text may take to be shown, in milliseconds; the first run builds the floors.
const PATIENCE: u64 = 600_000;

/// One at a time: they build in one folder.
fn alone() -> MutexGuard<'static, ()> {
    static BUILDS: Mutex<()> = Mutex::new(());
    BUILDS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hand_in(desk: &Desk, name: &str, from: &str) {
    let place = desk.path("class").join(name).join(PLACE);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::copy(root().join(from), place).unwrap();
}

fn write(desk: &Desk, path: &str, text: &str) {
    let path = desk.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn grade(desk: &Desk, more: &[&str]) -> graded::Said {
    let mut all = vec!["{}/class", "--out", "{}/out", "--only", "the-round"];
    all.extend(more);
    desk.grade(&all)
}

fn says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{part}\nis missing in\n{said}");
    }
}

/// The grader for a terminal.
fn terminal(desk: &Desk, command: &mut Command) {
    command
        .args([
            "grade",
            "--only",
            "the-round",
            "--jobs",
            "1",
            "--test-limit",
            "3000",
        ])
        .arg(desk.path("class"))
        .arg("--out")
        .arg(desk.path("out"))
        .current_dir(root())
        .env("CARGO_TARGET_DIR", Desk::scratch())
        .env("TMPDIR", desk.path("tmp"))
        .env("TERM", "xterm");
}

#[test]
fn a_class_as_it_comes_is_told_whole() {
    let _alone = alone();
    let desk = Desk::new();
    hand_in(
        &desk,
        "ada",
        "course/sample/class/ada/exercises/01-counter/the-round/src/lib.rs",
    );
    write(&desk, "class/bo/the-round.rs", "pub fn round() {}");
    write(&desk, "class/cy.zip", "PK and no more");
    write(&desk, "class/README", "not a submission");
    write(&desk, "class/dora.rar", "not unpacked");
    let said = grade(&desk, &[]);
    assert_eq!(said.code, 2, "{}{}", said.stdout, said.stderr);
    says(
        &said.stdout,
        &[
            " bo                   0   8       0          0        1\n",
            "not graded: cy: it cannot be opened (",
            "the archive is damaged, or was sent in part; pack it and hand it in again",
            "None of the exercises is in: bo. Look at how it is packed.\n",
            "Passed over, as neither a folder nor a .zip nor a .tar.gz: README, dora.rar.\n",
        ],
    );
    assert!(!said.stdout.contains("Removed"), "{}", said.stdout);
    says(
        &desk.read("out/class.md"),
        &[
            "3 submissions, 2 graded.",
            "`dora.rar` lies among",
            "bo holds none",
        ],
    );

    // The class shrinks; what is not ours stays.
    fs::remove_dir_all(desk.path("class/bo")).unwrap();
    fs::remove_file(desk.path("class/cy.zip")).unwrap();
    write(&desk, "out/submissions/bo/remark.md", "Come and see me.");
    let said = grade(&desk, &[]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    says(
        &said.stdout,
        &["Removed what a former run wrote for: bo, cy.\n"],
    );
    assert!(!desk.path("out/submissions/cy").exists());
    let left: Vec<_> = fs::read_dir(desk.path("out/submissions/bo"))
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
    desk.is_clean();
}

#[test]
fn a_hidden_case_with_a_mistake_stops_the_run_before_it_grades() {
    let _alone = alone();
    let desk = Desk::new();
    hand_in(
        &desk,
        "ada",
        "course/sample/class/ada/exercises/01-counter/the-round/src/lib.rs",
    );
    let good = root().join("course/sample/cases/the-round/five-slips.trycmd");
    let good = fs::read_to_string(good).unwrap();
    write(&desk, "cases/the-round/right.trycmd", &good);
    write(
        &desk,
        "cases/the-round/fence.trycmd",
        &good.replace("counter: 0\n\n", "counter: 0\n"),
    );
    write(
        &desk,
        "cases/the-round/slip.trycmd",
        &good.replace("D E (5)", "D E (6)"),
    );
    let said = grade(&desk, &["--cases", "{}/cases"]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    says(
        &said.stderr,
        &[
            "fails on the course's own solution, so it would fail for everybody. Nothing was graded.",
            "cases/the-round/slip.trycmd failed.",
            "does not print what the case shows",
            "D E (6)",
            "cases/the-round/fence.trycmd failed.",
            "leave a blank line before the closing fence",
        ],
    );
    assert!(!said.stderr.contains("right.trycmd"), "{}", said.stderr);
    assert!(!desk.path("out/submissions").exists());
    desk.is_clean();
}

#[test]
fn a_build_of_the_course_meanwhile_does_no_harm() {
    let _alone = alone();
    let desk = Desk::new();
    hand_in(
        &desk,
        "ada",
        "course/sample/class/ada/exercises/01-counter/the-round/src/lib.rs",
    );
    let program = desk.path("course");
    fs::copy(env!("CARGO_BIN_EXE_course"), &program).unwrap();
    let mut command = Command::new(&program);
    terminal(&desk, &mut command);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    session
        .exp_string("Building what the exercises stand on")
        .unwrap();
    fs::remove_file(&program).unwrap();
    session.exp_string("The reports are in").unwrap();
    session.exp_eof().unwrap();
    assert!(desk.read("out/grades.csv").contains("ada,8,8,yes"));
    desk.is_clean();
}

#[test]
fn ctrl_c_says_what_stands_and_how_to_go_on() {
    let _alone = alone();
    let desk = Desk::new();
    hand_in(&desk, "ada", PLACE);
    let endless = "course/tests/hostile/endless-loop/submission";
    hand_in(&desk, "bo", &format!("{endless}/{PLACE}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_course"));
    terminal(&desk, &mut command);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    session.exp_string("1/2, ").unwrap();
    session.send_control('c').unwrap();
    let out = desk.path("out").display().to_string();
    session
        .exp_string(&format!(
            "Interrupted: 1 of 2 submissions graded and kept in {out}. The same command with --resume \
             goes on."
        ))
        .unwrap();
    let rest = session.exp_eof().unwrap();
    assert_eq!(rest.trim(), "", "more than one line");
    let ended = session.process().wait().unwrap();
    assert!(matches!(ended, WaitStatus::Exited(_, 130)), "{ended:?}");
    assert!(desk.path("out/resume/ada.json").is_file());
    assert!(!desk.path("out/resume/bo.json").exists());
    // The guards notice that their caller is gone, and end what they hold.
    let gone = (0..100_000).any(|_| {
        thread::yield_now();
        Desk::running().is_empty()
    });
    assert!(gone, "still runs: {:?}", Desk::running());
    desk.is_clean();
}

#[test]
fn the_guide_explains_each_protection() {
    let guide = fs::read_to_string(root().join("book/appendix-grading/index.md")).unwrap();
    for protection in guard::Protection::ALL {
        let row = format!("\n| {protection} | ");
        assert!(guide.contains(&row), "no row for {protection}");
    }
}
