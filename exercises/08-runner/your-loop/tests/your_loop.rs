//! quick
use scenario::{Program, Strictness, candidate::attempt, cases, compare};
use your_loop::Loop;
fn level(text: &str) {
    let all = cases(text).unwrap();
    let mut good = 0;
    let n = all.len();
    for case in all {
        let program = Program::from_json(&case.program).unwrap();
        let a = attempt::<Loop>(&program);
        match compare(&case.trace.unwrap(), &a.trace, Strictness::Strict) {
            None => good += 1,
            Some(d) => println!("{} {:?}\n{d}", program.name, a.end),
        }
    }
    println!("{good} of {n}");
    assert_eq!(good, n);
}
#[test]
fn one() {
    level(include_str!("../../../../chapters-code/scenario/corpus/open/level1.jsonl"));
}
#[test]
fn two() {
    level(include_str!("../../../../chapters-code/scenario/corpus/open/level2.jsonl"));
}
