//! What the pages say to whom: why, where to go on, and what needs a human eye.

use super::*;
use crate::grade::outcome::{End, State, TWICE};

#[test]
fn the_staff_page_names_what_was_refused() {
    let report = report();
    let page = staff::page(&report, &report.submissions[0]);
    for part in [
        "* `mixed`: src/lib.rs line 3: `type_name`, which can tell who calls",
        "* `refused`: It was refused: src/lib.rs: the file is not UTF-8.",
    ] {
        assert!(page.contains(part), "{part}\nis missing in\n{page}");
    }
    assert!(!page.contains("Nothing stood out"));
    let mut quiet = report.submissions[0].clone();
    quiet.exercises.truncate(3);
    quiet.exercises[0].suspicious.clear();
    assert!(staff::page(&report, &quiet).contains("Nothing stood out"));
}

#[test]
fn what_holds_no_exercise_is_for_a_human_eye() {
    let report = report();
    let mut empty = report.submissions[0].clone();
    assert!(!empty.holds_nothing() && !report.submissions[1].holds_nothing());
    for exercise in &mut empty.exercises {
        exercise.state = State::Missing;
        exercise.suspicious.clear();
    }
    assert!(empty.holds_nothing());
    let page = staff::page(&report, &empty);
    assert!(page.contains("It holds none of the exercises"), "{page}");
    assert!(!page.contains("Nothing stood out"));
    assert!(student::page(&empty).contains("None of these exercises was found"));
    // So is what can be taken in two ways.
    let mut twice = report.submissions[0].clone();
    assert!(!twice.holds_twice());
    twice.ignored[0].why = TWICE.to_owned();
    let page = staff::page(&report, &twice);
    assert!(page.contains("It holds a file more than once"), "{page}");
    let mut class = report;
    class.submissions = vec![empty];
    assert!(class::page(&class).contains("* =ada holds none of the exercises"));
}

#[test]
fn check_is_named_only_where_it_shows_something() {
    let mut graded = report().submissions.remove(0);
    let mut page = |failed: &[&str]| {
        for check in &mut graded.exercises[0].checks {
            let fails = failed.contains(&&*check.name);
            check.end = if fails { End::Failed } else { End::Passed };
        }
        student::page(&graded)
    };
    let check = "Try it again with `cargo course check mixed`.";
    assert!(page(&["a_test", "late"]).contains(check));
    let hidden = page(&["late"]);
    assert!(!hidden.contains("cargo course check"), "{hidden}");
    assert!(hidden.contains("All that you can run yourself passes."));
    graded.exercises[0].checks[5].hidden = false;
    let mut page = |failed: &str| {
        for check in &mut graded.exercises[0].checks {
            let fails = check.name == failed;
            check.end = if fails { End::Failed } else { End::Passed };
        }
        student::page(&graded)
    };
    let visible = page("late");
    assert!(!visible.contains("cargo course check"), "{visible}");
    assert!(visible.contains("`cargo run -p mixed --` and the arguments behind `$ mixed`"));
}

#[test]
fn the_student_page_says_what_why_and_where() {
    let page = student::page(&report().submissions[0]);
    for part in [
        "**2 of 20 points**",
        "Test `it_hangs`: ran out of time",
        "Hidden case `late`: failed",
        "It does not compile.",
        "It was not built: src/lib.rs: the file is not UTF-8.",
        "cargo course check mixed",
    ] {
        assert!(page.contains(part), "{part}\nis missing in\n{page}");
    }
}
