//! What each event does: a save begins a run, a run ends in a verdict, a key shows something.

mod broken;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use super::Event;
use super::screen::Screen;
use crate::manifest::{Course, Exercise};
use crate::outcome::Report;
use crate::progress::Progress;
use crate::testing::{Order, Run, Stop};
use crate::{check, hint, list, solution, tell};

/// Whether a key ends the watch.
pub(crate) enum Then {
    GoOn,
    Quit,
}

/// A run under way.
struct Running {
    number: u64,
    since: Instant,
    stop: Stop,
    thread: JoinHandle<()>,
}

/// A watch, from its begin to its end.
pub(crate) struct Watching<'a> {
    course: &'a Course,
    exercise: &'a Exercise,
    progress: Progress,
    screen: Screen,
    limit: Duration,
    sender: Sender<Event>,
    /// What the learner's files held when they were last looked at.
    seen: HashMap<PathBuf, Vec<u8>>,
    /// Whether a save waits for its run.
    saves: bool,
    running: Option<Running>,
    runs: u64,
    /// What the page says, so that it can be said again.
    page: String,
}

impl<'a> Watching<'a> {
    pub(crate) fn new(
        course: &'a Course,
        exercise: &'a Exercise,
        progress: Progress,
        screen: Screen,
        limit: Duration,
        sender: Sender<Event>,
    ) -> Self {
        let mut seen = HashMap::new();
        for exercise in &course.exercises {
            for file in &exercise.editable {
                let path = exercise.folder(&course.root).join(file);
                seen.extend(fs::read(&path).ok().map(|text| (path, text)));
            }
        }
        Self {
            course,
            exercise,
            progress,
            screen,
            limit,
            sender,
            seen,
            saves: false,
            running: None,
            runs: 0,
            page: String::new(),
        }
    }

    /// Runs the first tests.
    pub(crate) fn begin(&mut self, polls: bool) -> Result<()> {
        let files = self.exercise.shown_files();
        let event = json!({
            "event": "watching", "exercise": self.exercise.id, "files": files, "polls": polls,
        });
        self.screen.event(&event)?;
        self.run()
    }

    pub(crate) fn has_saves(&self) -> bool {
        self.saves
    }

    /// A file may have changed. If it is an exercise's and holds another text, a run is due.
    pub(crate) fn saved(&mut self, path: &Path) {
        let Some(exercise) = self.owner(path) else {
            return;
        };
        // Between an editor's two renames there is no file; the second one makes an event of its
        // own.
        let Ok(text) = fs::read(path) else { return };
        if self.seen.get(path) == Some(&text) {
            return;
        }
        self.seen.insert(path.to_path_buf(), text);
        self.exercise = exercise;
        self.saves = true;
        if let Some(running) = &self.running {
            running.stop.stop();
        }
    }

