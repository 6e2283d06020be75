//! The exercises of a chapter, listed on its page: a line `{{exercises}}` becomes the list, made from
//! `exercises/course.toml`, so that page and manifest can't tell two stories.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use mdbook_markdown::pulldown_cmark::{Event, Tag};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use serde::Deserialize;

use crate::fault::Fault;
use crate::fences;

const MANIFEST: &str = "exercises/course.toml";
const LINE: &str = "{{exercises}}";

/// What a page shows of an exercise.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Exercise {
    id: String,
    chapter: String,
    title: String,
    section: String,
    kind: String,
    difficulty: String,
    minutes: u32,
    /// What one does in it, from its package.
    #[serde(skip)]
    does: Option<String>,
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    exercise: Vec<Exercise>,
}

/// The exercises of the course at `root`; none where there is no manifest.
pub(crate) fn read(root: &Path) -> Result<Vec<Exercise>, Fault> {
    let fault = |what: String| Fault::new(MANIFEST, None, what, "mend the manifest");
    let text = match fs::read_to_string(root.join(MANIFEST)) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fault(format!("it cannot be read: {error}"))),
    };
    let manifest: Manifest =
        toml::from_str(&text).map_err(|error| fault(error.message().to_owned()))?;
    let mut exercises = manifest.exercise;
    for exercise in &mut exercises {
        exercise.does = described(root, exercise);
    }
    Ok(exercises)
}

/// The package's description, `Exercise: one round at the counter`, without its first word.
fn described(root: &Path, exercise: &Exercise) -> Option<String> {
    let folder = root
        .join("exercises")
        .join(&exercise.chapter)
        .join(&exercise.id);
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let description = table.get("package")?.get("description")?.as_str()?;
    let does = description
        .strip_prefix("Exercise: ")
        .unwrap_or(description);
    let mut letters = does.chars();
    let first = letters.next()?;
    Some(format!(
        "{}{}.",
        first.to_uppercase(),
        letters.as_str().trim_end_matches('.')
    ))
}

/// The exercises that belong on a page, which lies in the folder of its chapter.
fn of_page<'a>(exercises: &'a [Exercise], page: &Path) -> Vec<&'a Exercise> {
    let chapter = page.parent().and_then(Path::to_str).unwrap_or_default();
    let own = exercises
        .iter()
        .filter(|exercise| exercise.chapter == chapter);
    own.collect()
}

/// Where the line stands, outside of fences.
fn lines(text: &str) -> Vec<Range<usize>> {
    let fences = fences::of(text);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        let in_fence = fences
            .iter()
            .any(|fence| fence.range.contains(&range.start));
        if line.trim_end() == LINE && !in_fence {
            found.push(range);
        }
    }
    found
}

/// The page with its exercises in place of the line.
pub(crate) fn expand(exercises: &[Exercise], page: &Path, text: &str) -> String {
    let mut expanded = text.to_owned();
    let own = of_page(exercises, page);
    for range in lines(text).into_iter().rev() {
        expanded.replace_range(range, &list(&own));
    }
    expanded
}

/// The list, as markdown in a list of HTML: links and code come out as everywhere on the page.
fn list(exercises: &[&Exercise]) -> String {
    if exercises.is_empty() {
        return "This chapter has no exercise yet.".to_owned();
    }
    let mut list = "<ol class=\"exercises\">\n".to_owned();
    for exercise in exercises {
        let Exercise {
            id,
            title,
            section,
            difficulty,
            minutes,
            ..
        } = exercise;
        let unit = if *minutes == 1 { "minute" } else { "minutes" };
        let does = exercise.does.as_deref().map(|does| format!("{does} "));
        // Writing to a string cannot fail.
        let _ = write!(
            list,
            "<li>\n\n**{title}** <span class=\"facts\">{}, {difficulty}, {minutes} {unit}</span>\n\n\
             {}The page explains it in [{section}](#{}).\n\n\
             ```console\n$ cargo test -p {id}\n$ cargo course check {id}\n```\n\n</li>\n",
            in_words(&exercise.kind),
            does.unwrap_or_default(),
            anchor(section),
        );
    }
    list + "</ol>\n"
}

fn in_words(kind: &str) -> &str {
    match kind {
        "complete" => "complete a function",
        "build" => "build a piece",
        "predict" => "predict what happens",
        "find-and-fix" => "find and fix",
        "read-a-log" => "read a log",
        "capstone" => "your own loop",
        other => other,
    }
}

/// The id that mdBook gives a heading. If it were another one, `check` would find the broken link.
fn anchor(heading: &str) -> String {
    let keep = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' || letter == '-' => Some(letter),
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(keep).collect()
}

