//! Compares predictions with runs: `how-many-steps [NAME…]`, or all of them without a name.

use std::process::ExitCode;

use how_many_steps::programs::{PROGRAMS, polls};
use how_many_steps::{CHILD, DEEP, EARLY, FROM_BELOW, IN_A_ROW, KEPT, SECOND};

const PREDICTED: [usize; 7] = [DEEP, FROM_BELOW, IN_A_ROW, SECOND, EARLY, CHILD, KEPT];

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for name in &names {
        if polls(name).is_none() {
            eprintln!("there is no program `{name}`");
            return ExitCode::from(2);
        }
    }
    for ((name, _), predicted) in PROGRAMS.iter().zip(PREDICTED) {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let polls = polls(name).map_or(0, |polls| polls.len());
        let verdict = if polls == predicted { "right" } else { "wrong" };
        println!("{name:<12} {predicted:>2}  {verdict}");
    }
    ExitCode::SUCCESS
}
