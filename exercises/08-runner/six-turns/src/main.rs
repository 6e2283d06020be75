//! Prints each prediction and whether it is right; `runs` for one main each, `three` for three mains.

use std::process::ExitCode;

use six_turns::program::{
    gathers_fifty, leaves_one_asleep, sleeps_twice, three_on_one_runner, three_runs, turns_of,
    yields_and_stops, yields_twice,
};
use six_turns::{
    GATHERS_FIFTY, LEAVES_ONE_ASLEEP, SLEEPS_TWICE, THREE_ON_ONE_RUNNER, THREE_RUNS,
    YIELDS_AND_STOPS, YIELDS_TWICE,
};
use wakeup::Outcome;

fn say(name: &str, predicted: u64, real: u64) {
    let right = if predicted == real { "right" } else { "wrong" };
    println!("{name}: {predicted} turns, {right}");
}

fn runs() -> Outcome<()> {
    say("yields twice", YIELDS_TWICE, turns_of(yields_twice())?);
    say("sleeps twice", SLEEPS_TWICE, turns_of(sleeps_twice())?);
    say("gathers fifty", GATHERS_FIFTY, turns_of(gathers_fifty())?);
    say(
        "leaves one asleep",
        LEAVES_ONE_ASLEEP,
        turns_of(leaves_one_asleep())?,
    );
    say(
        "yields and stops",
        YIELDS_AND_STOPS,
        turns_of(yields_and_stops())?,
    );
    Ok(())
}

fn three() -> Outcome<()> {
    say(
        "three on one runner",
        THREE_ON_ONE_RUNNER,
        three_on_one_runner()?,
    );
    say("three runs", THREE_RUNS, three_runs()?);
    Ok(())
}

fn main() -> ExitCode {
    let ran = match std::env::args().nth(1).as_deref() {
        None => runs().and_then(|()| three()),
        Some("runs") => runs(),
        Some("three") => three(),
        Some(other) => {
            eprintln!("{other}? give `runs`, `three`, or nothing for both");
            return ExitCode::FAILURE;
        }
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("a program ended with: {exception}");
            ExitCode::FAILURE
        }
    }
}