/// What is wrong between a page, called `name`, and the manifest.
pub(crate) fn faults(exercises: &[Exercise], name: &str, page: &Path, text: &str) -> Vec<Fault> {
    let own = of_page(exercises, page);
    let lines = lines(text);
    let mut faults = Vec::new();
    if lines.is_empty() && !own.is_empty() {
        let what = format!("this page does not list its exercises ({})", own.len());
        let remedy = format!("write `## Exercises` and below it the line {LINE}");
        faults.push(Fault::new(name, None, what, remedy));
    }
    for line in lines.iter().skip(1) {
        let line = fences::line_at(text, line.start);
        faults.push(Fault::new(
            name,
            line,
            "the exercises are listed twice",
            format!("take one line {LINE} out"),
        ));
    }
    let headings = headings(text);
    for exercise in own {
        let Exercise { id, section, .. } = exercise;
        if !headings.contains(section.as_str()) {
            let what =
                format!("the exercise {id} names a section {section:?}, and {name} has none");
            let remedy = "write `section` as the heading is written";
            faults.push(Fault::new(MANIFEST, None, what, remedy));
        }
    }
    faults
}

/// The exercises whose chapter has no page among `pages`.
pub(crate) fn homeless<'a>(
    exercises: &[Exercise],
    pages: impl Iterator<Item = &'a Path>,
) -> Vec<Fault> {
    let chapters: BTreeSet<&str> = pages.filter_map(|page| page.parent()?.to_str()).collect();
    exercises
        .iter()
        .filter(|exercise| !chapters.contains(exercise.chapter.as_str()))
        .map(|Exercise { id, chapter, .. }| {
            let what = format!("the exercise {id} belongs to {chapter}, which is no chapter");
            Fault::new(
                MANIFEST,
                None,
                what,
                "mend `chapter`, or add the page to SUMMARY.md",
            )
        })
        .collect()
}

/// The headings of a page, as they are written.
fn headings(text: &str) -> BTreeSet<&str> {
    new_cmark_parser(text, &MarkdownOptions::default())
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Start(Tag::Heading { .. })))
        .map(|(_, range)| text[range].trim_start_matches('#').trim())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercises() -> Vec<Exercise> {
        let one = |id: &str, chapter: &str| Exercise {
            id: id.into(),
            chapter: chapter.into(),
            title: "One round".into(),
            section: "What does `stop` stop?".into(),
            kind: "find-and-fix".into(),
            difficulty: "easy".into(),
            minutes: 10,
            does: None,
        };
        vec![one("the-round", "01-a"), one("other", "02-b")]
    }

    const PAGE: &str =
        "# A\n\n### What does `stop` stop?\n\n## Exercises\n\n{{exercises}}\n\nEnd.\n";

    #[test]
    fn the_line_becomes_the_chapters_own_list() {
        let page = expand(&exercises(), Path::new("01-a/index.md"), PAGE);
        let expected = "<ol class=\"exercises\">\n<li>\n\n**One round** <span class=\"facts\">find and \
                        fix, easy, 10 minutes</span>\n\nThe page explains it in [What does `stop` \
                        stop?](#what-does-stop-stop).\n\n```console\n$ cargo test -p the-round\n\
                        $ cargo course check the-round\n```\n\n</li>\n</ol>\n";
        assert_eq!(page, PAGE.replace(LINE, expected));
    }

    #[test]
    fn a_line_in_a_fence_or_in_a_sentence_is_text() {
        for text in [
            "```text\n{{exercises}}\n```\n",
            "The line {{exercises}} is one.\n",
        ] {
            assert_eq!(expand(&exercises(), Path::new("01-a/index.md"), text), text);
        }
    }

    #[test]
    fn page_and_manifest_tell_the_same_story() {
        let told = |text: &str| -> Vec<String> {
            let faults = faults(
                &exercises(),
                "book/01-a/index.md",
                Path::new("01-a/index.md"),
                text,
            );
            faults.into_iter().map(|fault| fault.what).collect()
        };
        assert!(told(PAGE).is_empty());
        assert!(told(&PAGE.replace(LINE, ""))[0].contains("does not list its exercises (1)"));
        assert!(told(&PAGE.replace(LINE, "{{exercises}}\n\n{{exercises}}"))[0].contains("twice"));
        assert!(told(&PAGE.replace('`', ""))[0].contains("names a section"));
    }

    #[test]
    fn an_exercise_without_a_page_is_told() {
        let pages = [Path::new("01-a/index.md"), Path::new("preface.md")];
        let faults = homeless(&exercises(), pages.into_iter());
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].what.contains("other belongs to 02-b"),
            "{}",
            faults[0]
        );
    }
}
