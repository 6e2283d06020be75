//! Runs the programs on the heap of floor 2 and says which of your predictions hold. The arguments
//! are the numbers of programs, in the order of the table.

mod programs;

use std::process::ExitCode;

use equal_deadlines::{
    A_LATE_GUEST, AND_A_LATER_ONE, AND_AN_EARLIER_ONE, FIVE, SIX, TWO_DEADLINES,
};
use programs::{Op, run};

fn main() -> ExitCode {
    let table: [(&str, &[Op], &str); 6] = [
        ("five", programs::FIVE, FIVE),
        ("six", programs::SIX, SIX),
        (
            "and a later one",
            programs::AND_A_LATER_ONE,
            AND_A_LATER_ONE,
        ),
        (
            "and an earlier one",
            programs::AND_AN_EARLIER_ONE,
            AND_AN_EARLIER_ONE,
        ),
        ("two deadlines", programs::TWO_DEADLINES, TWO_DEADLINES),
        ("a late guest", programs::A_LATE_GUEST, A_LATE_GUEST),
    ];
    for argument in std::env::args().skip(1) {
        let number = argument.parse::<usize>().ok();
        let Some((name, ops, prediction)) = number
            .and_then(|number| number.checked_sub(1))
            .and_then(|place| table.get(place))
        else {
            eprintln!("{argument} is no program: give numbers from 1 to 6");
            return ExitCode::FAILURE;
        };
        let real = run(ops);
        let right = prediction.split_whitespace().eq(real.split_whitespace());
        let verdict = if right { "right" } else { "wrong" };
        println!("{name}: you say {prediction}: {verdict}");
    }
    ExitCode::SUCCESS
}
