//! A report for the tests of what is made from it: each way a check can end, and text that is awkward
//! for each form.

use super::*;

/// What a hidden case checks; no learner may read it.
pub(crate) const SECRET: &str = "secret-of-the-hidden-case";
/// Text that a table, a spreadsheet, a page and XML could each stumble over.
pub(crate) const AWKWARD: &str = "<script>alert(1)</script> ```` ``` | & ]]> \"é\"";

fn check(name: &str, kind: CheckKind, end: End, message: &str) -> Check {
    Check {
        name: name.to_owned(),
        kind,
        hidden: false,
        most: 2,
        end,
        message: message.to_owned(),
        output: String::new(),
    }
}

fn exercise(id: &str, state: State, checks: Vec<Check>) -> ExerciseGrade {
    ExerciseGrade {
        id: id.to_owned(),
        title: format!("The {id}"),
        chapter: "01-counter".to_owned(),
        state,
        checks,
        suspicious: vec![],
    }
}

/// A submission with one of everything, and one that was not graded.
pub(crate) fn report() -> Report {
    let mut hidden = check("late", CheckKind::Case, End::Failed, SECRET);
    hidden.hidden = true;
    SECRET.clone_into(&mut hidden.output);
    let mut failed = check("a_test", CheckKind::Test, End::Failed, AWKWARD);
    failed.output = format!("{AWKWARD} {}", "x".repeat(2_000));
    let checks = vec![
        check("it_holds", CheckKind::Test, End::Passed, ""),
        failed,
        check("it_hangs", CheckKind::Test, End::TimedOut, "It was ended."),
        check("it_floods", CheckKind::Test, End::OverLimit, ""),
        check("it_leaves", CheckKind::Test, End::Crashed, "It left."),
        hidden,
    ];
    let not_run = |name| vec![check(name, CheckKind::Test, End::NotRun, "")];
    let mut mixed = exercise("mixed", State::Checked, checks);
    mixed.suspicious = vec!["src/lib.rs line 3: `type_name`, which can tell who calls".to_owned()];
    let ada = Graded {
        name: "=ada".to_owned(),
        refused: None,
        failure: None,
        exercises: vec![
            mixed,
            exercise("missing", State::Missing, not_run("m")),
            exercise("untouched", State::Untouched, not_run("u")),
            exercise(
                "refused",
                State::Refused("src/lib.rs: the file is not UTF-8.".to_owned()),
                not_run("r"),
            ),
            exercise(
                "broken",
                State::DoesNotCompile(format!("error: {AWKWARD}")),
                not_run("b"),
            ),
        ],
        ignored: vec![Ignored {
            path: "`build.rs`".to_owned(),
            why: "no exercise asks for it".to_owned(),
        }],
    };
    let bo = Graded {
        name: "bo".to_owned(),
        refused: Some("the grader itself failed".to_owned()),
        failure: Some(SECRET.to_owned()),
        exercises: vec![],
        ignored: vec![],
    };
    Report {
        version: VERSION,
        protections: vec![Protection {
            name: "no network".to_owned(),
            on: true,
        }],
        notes: vec![],
        passed_over: ["list.docx".to_owned()].into(),
        submissions: vec![ada, bo],
    }
}
