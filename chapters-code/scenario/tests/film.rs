//! Run files: what the film says of a program is what the trace of the program says.

#[path = "film/agree.rs"]
mod agree;

use std::fs;
use std::path::Path;

use scenario::{Program, cases, film, run};

/// Every program of a level of the corpus.
fn level(level: u8) -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/open");
    let text = fs::read_to_string(folder.join(format!("level{level}.jsonl"))).unwrap();
    let cases = cases(&text).unwrap();
    let programs = cases.iter().map(|case| Program::from_json(&case.program));
    programs.collect::<Result<_, _>>().unwrap()
}

#[test]
fn films_agree_with_the_traces_of_the_corpus() {
    let mut programs = 0;
    for program in (1..=scenario::LEVEL).flat_map(level) {
        let run_file = film(&program).unwrap();
        agree::with_trace(&run_file, &run(&program).unwrap());
        agree::with_itself(&run_file);
        programs += 1;
    }
    assert_eq!(programs, 137 + 138 + 145);
}
