//! `cargo course` alone: where you stand, what is next, and the command for it.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use crate::manifest::{Course, Exercise};
use crate::progress::Progress;
use crate::{FAINT, RIGHT, STRONG, next};

/// How wide the whole bar is, in characters.
const WIDE: usize = 32;
/// How wide the bar of a chapter is.
const NARROW: usize = 8;

/// Some exercises, counted.
#[derive(Default, Clone, Copy)]
pub(crate) struct Count {
    passed: u32,
    total: u32,
    minutes_done: u32,
    minutes_left: u32,
}

impl Count {
    pub(crate) fn of<'a>(
        exercises: impl Iterator<Item = &'a Exercise>,
        progress: &Progress,
    ) -> Self {
        let mut count = Self::default();
        for exercise in exercises {
            count.total += 1;
            if progress.has_passed(exercise) {
                count.passed += 1;
                count.minutes_done += exercise.minutes;
            } else {
                count.minutes_left += exercise.minutes;
            }
        }
        count
    }

    pub(crate) fn bar(&self, width: usize) -> String {
        let share = u64::from(self.passed) * width as u64 / u64::from(self.total.max(1));
        let done = usize::try_from(share).unwrap_or(width);
        let (done, left) = ("█".repeat(done), "░".repeat(width - done));
        format!("{RIGHT}{done}{RIGHT:#}{FAINT}{left}{FAINT:#}")
    }

    fn json(&self) -> Value {
        json!({
            "passed": self.passed,
            "total": self.total,
            "minutes_done": self.minutes_done,
            "minutes_left": self.minutes_left,
        })
    }
}

pub(crate) fn show(as_json: bool) -> Result<ExitCode> {
    let course = Course::here()?;
    let progress = Progress::read(&course.root)?;
    let all = Count::of(course.exercises.iter(), &progress);
    let current = progress.current(&course);
    let mut out = anstream::stdout().lock();
    if as_json {
        let chapters = chapters(&course).into_iter().map(|chapter| {
            let mut count = Count::of(chapter.iter().copied(), &progress).json();
            count["chapter"] = json!(chapter[0].chapter);
            count
        });
        let mut report = all.json();
        report["root"] = json!(course.root);
        report["chapters"] = chapters.collect();
        report["next"] = json!(current.map(|exercise| &exercise.id));
        writeln!(out, "{report}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{STRONG}One Thread, Six Steps{STRONG:#}\n")?;
    writeln!(
        out,
        "{}  {} of {} exercises",
        all.bar(WIDE),
        all.passed,
        all.total
    )?;
    let (done, left) = (time(all.minutes_done), time(all.minutes_left));
    writeln!(out, "{FAINT}{done} done, {left} to go{FAINT:#}\n")?;
    for chapter in chapters(&course) {
        let count = Count::of(chapter.iter().copied(), &progress);
        let Count { passed, total, .. } = count;
        let name = &chapter[0].chapter;
        writeln!(out, "  {name:16} {}  {passed}/{total}", count.bar(NARROW))?;
    }
    writeln!(out)?;
    match current {
        Some(exercise) => write!(out, "{}", next::text(&course, exercise))?,
        None => writeln!(
            out,
            "The course is done. `cargo course list` shows what you did."
        )?,
    }
    writeln!(
        out,
        "\n{FAINT}The book: cargo book. Every verb: cargo course --help.{FAINT:#}"
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The exercises by chapter, in order.
pub(crate) fn chapters(course: &Course) -> Vec<Vec<&Exercise>> {
    let mut chapters: Vec<Vec<&Exercise>> = Vec::new();
    for exercise in &course.exercises {
        match chapters.last_mut() {
            Some(chapter) if chapter[0].chapter == exercise.chapter => chapter.push(exercise),
            _ => chapters.push(vec![exercise]),
        }
    }
    chapters
}

/// Minutes, as one says them.
pub(crate) fn time(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
