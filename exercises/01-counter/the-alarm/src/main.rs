//! Serves slips round by round. `A` lies on the stack, `A@3` has an alarm at 3 seconds, and `A@3+2`
//! takes 2 seconds to be served. Twenty rounds at most.

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Duration;

use the_alarm::Counter;

/// The name, the alarm and the time it takes.
fn slip(text: &str) -> Option<(String, Option<Duration>, Duration)> {
    let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
    let (text, takes) = match text.split_once('+') {
        Some((text, takes)) => (text, seconds(takes)?),
        None => (text, Duration::ZERO),
    };
    let (name, at) = match text.split_once('@') {
        Some((name, at)) => (name, Some(seconds(at)?)),
        None => (text, None),
    };
    Some((name.to_owned(), at, takes))
}

fn main() -> ExitCode {
    let mut counter = Counter::new();
    let mut takes = HashMap::new();
    for argument in std::env::args().skip(1) {
        let Some((name, at, time)) = slip(&argument) else {
            eprintln!("{argument} is no slip: write A, A@3 or A@3+2, with seconds");
            return ExitCode::FAILURE;
        };
        match at {
            Some(at) => counter.set_alarm(at, name.as_str()),
            None => counter.put(name.as_str()),
        }
        takes.insert(name, time);
    }
    for round in 1..=20 {
        if !counter.wait() {
            println!("nothing left to wait for");
            return ExitCode::SUCCESS;
        }
        counter.ring();
        let began = counter.now().as_secs();
        let mut served = Vec::new();
        while let Some(slip) = counter.take() {
            counter.work(takes[&slip]);
            served.push(slip);
        }
        let left = counter.alarms();
        println!(
            "round {round} at {began} s: {}, alarms left {left}",
            served.join(" ")
        );
    }
    println!("stopped after 20 rounds");
    ExitCode::FAILURE
}
