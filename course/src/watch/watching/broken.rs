//! A run that breaks off in a panic: it is told on the page, and the watch goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::Result;
use serde_json::json;

use super::Watching;
use crate::outcome::Report;
use crate::watch::Event;

impl Watching<'_> {
    /// A run broke off. The watch goes on: the next save may be told better.
    pub(crate) fn panicked(&mut self, number: u64, why: &str) -> Result<()> {
        if !self.is_current(number) {
            return Ok(());
        }
        self.running = None;
        let event = json!({
            "event": "panicked", "exercise": self.exercise.id, "run": number, "message": why,
        });
        self.screen.event(&event)?;
        self.page = format!(
            "The run broke off, by a mistake of `cargo course` and not of yours: {why}\n\n\
             Key r runs the tests again; `cargo test -p {}` shows what they say themselves.\n",
            self.exercise.id
        );
        self.show()
    }
}

/// Goes through with a run; what it ended with, as an event.
pub(super) fn ended(number: u64, run: impl FnOnce() -> Result<Report>) -> Event {
    // Nothing of a run that broke off is looked at again.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(report) => Event::Done(number, report.map(Box::new)),
        Err(payload) => Event::Panicked(number, said(&*payload)),
    }
}

/// What a panic says.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::super::{Running, Screen};
    use super::*;
    use crate::manifest::Course;
    use crate::progress::Progress;
    use crate::testing::Run;

    #[test]
    fn a_run_that_panics_is_told_on_the_page() {
        let course = Course::at(Path::new("tests/tiny")).unwrap();
        let progress = Progress::read(&course.root).unwrap();
        let (sender, _events) = channel();
        let screen = Screen::new(true, false);
        let exercise = &course.exercises[0];
        let limit = Duration::from_secs(1);
        let mut watching = Watching::new(&course, exercise, progress, screen, limit, sender);
        let (_, stop) = Run::new();
        watching.running = Some(Running {
            number: 1,
            since: Instant::now(),
            stop,
            thread: thread::spawn(|| {}),
        });
        "building ...\n".clone_into(&mut watching.page);
        let Event::Panicked(number, why) = ended(1, || panic!("no {}", "luck")) else {
            panic!("a panic is no report");
        };
        watching.panicked(number, &why).unwrap();
        assert!(watching.page.contains("not of yours: no luck\n"));
        assert!(watching.running.is_none());
    }
}