    /// The exercise that a file belongs to: one that the learner edits, or one of its tests.
    fn owner(&self, path: &Path) -> Option<&'a Exercise> {
        self.course.exercises.iter().find(|exercise| {
            let inside = path.strip_prefix(exercise.folder(&self.course.root));
            inside.is_ok_and(|file| {
                let is_rust = file.extension().is_some_and(|extension| extension == "rs");
                exercise.editable.iter().any(|one| one == file)
                    || (is_rust && (file.starts_with("tests") || file.starts_with("src")))
            })
        })
    }

    /// Begins a run; one that is under way is stopped.
    pub(crate) fn run(&mut self) -> Result<()> {
        self.saves = false;
        self.stop();
        self.runs += 1;
        let number = self.runs;
        let (run, stop) = Run::new();
        let (root, exercise) = (self.course.root.clone(), self.exercise.clone());
        let (limit, sender) = (self.limit, self.sender.clone());
        let colour = self.screen.has_pages();
        let thread = thread::spawn(move || {
            let (root, exercise) = (&root, &exercise);
            let order = Order {
                root,
                exercise,
                limit,
                colour,
            };
            let built = || {
                let _ = sender.send(Event::Built(number));
            };
            let _ = sender.send(broken::ended(number, || run.go(&order, built)));
        });
        let since = Instant::now();
        self.running = Some(Running {
            number,
            since,
            stop,
            thread,
        });
        let event = json!({"event": "run", "exercise": self.exercise.id, "run": number});
        self.screen.event(&event)?;
        "building ...\n".clone_into(&mut self.page);
        self.show()
    }

    /// A run is built: its tests begin.
    pub(crate) fn built(&mut self, number: u64) -> Result<()> {
        if self.is_current(number) {
            self.page += "testing ...\n";
            self.screen.text("testing ...\n")?;
        }
        Ok(())
    }

    /// A run is over. One that was stopped for a newer one has nothing to say.
    pub(crate) fn done(&mut self, number: u64, report: Result<Box<Report>>) -> Result<()> {
        if !self.is_current(number) || self.saves {
            return Ok(());
        }
        let took = self.running.take().map(|running| running.since.elapsed());
        let report = report?;
        let exercise = self.exercise;
        let changed = Progress::change(&self.course.root, |progress| {
            progress.ran(exercise, &report);
        });
        self.progress = changed?.0;
        let took = took.unwrap_or_default();
        let mut event = check::told(self.course, exercise, &report, &self.progress);
        event["event"] = json!("verdict");
        event["run"] = json!(number);
        event["milliseconds"] = json!(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        self.screen.event(&event)?;
        self.page = tell::report(&self.course.root, exercise, &report);
        self.page += "\n";
        self.page += &tell::follows(
            self.course,
            exercise,
            &self.progress,
            &report,
            tell::Ask::Key,
        );
        tell::line(&mut self.page, &format!("{:.1} s", took.as_secs_f64()));
        self.show()
    }

    fn is_current(&self, number: u64) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.number == number)
    }

    /// Does what a key says.
    pub(crate) fn key(&mut self, key: u8) -> Result<Then> {
        match key {
            b'q' => return Ok(Then::Quit),
            b'r' => self.run()?,
            b'n' => self.next()?,
            b'h' => {
                let number = hint::deeper(self.course, self.exercise)?;
                self.progress = Progress::read(&self.course.root)?;
                let shown = &self.exercise.hints[..usize::from(number)];
                let event = json!({"event": "hint", "exercise": self.exercise.id, "hints": shown});
                self.add(&event, &hint::text(self.exercise, number))?;
            }
            b'd' => {
                self.progress = Progress::read(&self.course.root)?;
                let entry = self.progress.of(self.exercise);
                let text = if entry.is_open() {
                    solution::text(self.course, self.exercise)?
                } else {
                    tell::prose(&solution::closed(self.exercise, entry.hints)) + "\n"
                };
                let plain = anstream::adapter::strip_str(&text).to_string();
                let event = json!({"event": "diff", "exercise": self.exercise.id, "text": plain});
                self.add(&event, &text)?;
            }
            b'l' => {
                let text = list::text(self.course, &self.progress);
                let event = json!({"event": "list", "text": anstream::adapter::strip_str(&text).to_string()});
                self.add(&event, &text)?;
            }
            _ => {}
        }
        Ok(Then::GoOn)
    }

    /// Turns to the exercise after this one, passed or not.
    fn next(&mut self) -> Result<()> {
        let Some(next) = self.progress.after(self.course, self.exercise) else {
            let event = json!({"event": "next", "exercise": null});
            return self.add(&event, "There is no other exercise left.\n");
        };
        self.exercise = next;
        let turned = Progress::change(&self.course.root, |progress| {
            progress.turn_to(next);
        });
        self.progress = turned?.0;
        self.screen
            .event(&json!({"event": "next", "exercise": next.id}))?;
        self.run()
    }

    /// Says something below what the page says already.
    fn add(&mut self, event: &serde_json::Value, text: &str) -> Result<()> {
        self.screen.event(event)?;
        let text = format!("\n{text}");
        self.page += &text;
        if self.screen.has_pages() {
            self.show()
        } else {
            self.screen.text(&text)
        }
    }

    /// Shows the page as it is now.
    pub(crate) fn show(&self) -> Result<()> {
        let Exercise { id, title, .. } = self.exercise;
        let file = self
            .exercise
            .shown_files()
            .into_iter()
            .next()
            .unwrap_or_default();
        self.screen
            .page(&format!("{title} ({id})  {file}"), &self.page)
    }

    /// Shows the page again, for another size.
    pub(crate) fn show_again(&self) -> Result<()> {
        if self.screen.has_pages() {
            self.show()
        } else {
            Ok(())
        }
    }

    /// Stops the run under way; when this returns none of its processes is left.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
            // A panic in it came as an event.
            let _ = running.thread.join();
        }
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}
