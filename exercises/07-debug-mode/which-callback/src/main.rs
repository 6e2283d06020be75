//! Says of each reading whether it is right; `log` prints the log that the service writes now.

use std::process::ExitCode;

use which_callback::{
    HANDED_OVER_AT, LAST_STEPS, LONGEST_MILLIS, OBJECTS, Object, TABLE_4_MILLIS, WHO_HELD_IT,
};

#[path = "../tests/log/mod.rs"]
mod log;

use log::{reading, service};

fn say(what: &str, read: impl std::fmt::Debug, right: bool) {
    println!(
        "{what}: {read:?}, {}",
        if right { "right" } else { "wrong" }
    );
}

fn main() -> ExitCode {
    let log = match service::day() {
        Ok(log) => log,
        Err(exception) => {
            eprintln!("the service ended: {exception}");
            return ExitCode::FAILURE;
        }
    };
    match std::env::args().nth(1).as_deref() {
        Some("log") => log.iter().for_each(|line| println!("{line}")),
        None => {
            let objects: Vec<Object> = log.iter().map(|line| reading::object(line)).collect();
            say("objects", OBJECTS, OBJECTS == objects);
            let longest = reading::longest(&log);
            say(
                "longest",
                LONGEST_MILLIS,
                LONGEST_MILLIS == reading::millis(longest),
            );
            say(
                "who held it",
                WHO_HELD_IT,
                WHO_HELD_IT == reading::who(longest),
            );
            say(
                "handed over at",
                HANDED_OVER_AT,
                HANDED_OVER_AT == reading::made_at(longest),
            );
            say(
                "table 4",
                TABLE_4_MILLIS,
                TABLE_4_MILLIS == reading::total(&log, "table 4"),
            );
            say(
                "last steps",
                LAST_STEPS,
                LAST_STEPS == reading::last_steps(&log),
            );
        }
        Some(other) => {
            eprintln!("{other}? give `log` for the service's log, or nothing for your readings");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
