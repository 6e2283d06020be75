//! Bakes a loaf for each argument, a number of grams.

use std::process::ExitCode;

use run_in_a_loop::bake_all;
use run_in_a_loop::loops::Loops;
use run_in_a_loop::oven::Oven;

fn main() -> ExitCode {
    let grams: Result<Vec<u32>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let Ok(grams) = grams else {
        eprintln!("a loaf is a number of grams: give some, such as 500 750");
        return ExitCode::FAILURE;
    };
    let (loops, oven) = (Loops::default(), Oven::default());
    match bake_all(&loops, &oven, &grams) {
        Ok(loaves) => {
            for loaf in loaves {
                match loaf {
                    Ok(loaf) => println!("{loaf}"),
                    Err(exception) => println!("nothing: {exception}"),
                }
            }
            println!(
                "heated {} times, {} minutes, loops left open: {}",
                oven.heated(),
                oven.minutes(),
                loops.open()
            );
            ExitCode::SUCCESS
        }
        Err(exception) => {
            eprintln!("the batch ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
