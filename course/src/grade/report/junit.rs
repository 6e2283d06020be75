//! `junit.xml`, in the dialect that nextest writes and continuous integration reads.

use anyhow::{Context as _, Result};
use quick_junit::{
    NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite, XmlString,
};

use super::feedback::told;
use crate::grade::outcome::{Check, End, ExerciseGrade, Report};

pub(super) fn junit(report: &Report) -> Result<String> {
    let mut junit = Junit::new("grades");
    for graded in &report.submissions {
        for exercise in &graded.exercises {
            let mut suite = TestSuite::new(format!("{}/{}", graded.name, exercise.id));
            for check in &exercise.checks {
                suite.add_test_case(case(exercise, check));
            }
            junit.add_test_suite(suite);
        }
        if let Some(why) = &graded.refused {
            let mut suite = TestSuite::new(graded.name.clone());
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str());
            suite.add_test_case(TestCase::new("graded", status));
            junit.add_test_suite(suite);
        }
    }
    junit.to_string().context("junit.xml")
}

fn case(exercise: &ExerciseGrade, check: &Check) -> TestCase {
    let status = match check.end {
        End::Passed => TestCaseStatus::success(),
        End::NotRun => TestCaseStatus::skipped(),
        end => {
            let kind = if end == End::Failed {
                NonSuccessKind::Failure
            } else {
                NonSuccessKind::Error
            };
            let mut status = TestCaseStatus::non_success(kind);
            status
                .set_message(end.words())
                .set_description(XmlString::new(told(exercise, check)));
            status
        }
    };
    let mut case = TestCase::new(check.name.as_str(), status);
    case.set_classname(exercise.id.as_str());
    case
}
