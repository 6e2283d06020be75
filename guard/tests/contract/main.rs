//! The guard against programs that misbehave.
//!
//! This test program plays three parts: with `under-guard` it is the guard, with `misbehave` it is
//! the program under it, and else it runs the tests. No test measures time: a job has ended when
//! its verdict is there. What this machine can't protect is listed as ignored.

mod ends;
mod misbehave;
mod shut_in;
mod surroundings;
mod trials;

use std::process::ExitCode;

use guard::{Guard, Protection};
use libtest_mimic::{Arguments, Failed, Trial};

/// The argument that makes this program the guard.
const GUARD: &str = "under-guard";
/// The argument that makes it the program under the guard.
const MISBEHAVE: &str = "misbehave";

/// A test, and the protection without which it can't be run.
type Case = (&'static str, fn(&Guard), Option<Protection>);

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next() {
        Some(role) if role == GUARD => return guard::main(args),
        Some(role) if role == MISBEHAVE => return misbehave::main(args),
        _ => {}
    }
    let sandboxed = Guard::embedded(GUARD).expect("this program is a guard");
    let bare = sandboxed
        .clone()
        .without_sandbox()
        .expect("so it is without its sandbox");
    let mut trials = Vec::new();
    for guard in [&sandboxed, &bare] {
        let place = if guard.is_sandboxed() {
            "sandbox"
        } else {
            "bare"
        };
        for (name, case, needs) in trials::all() {
            let missing = needs.filter(|needs| !guard.protections().holds(*needs));
            // A bare guard never has those: nothing to tell.
            if missing.is_some() && sandboxed.is_sandboxed() {
                continue;
            }
            if let Some(missing) = missing {
                eprintln!("{place}::{name}: ignored, this machine doesn't give \"{missing}\"");
            }
            let guard = guard.clone();
            let run = move || {
                case(&guard);
                Ok::<(), Failed>(())
            };
            let trial = Trial::test(format!("{place}::{name}"), run);
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
        if !sandboxed.is_sandboxed() {
            eprintln!("no sandbox here: {:?}", sandboxed.protections().notes);
            break;
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
