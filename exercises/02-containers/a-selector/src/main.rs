//! Sleeps on your selector and prints what ended each sleep. `door=0@40` lets descriptor 0 become
//! readable at 40 ms and registers it, `leave=0` unregisters it, `sleep=100` sleeps for 100 ms at
//! most, `sleep` without end, `work=30` moves the clock, `ring` rings the bell.

use std::process::ExitCode;
use std::time::Duration;

use a_selector::Pretend;
use containers::{Fd, Interest, Selector, Source, VirtualSelector};

const READ: Interest = Interest {
    readable: true,
    writable: false,
};

fn ms(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_millis)
}

/// Sleeps and says how it went.
fn sleep(selector: &Pretend, timeout: Option<Duration>) -> String {
    let mut events = Vec::new();
    if let Err(error) = selector.select(timeout, &mut events) {
        return format!("{:?}", error.kind());
    }
    let ready: Vec<String> = events.iter().map(|event| event.fd.to_string()).collect();
    format!("readable [{}]", ready.join(" "))
}

fn play(selector: &Pretend, doors: &[Source], op: &str) -> Option<String> {
    let quiet = |result: std::io::Result<()>| match result {
        Ok(()) => String::new(),
        Err(error) => format!("{:?}", error.kind()),
    };
    Some(match op.split_once('=') {
        None if op == "sleep" => sleep(selector, None),
        None if op == "ring" => {
            selector.interrupter().interrupt();
            String::new()
        }
        Some(("sleep", timeout)) => sleep(selector, Some(ms(timeout)?)),
        Some(("work", time)) => {
            selector.advance(ms(time)?);
            String::new()
        }
        Some(("door", door)) => {
            let (fd, when) = door.split_once('@')?;
            let source = doors.get(fd.parse::<usize>().ok()?)?;
            selector.readable_at(source.fd(), ms(when)?);
            quiet(selector.register(source.clone(), READ))
        }
        Some(("leave", fd)) => quiet(selector.unregister(fd.parse::<Fd>().ok()?)),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let selector = Pretend::new();
    // Descriptors that nobody owns come from the virtual selector: 0, 1, 2 …
    let numbers = VirtualSelector::new();
    let doors = [(); 10].map(|()| numbers.readable_at(Duration::ZERO));
    for op in std::env::args().skip(1) {
        let Some(said) = play(&selector, &doors, &op) else {
            eprintln!(
                "{op} cannot be done: write door=0@40, leave=0, sleep=100, sleep, work=30 or ring"
            );
            return ExitCode::FAILURE;
        };
        let now = selector.time().as_millis();
        println!("{}", format!("{op:10} t = {now:>3} ms  {said}").trim_end());
    }
    ExitCode::SUCCESS
}
