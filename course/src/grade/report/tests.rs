//! Each form against the rules that its readers publish, and what no learner may read.

mod pages;

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::grade::outcome::samples::{AWKWARD, SECRET, report};

fn value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn gradescope_has_the_keys_that_it_documents() {
    let known = BTreeSet::from(["score", "output", "tests"]);
    let test_keys = BTreeSet::from([
        "name",
        "score",
        "max_score",
        "status",
        "output",
        "visibility",
    ]);
    for graded in &report().submissions {
        let results = value(&gradescope::results(graded));
        assert!(keys(&results).is_subset(&known), "{results}");
        let mut sum = 0;
        for test in results["tests"].as_array().unwrap() {
            assert_eq!(keys(test), test_keys);
            assert!(["passed", "failed"].contains(&test["status"].as_str().unwrap()));
            assert_eq!(test["visibility"], "visible");
            assert!(test["output"].is_string() && test["name"].is_string());
            assert!(test["score"].as_u64() <= test["max_score"].as_u64());
            sum += test["score"].as_u64().unwrap();
        }
        assert_eq!(results["score"].as_u64(), Some(sum));
    }
}

#[test]
fn exercism_is_version_3_with_short_outputs() {
    let report = report();
    let results = value(&small::exercism(&report.submissions[0]));
    assert_eq!(results["version"], 3);
    assert_eq!(results["status"], "fail");
    let mut names = BTreeSet::new();
    let mut longest = 0;
    for test in results["tests"].as_array().unwrap() {
        assert!(names.insert(test["name"].as_str().unwrap()), "{test}");
        let status = test["status"].as_str().unwrap();
        assert!(["pass", "fail", "error"].contains(&status));
        assert_eq!(status != "pass", test["message"].is_string(), "{test}");
        assert!(test["task_id"].as_u64().unwrap() >= 1);
        let output = test["output"].as_str().unwrap_or_default().chars().count();
        longest = longest.max(output);
    }
    assert_eq!(longest, 500);
    // What was not graded is an error with a message of its own.
    let results = value(&small::exercism(&report.submissions[1]));
    assert_eq!(results["status"], "error");
    assert!(results["message"].is_string());
}

#[test]
fn classroom_50_counts_in_integers_that_add_up() {
    let results = value(&small::classroom50(&report().submissions[0]));
    assert_eq!(results["schema"], "classroom50/result/v1");
    assert_eq!(
        keys(&results),
        BTreeSet::from(["schema", "score", "max-score", "tests"])
    );
    let (mut score, mut most) = (0, 0);
    for test in results["tests"].as_array().unwrap() {
        assert_eq!(
            keys(test),
            BTreeSet::from(["test-name", "passed", "score", "max-score"])
        );
        score += test["score"].as_u64().unwrap();
        most += test["max-score"].as_u64().unwrap();
    }
    assert_eq!(results["score"].as_u64(), Some(score));
    assert_eq!(results["max-score"].as_u64(), Some(most));
}

#[test]
fn junit_can_be_read_back_with_every_check_counted() {
    let text = junit::junit(&report()).unwrap();
    let read = quick_junit::Report::deserialize_from_str(&text).unwrap();
    // Ten checks, and the submission that was not graded.
    assert_eq!(read.tests, 11);
    assert_eq!(read.failures, 2);
    assert_eq!(read.errors, 4);
    assert!(text.contains("1.0\" encoding=\"UTF-8\""));
}

#[test]
fn grades_can_be_read_back_and_are_no_formulas() {
    let text = csv::grades(&report()).unwrap();
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        header[..5],
        ["submission", "points", "of", "graded", "mixed"]
    );
    let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(&rows[0][0], "'=ada");
    assert_eq!((&rows[0][1], &rows[0][2], &rows[0][3]), ("2", "20", "yes"));
    assert_eq!(&rows[1][3], "no");
    assert!(rows.iter().all(|row| row.len() == header.len()));
    // The columns are the exercises', whoever comes first.
    let mut turned = report();
    turned.submissions.reverse();
    let text = csv::grades(&turned).unwrap();
    assert!(
        text.starts_with("submission,points,of,graded,mixed,missing,"),
        "{text}"
    );
}

