//! The open corpus: the loop leaves the very traces that CPython recorded.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use scenario::{Program, Strictness, cases, compare, run};

/// Every program of a level, strictly.
fn level(level: u8, programs: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/open");
    let text = fs::read_to_string(folder.join(format!("level{level}.jsonl"))).unwrap();
    let cases = cases(&text).unwrap();
    assert_eq!(
        cases.len(),
        programs,
        "programs in the corpus of level {level}"
    );
    let mut failures = String::new();
    for case in cases {
        let program = Program::from_json(&case.program).unwrap();
        let trace = run(&program).unwrap();
        let expected = case.trace.expect("a corpus line has a trace");
        if let Some(difference) = compare(&expected, &trace, Strictness::Strict) {
            writeln!(failures, "{}: {difference}", program.name).unwrap();
        }
    }
    assert!(
        failures.is_empty(),
        "level {level} differs from CPython:\n{failures}"
    );
}

#[test]
fn level_1_is_strictly_equal() {
    level(1, 137);
}

#[test]
fn level_2_is_strictly_equal() {
    level(2, 138);
}

#[test]
fn level_3_is_strictly_equal() {
    level(3, 145);
}
