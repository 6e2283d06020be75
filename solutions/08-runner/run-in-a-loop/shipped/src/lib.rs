//! # `run` in a loop
//!
//! A bakery's batch job is a plain program with one function that is `async`. So a colleague has it
//! run for each loaf. The loaves are all right. But the baker says that the oven is cold every time,
//! and the gas bill agrees.
//!
//! Mend [`bake_all`] so that the whole batch makes one loop. The loaves stay the same, one after
//! another and in the order in which they were asked for; one that fails is an error in its place, and
//! the others are baked. When the function returns, the loop is closed and the oven is off, whatever
//! has happened. `Loops::runner` gives you a `runner::Runner`; the oven stays as it is.
//!
//! The book has the case in chapter 8, "`run` for each request".

pub mod loops;
pub mod oven;

use loops::Loops;
use oven::Oven;
use wakeup::Outcome;

/// Bakes a loaf for each number of grams. The results stand in the order of the numbers.
///
/// # Errors
/// What goes wrong with the loop itself; a loaf that fails is not such an error.
pub fn bake_all(loops: &Loops, oven: &Oven, grams: &[u32]) -> Outcome<Vec<Outcome<String>>> {
    let mut loaves = Vec::new();
    for &grams in grams {
        let oven = oven.clone();
        let mut runner = loops.runner();
        loaves.push(runner.run(async move { oven.bake(grams).await }));
        runner.close()?;
    }
    Ok(loaves)
}
