//! Compares predictions with runs: `how-many-turns [NAME…]`, or all of them without a name.

use std::process::ExitCode;

use how_many_turns::programs::{PROGRAMS, program, turns};
use how_many_turns::{CHAIN, GATHER, LEFT_ALONE, MADE_BEFORE, NESTED, ONE_BY_ONE, SLEEPS, YIELDS};
use six_steps::Exception;

const PREDICTED: [u64; 8] = [
    NESTED,
    YIELDS,
    SLEEPS,
    ONE_BY_ONE,
    MADE_BEFORE,
    CHAIN,
    GATHER,
    LEFT_ALONE,
];

fn show(name: &str) -> Result<(), Exception> {
    let turns = turns(program(name)?)?.len();
    let predicted = PROGRAMS
        .iter()
        .zip(PREDICTED)
        .find_map(|((known, _), predicted)| (*known == name).then_some(predicted))
        .unwrap_or(0);
    let verdict = if u64::try_from(turns)? == predicted {
        "right"
    } else {
        "wrong"
    };
    println!("{name:<12} {predicted:>3}  {verdict}");
    Ok(())
}

fn main() -> ExitCode {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names.extend(PROGRAMS.iter().map(|(name, _)| (*name).to_owned()));
    }
    for name in names {
        if let Err(error) = show(&name) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