#[test]
fn the_learners_pages_keep_what_is_hidden() {
    let report = report();
    let folder = tempfile::tempdir().unwrap();
    write(&report, folder.path()).unwrap();
    let own = folder.path().join("submissions/=ada");
    let mut pages = 0;
    for name in [
        "student.md",
        "student.html",
        "gradescope.json",
        "exercism.json",
        "classroom50.json",
    ] {
        let text = fs::read_to_string(own.join(name)).unwrap();
        assert!(!text.contains(SECRET), "{name}");
        assert!(
            text.contains("late"),
            "{name} does not name the hidden case"
        );
        pages += 1;
    }
    assert_eq!(pages, 5);
    // Nor does an error of the grader's own tell a learner where a case lies.
    let other = folder.path().join("submissions/bo");
    for name in [
        "student.md",
        "student.html",
        "gradescope.json",
        "exercism.json",
    ] {
        let text = fs::read_to_string(other.join(name)).unwrap();
        assert!(text.contains("the grader itself failed"), "{name}: {text}");
        assert!(!text.contains(SECRET), "{name}");
    }
    for page in ["submissions/bo/staff.md", "class.md"] {
        let text = fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(
            text.contains(&format!("failed: {SECRET}")),
            "{page}: {text}"
        );
    }
    // The staff does read it.
    assert!(
        fs::read_to_string(own.join("staff.md"))
            .unwrap()
            .contains(SECRET)
    );
    assert!(
        !fs::read_to_string(folder.path().join("junit.xml"))
            .unwrap()
            .contains(SECRET)
    );
}

#[test]
fn no_page_takes_text_for_its_own() {
    let report = report();
    let graded = &report.submissions[0];
    let page = student::page(graded);
    assert!(page.contains(AWKWARD));
    for markdown in [page, staff::page(&report, graded)] {
        let html = student::html("<b>", &markdown);
        assert!(!html.contains("<script"), "{html}");
        assert!(html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains("<title>&lt;b&gt;</title>"));
    }
}

#[test]
fn the_class_page_counts_what_fails() {
    let page = class::page(&report());
    for part in [
        "2 submissions, 1 graded.",
        "\n\n* bo was not graded: the grader itself failed",
        "* `list.docx` lies among the submissions and is none: it was passed over\n\n## Points\n",
        "| mixed case late (hidden) | 1 |",
        " 10 to  19 %     1  ####",
    ] {
        assert!(page.contains(part), "{part}\nis missing in\n{page}");
    }
    assert!(!page.contains("missing test m"));
    // One is one, and no line is blank that need not be.
    let mut one = report();
    one.submissions.truncate(1);
    one.passed_over.clear();
    let page = class::page(&one);
    assert!(page.contains("# The class\n\n1 submission, 1 graded.\n\n## Points\n"));
    assert!(!page.contains("\n\n\n") && !page.contains(" \n"), "{page}");
}

#[test]
fn a_report_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let written = report();
    write(&written, folder.path()).unwrap();
    let read = read(&folder.path().join("report.json")).unwrap();
    assert_eq!(value(&read), value(&written));
    let other = folder.path().join("other.json");
    fs::write(&other, "{}").unwrap();
    assert!(super::read(&other).is_err());
    fs::write(
        &other,
        json(&Report {
            version: 99,
            ..written
        })
        .unwrap(),
    )
    .unwrap();
    assert!(
        super::read(&other)
            .unwrap_err()
            .to_string()
            .contains("version 99")
    );
}

#[test]
fn a_grade_is_kept_for_its_key_alone() {
    let folder = tempfile::tempdir().unwrap();
    let graded = report().submissions.remove(0);
    keep(folder.path(), Some("key"), &graded).unwrap();
    assert_eq!(
        kept(folder.path(), &graded.name, "key").as_ref(),
        Some(&graded)
    );
    assert!(kept(folder.path(), &graded.name, "other").is_none());
    // What was not graded is tried again.
    let refused = report().submissions.remove(1);
    keep(folder.path(), Some("key"), &refused).unwrap();
    assert!(kept(folder.path(), &refused.name, "key").is_none());
}
