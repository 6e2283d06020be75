//! Prints each prediction and whether it is right. An argument picks one of them.

use blocking::Ending::{Cancel, Flag};
use blocking::Manner::{Cooperative, Rude, Yielding};
use std::process::ExitCode;
use the_pulse::program::{Worker, ticks};
use the_pulse::{BLOCKS_ONCE, COOPERATIVE, LONG_CHUNKS, RUDE, SHORT_CHUNKS};

fn main() -> ExitCode {
    let runs = [
        (
            "long-chunks",
            20,
            Worker::Chunks(Yielding, 9, 50),
            Flag,
            LONG_CHUNKS,
        ),
        (
            "short-chunks",
            40,
            Worker::Chunks(Yielding, 8, 30),
            Cancel,
            SHORT_CHUNKS,
        ),
        ("rude", 20, Worker::Chunks(Rude, 3, 70), Flag, RUDE),
        (
            "cooperative",
            20,
            Worker::Chunks(Cooperative, 4, 30),
            Cancel,
            COOPERATIVE,
        ),
        ("blocks-once", 20, Worker::BlocksOnce, Flag, BLOCKS_ONCE),
    ];
    let wanted = std::env::args().nth(1);
    let mut shown = 0;
    for (name, every, worker, ending, predicted) in runs {
        if wanted.as_deref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        shown += 1;
        match ticks(every, worker, ending) {
            Ok(real) if real == predicted => println!("{name}: {predicted:?}, right"),
            Ok(_) => println!("{name}: {predicted:?}, wrong"),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    if shown == 0 {
        eprintln!(
            "no such run: give one of long-chunks, short-chunks, rude, cooperative, blocks-once, or nothing for all"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
