//! Worker threads report to the loop, and the loop says when: `sun` is reported before the loop
//! runs, `sea@30` by a thread that ends at 30 ms. The gallery closes at 10 s.

use std::process::ExitCode;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use six_steps::{EventLoop, LoopError, TurnCounter, VirtualSelector, running_loop};
use the_hatch::{Reporter, Reports};

/// A thread that reports this picture and ends.
fn work(reporter: &Reporter, picture: &str) -> Result<(), LoopError> {
    let (reporter, picture) = (reporter.clone(), picture.to_owned());
    let worker = thread::spawn(move || {
        reporter.report(move || match running_loop() {
            Ok(here) => println!("t = {} ms: {picture}", here.time().as_millis()),
            Err(error) => println!("{picture} on a foreign thread: {error}"),
        })
    });
    // The virtual clock stands still meanwhile.
    match worker.join() {
        Ok(reported) => Ok(reported?),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn serve(pictures: &[(String, Option<Duration>)]) -> Result<(), LoopError> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let reports = Reports::new(&event_loop)?;
    for (picture, when) in pictures {
        let reporter = reports.reporter();
        match when {
            None => work(&reporter, picture)?,
            Some(when) => {
                let picture = picture.clone();
                event_loop.call_at(*when, move || work(&reporter, &picture))?;
            }
        }
    }
    let stop = event_loop.clone();
    event_loop.call_at(Duration::from_secs(10), move || stop.stop())?;
    event_loop.run_forever()?;
    println!("closed in turn {}", turns.count());
    event_loop.close()
}

fn main() -> ExitCode {
    let mut pictures = Vec::new();
    for argument in std::env::args().skip(1) {
        let picture = match argument.split_once('@') {
            None => (argument, None),
            Some((picture, when)) => match when.parse() {
                Ok(ms) if ms < 10_000 => (picture.to_owned(), Some(Duration::from_millis(ms))),
                _ => {
                    eprintln!("{argument} means nothing: write sun or sea@30, before 10000 ms");
                    return ExitCode::FAILURE;
                }
            },
        };
        pictures.push(picture);
    }
    if let Err(error) = serve(&pictures) {
        eprintln!("the gallery failed: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
