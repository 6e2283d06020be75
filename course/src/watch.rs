//! `cargo course watch`: runs an exercise's tests at every save, and takes keys meanwhile.
//!
//! One loop, one channel: saves, keys, signals and finished runs are events. A new save stops the
//! run under way and begins another. `watch/watching.rs` says what each event does.

pub(crate) mod keys;
pub(crate) mod saves;
mod screen;
mod watching;

use std::io::stdin;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, value_parser};
use rustix::termios::isatty;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::iterator::Signals;

use crate::files;
use crate::manifest::Course;
use crate::outcome::Report;
use crate::progress::Progress;
use crate::testing::LIMIT;
use keys::Keys;
use watching::{Then, Watching};

/// A save is often several events; the run begins when they have come.
const SETTLE: Duration = Duration::from_millis(30);

/// Run an exercise's tests at every save; keys: n h d r l q
#[derive(Args)]
pub(crate) struct Watch {
    /// The exercise to begin with [default: that of this folder, or the current one]
    name: Option<String>,
    /// Look at the files again and again, where no events come (network and shared folders)
    #[arg(long)]
    poll: bool,
    /// Stop tests that run longer; the build does not count
    #[arg(long, value_name = "SECONDS", default_value_t = LIMIT, value_parser = value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Print each event as a line of JSON
    #[arg(long)]
    json: bool,
}

/// What the watch waits for.
enum Event {
    /// A key, as a byte.
    Key(u8),
    /// A file may have changed.
    Saved(PathBuf),
    /// The run of this number is built and tests now.
    Built(u64),
    /// The run of this number is over.
    Done(u64, Result<Box<Report>>),
    /// The run of this number broke off: a panic, and what it said.
    Panicked(u64, String),
    /// The terminal has another size.
    Resized,
    /// The process was stopped and goes on.
    Resumed,
    /// A signal asks to end.
    Ended,
}

impl Watch {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut course = Course::here()?;
        // Events name real paths.
        course.root = course
            .root
            .canonicalize()
            .context("the course's folder has no real path")?;
        files::is_writable(&course.root)?;
        let progress = Progress::read(&course.root)?;
        let Some(exercise) = progress.named_or_current(&course, self.name.as_deref())? else {
            anyhow::bail!("every exercise is passed: name the one to watch");
        };
        let (sender, events) = channel();
        signals(sender.clone())?;
        let (watcher, polls) = self.saves(&course, &sender)?;
        let typed = sender.clone();
        let keys = Keys::read(move |key| {
            let _ = typed.send(Event::Key(key));
        });
        let screen = screen::Screen::new(self.json, isatty(stdin()));
        let limit = Duration::from_secs(self.limit);
        let mut watching = Watching::new(&course, exercise, progress, screen, limit, sender);
        watching.begin(polls)?;
        let code = loop {
            let event = if watching.has_saves() {
                events.recv_timeout(SETTLE)
            } else {
                events.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match event {
                Ok(Event::Key(key)) => match watching.key(key)? {
                    Then::GoOn => keys.go_on(),
                    // No further key is read: what comes next is for whoever has the terminal then.
                    Then::Quit => break ExitCode::SUCCESS,
                },
                Ok(Event::Saved(path)) => watching.saved(&path),
                Ok(Event::Built(number)) => watching.built(number)?,
                Ok(Event::Done(number, report)) => watching.done(number, report)?,
                Ok(Event::Panicked(number, why)) => watching.panicked(number, &why)?,
                Ok(Event::Resized) => watching.show_again()?,
                Ok(Event::Resumed) => {
                    keys.resumed();
                    watching.show_again()?;
                }
                Ok(Event::Ended) => break ExitCode::from(130),
                Err(RecvTimeoutError::Timeout) => watching.run()?,
                Err(RecvTimeoutError::Disconnected) => break ExitCode::SUCCESS,
            }
        };
        drop(watcher);
        Ok(code)
    }

    /// The watch over the exercises, and whether it polls.
    fn saves(&self, course: &Course, sender: &Sender<Event>) -> Result<(saves::Saves, bool)> {
        let folder = course.root.join("exercises");
        let start = |poll| {
            let sender = sender.clone();
            saves::watch(&folder, poll, move |path| {
                let _ = sender.send(Event::Saved(path));
            })
        };
        if self.poll {
            return Ok((start(true)?, true));
        }
        // Too many watches, or a system without them: looking always works.
        start(false)
            .map(|saves| (saves, false))
            .or_else(|_| Ok((start(true)?, true)))
    }
}

fn signals(sender: Sender<Event>) -> Result<()> {
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT];
    let mut signals = Signals::new(wanted).context("signals cannot be watched")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGWINCH => Event::Resized,
                SIGCONT => Event::Resumed,
                _ => Event::Ended,
            };
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    Ok(())
}
