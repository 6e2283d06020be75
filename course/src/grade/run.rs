//! The checks of an exercise that was built: each test and each case in a process of its own, under
//! the guard.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use guard::{End as Ended, Guard, Job, Limits, Verdict};

use super::clean::{clean, panic};
use super::expect::Expected;
use super::guarded::{self, Plan};
use super::outcome::{Check, End};
use super::station::{Hidden, Ready, hide};
use crate::cases;
use crate::manifest::Exercise;
use crate::workshop::messages::Built;
use crate::workshop::process;

/// What every check runs with.
pub(crate) struct Room<'a> {
    pub(crate) guard: &'a Guard,
    pub(crate) hidden: &'a Hidden,
    /// Text that no report should hold.
    pub(crate) places: &'a [String],
    /// How long a test, or a command of a case, may take.
    pub(crate) limit: Duration,
    /// When the submission's time is over.
    pub(crate) deadline: Instant,
}

impl Room<'_> {
    /// Runs one check.
    ///
    /// # Errors
    /// The guard or the case's file fails: that is never the submission's fault.
    pub(crate) fn run(
        &self,
        exercise: &Exercise,
        ready: &Ready,
        expected: &Expected,
    ) -> Result<Check> {
        if Instant::now() > self.deadline {
            let mut check = expected.check(End::TimedOut);
            "The time of the whole submission was over before it began."
                .clone_into(&mut check.message);
            return Ok(check);
        }
        match &expected.case {
            None => self.test(ready, expected),
            Some(file) => self.case(exercise, &ready.built, expected, file),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            wall: self.limit,
            cpu: self.limit,
            ..Limits::test()
        }
    }

    fn test(&self, ready: &Ready, expected: &Expected) -> Result<Check> {
        let Some(binary) = binary(&ready.built, &expected.name) else {
            let mut check = expected.check(End::NotRun);
            "Its tests were not built.".clone_into(&mut check.message);
            return Ok(check);
        };
        let word = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        let folder = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        let inside = ready.module.as_ref().map(|module| format!("{module}::"));
        let inside = inside.unwrap_or_default();
        let name = format!("{inside}{}", expected.name);
        let job = Job::new(binary)
            .args(["--exact", &name, "--nocapture", "--test-threads=1"])
            .env("LESSON_TOKEN", "stdin")
            .stdin(format!("{word}\n"))
            .current_dir(folder.path())
            .limits(self.limits());
        let verdict = hide(job, self.hidden).run(self.guard)?;
        let stderr = verdict.stderr.text();
        let line = format!("lesson passed: {word}");
        let finished = stderr.lines().any(|said| said == line);
        let end = match verdict.end {
            Ended::Exited(0) if finished && verdict.strays == 0 => End::Passed,
            end => end_of(end, 101),
        };
        let mut check = expected.check(end);
        if end != End::Passed {
            // Where its tests were built is no matter of the learner's.
            let mut places = self.places.to_vec();
            places.extend(ready.module.as_ref().map(|_| inside));
            let told = clean(&stderr, &places).replace(&word, "");
            check.message = match panic(&told) {
                Some(panic) if end == End::Failed => panic,
                _ => why(&verdict, "the test came to its last statement"),
            };
            check.output = output(&verdict, end, &places);
        }
        Ok(check)
    }

    fn case(
        &self,
        exercise: &Exercise,
        built: &Built,
        expected: &Expected,
        file: &Path,
    ) -> Result<Check> {
        let Some(program) = &built.program else {
            let mut check = expected.check(End::NotRun);
            "Its program was not built.".clone_into(&mut check.message);
            return Ok(check);
        };
        let folder = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
        let plan = Plan {
            guard: self.guard.clone(),
            program: program.clone(),
            exercise: exercise.id.clone(),
            hidden: self.hidden.clone(),
            limits: self.limits(),
            log: folder.path().join("log"),
        };
        let stand_in = guarded::stand_in(folder.path(), &exercise.id, &plan)?;
        let bins = [(exercise.id.clone(), stand_in)];
        let wall = self.deadline.saturating_duration_since(Instant::now());
        let limits = process::Limits {
            // Each command has its own limit; this one is for a case of many.
            wall: wall.min(cases::LIMITS.wall.max(self.limit * 6)),
            ..cases::LIMITS
        };
        let run = |command, input: &[u8]| process::run(command, input, limits);
        let judged = cases::judge(file, &bins, &run)?;
        let ends = guarded::ends(&plan.log);
        let bad = ends
            .iter()
            .copied()
            .find(|end| !matches!(end, Ended::Exited(_)));
        let end = match (&judged.failure, bad) {
            (None, None) => End::Passed,
            (_, Some(bad)) => end_of(bad, 101),
            (Some(why), None) if why == cases::NO_END => End::TimedOut,
            (Some(_), None) => End::Failed,
        };
        let mut check = expected.check(end);
        if end != End::Passed {
            let reason = match bad {
                Some(bad) => format!("The program was {bad}."),
                None => format!("{}.", capitalised(&judged.failure.unwrap_or_default())),
            };
            let mut places = self.places.to_vec();
            places.push(format!("{}/", file.parent().unwrap_or(file).display()));
            // trycmd's own end is a panic that says no more.
            let theirs = judged
                .output
                .rfind("\nthread 'main' (")
                .unwrap_or(usize::MAX);
            let shown = clean(
                judged.output.get(..theirs).unwrap_or(&judged.output),
                &places,
            );
            check.message = format!("{reason}\n\n{shown}");
        }
        Ok(check)
    }
}

