//! Prints each prediction and whether it is right: a table for the two knobs, then the switches.

use std::process::ExitCode;
use std::time::Duration;

use two_knobs::program::{
    four_blocks, in_two_steps, switched_by_the_second, threshold_by_the_second,
};
use two_knobs::{IN_TWO_STEPS, MODE_OFF, MODE_ON, SWITCHED_OFF, SWITCHED_ON, THRESHOLD_RAISED};
use wakeup::Outcome;

fn verdict(predicted: u32, real: u32) -> String {
    let right = if predicted == real { "right" } else { "wrong" };
    format!("{predicted} {right}")
}

fn table() -> Outcome<()> {
    let names = ["none", "20 ms", "100 ms + 1 ns", "500 ms"];
    let thresholds = [None, Some(20_000_000), Some(100_000_001), Some(500_000_000)];
    for (mode, row) in [(false, MODE_OFF), (true, MODE_ON)] {
        for ((name, nanos), predicted) in names.iter().zip(thresholds).zip(row) {
            let real = four_blocks(mode, nanos.map(Duration::from_nanos))?;
            let mode = if mode { "on" } else { "off" };
            println!(
                "debug {mode}, threshold {name}: {}",
                verdict(predicted, real)
            );
        }
    }
    Ok(())
}

fn switches() -> Outcome<()> {
    println!("in two steps: {}", verdict(IN_TWO_STEPS, in_two_steps()?));
    println!(
        "switched on: {}",
        verdict(SWITCHED_ON, switched_by_the_second(true)?)
    );
    println!(
        "switched off: {}",
        verdict(SWITCHED_OFF, switched_by_the_second(false)?)
    );
    println!(
        "threshold raised: {}",
        verdict(THRESHOLD_RAISED, threshold_by_the_second()?)
    );
    Ok(())
}

fn main() -> ExitCode {
    let ran = match std::env::args().nth(1).as_deref() {
        None => table().and_then(|()| switches()),
        Some("table") => table(),
        Some("switches") => switches(),
        Some(other) => {
            eprintln!("{other}? give `table`, `switches`, or nothing for both");
            return ExitCode::FAILURE;
        }
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the loop ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
