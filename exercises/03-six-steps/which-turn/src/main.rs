//! Runs the programs you name on the loop of floor 3 and says which of your predictions hold.

mod programs;

use std::process::ExitCode;

use programs::{Program, run};
use which_turn::{AGAIN, CANCEL, DAYS, LATE, SOON, STOP, ZERO};

fn main() -> ExitCode {
    let table: [(&str, Program, &str); 7] = [
        ("soon", programs::soon, SOON),
        ("zero", programs::zero, ZERO),
        ("again", programs::again, AGAIN),
        ("cancel", programs::cancel, CANCEL),
        ("late", programs::late, LATE),
        ("stop", programs::stop_twice, STOP),
        ("days", programs::days, DAYS),
    ];
    for argument in std::env::args().skip(1) {
        let Some((name, program, prediction)) = table.iter().find(|(name, ..)| *name == argument)
        else {
            eprintln!(
                "{argument} is no program: name some of soon zero again cancel late stop days"
            );
            return ExitCode::FAILURE;
        };
        let real = match run(*program) {
            Ok(real) => real,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let right = prediction.split_whitespace().eq(real.split_whitespace());
        let verdict = if right { "right" } else { "wrong" };
        println!("{name}: you say {prediction}: {verdict}");
    }
    ExitCode::SUCCESS
}