fn output(verdict: &Verdict, end: End, places: &[String]) -> String {
    /// What was printed when the time was over may differ; its beginning does not.
    const MOST_OF_THE_ENDED: usize = 1_000;

    let both = format!("{}{}", verdict.stderr.text(), verdict.stdout.text());
    let clean = clean(&both, places);
    match end {
        End::TimedOut | End::OverLimit => clean.chars().take(MOST_OF_THE_ENDED).collect(),
        _ => clean.lines().map(uncounted).collect::<Vec<_>>().join("\n"),
    }
}

/// libtest ends with how many tests it left out: all that share the binary.
fn uncounted(line: &str) -> &str {
    match line.rsplit_once("; ") {
        Some((before, count))
            if line.starts_with("test result: ") && count.ends_with(" filtered out") =>
        {
            before
        }
        _ => line,
    }
}

/// The test binary that has this test: the only one, or the one whose source names it.
fn binary<'a>(built: &'a Built, test: &str) -> Option<&'a PathBuf> {
    if built.tests.len() == 1 {
        return built.tests.values().next();
    }
    let function = test.rsplit("::").next().unwrap_or(test);
    let needle = format!("fn {function}(");
    let holds = |(name, _): &(&String, &PathBuf)| {
        let source = built.folder.join("tests").join(format!("{name}.rs"));
        fs::read_to_string(source).is_ok_and(|text| text.contains(&needle))
    };
    built.tests.iter().find(holds).map(|(_, path)| path)
}

/// What an end is to a check; `failed` is the code of a program that says so itself.
fn end_of(end: Ended, failed: i32) -> End {
    match end {
        Ended::Exited(code) if code == failed => End::Failed,
        Ended::WallLimit | Ended::CpuLimit => End::TimedOut,
        Ended::MemoryLimit | Ended::OutputLimit | Ended::FileLimit | Ended::ProcessLimit => {
            End::OverLimit
        }
        _ => End::Crashed,
    }
}

fn why(verdict: &Verdict, before: &str) -> String {
    if verdict.stderr.text().contains("has overflowed its stack") {
        return "It called itself until the stack was full: a recursion without an end.".to_owned();
    }
    match verdict.end {
        Ended::Exited(0) if verdict.strays > 0 => "It left processes behind.".to_owned(),
        Ended::Exited(0) => format!("The process ended before {before}."),
        end => format!("It was {end}.").replace("was exited", "ended"),
    }
}

fn capitalised(text: &str) -> String {
    let mut signs = text.chars();
    signs
        .next()
        .map(|first| first.to_uppercase().chain(signs).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_tests_share_the_binary_is_not_told() {
        let line = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 251 filtered out";
        assert_eq!(
            uncounted(line),
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured"
        );
        assert_eq!(uncounted("a; 3 filtered out"), "a; 3 filtered out");
    }
}
