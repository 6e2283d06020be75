//! How far a run is, and how long it takes still: a line that changes on a terminal, a line a round
//! elsewhere. Both go to standard error, where they are in nobody's way.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) struct Progress {
    bar: ProgressBar,
    terminal: bool,
    /// The last chapter and round that a line was written for.
    told: Option<(String, u32)>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self {
            bar,
            terminal: std::io::stderr().is_terminal(),
            told: None,
        }
    }

    /// A sample is about to be taken.
    pub(crate) fn sample(
        &mut self,
        chapter: &str,
        (round, rounds): (u32, u32),
        (row, side): (&str, &str),
        left: f64,
    ) {
        let left = about(left);
        let head = format!("{chapter}, round {} of {rounds}", round + 1);
        if self.terminal {
            self.bar
                .set_message(format!("{head}: {row}, {side}; about {left} left"));
        } else if self.told.as_ref() != Some(&(chapter.to_owned(), round)) {
            self.told = Some((chapter.to_owned(), round));
            anstream::eprintln!("{head}; about {left} left");
        }
    }

    /// Writes what belongs above the line that changes.
    pub(crate) fn print(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A time as one says it.
fn about(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::about;

    #[test]
    fn a_time_is_said_in_seconds_or_minutes() {
        assert_eq!(
            [about(0.2), about(89.0), about(600.0)],
            ["0 s", "89 s", "10 min"]
        );
    }
}
