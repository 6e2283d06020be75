//! Runs one of the programs on the toy loop and says how your prediction fared.

mod programs;

use std::process::ExitCode;

use programs::{Tasks, run};
use who_is_served::{BUSY, CLASSIC_ENDS, CLASSIC_ROUNDS, MARKET, TIES_ENDS, TIES_ROUNDS};

fn say(what: &str, prediction: &str, real: &str) {
    let right = prediction.split_whitespace().eq(real.split_whitespace());
    let verdict = if right { "right" } else { "wrong" };
    println!("{what}: you say {prediction}: {verdict}");
}

fn count_and_ends(tasks: Tasks, rounds: u64, ends: &str) {
    let real = run(tasks);
    say(
        "rounds",
        &rounds.to_string(),
        &real.rounds.len().to_string(),
    );
    say("they end in the order", ends, &real.ends.join(" "));
}

fn rounds(tasks: Tasks, prediction: &str) {
    say("round by round", prediction, &run(tasks).rounds.join(" "));
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("classic") => count_and_ends(programs::CLASSIC, CLASSIC_ROUNDS, CLASSIC_ENDS),
        Some("ties") => count_and_ends(programs::TIES, TIES_ROUNDS, TIES_ENDS),
        Some("busy") => rounds(programs::BUSY, BUSY),
        Some("market") => rounds(programs::MARKET, MARKET),
        _ => {
            eprintln!("name a program: classic, ties, busy or market");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
