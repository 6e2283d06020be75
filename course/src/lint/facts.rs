//! What the manifest says of an exercise, held against the chapter's page, the files of its cases
//! and the source of its tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag};

use super::fault::Fault;
use super::folders::slashes;
use super::source;
use crate::manifest::{Course, Exercise};
use crate::workshop::package::files_below;

/// The headings of the pages, each page read once.
#[derive(Default)]
pub(crate) struct Pages(BTreeMap<String, Option<Vec<String>>>);

impl Pages {
    fn headings(&mut self, root: &Path, chapter: &str) -> Option<&[String]> {
        let page = self.0.entry(chapter.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(root.join(page(chapter))).ok()?;
            Some(headings(&text))
        });
        page.as_deref()
    }
}

fn page(chapter: &str) -> String {
    format!("book/{chapter}/index.md")
}

/// The headings of a page, as they are written.
fn headings(page: &str) -> Vec<String> {
    Parser::new(page)
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Start(Tag::Heading { .. })))
        .map(|(_, range)| page[range].trim_start_matches('#').trim().to_owned())
        .collect()
}

/// What the manifest says and the rest does not bear out.
pub(crate) fn faults(course: &Course, exercise: &Exercise, pages: &mut Pages) -> Vec<Fault> {
    let id = exercise.id.as_str();
    let mut faults = Vec::new();
    let mut fault = |what: String, remedy: String| faults.push(Fault::new(id, what, remedy));

    if exercise.minutes == 0 {
        fault(
            "it takes no time".into(),
            "give `minutes` from 5 to 30".into(),
        );
    }
    for (name, text) in [("title", &exercise.title), ("learnt", &exercise.learnt)] {
        if text.trim().is_empty() {
            fault(format!("`{name}` is empty"), "write it".into());
        }
    }
    let lib = exercise.folder(&course.root).join("src/lib.rs");
    let heading = format!("//! # {}", exercise.title);
    if fs::read_to_string(lib).is_ok_and(|lib| lib.lines().next() != Some(&heading)) {
        fault(
            format!("src/lib.rs does not begin with {heading:?}"),
            "give both the same title: `title` in exercises/course.toml and the heading".into(),
        );
    }
    let hints: BTreeSet<&str> = exercise.hints.iter().map(|hint| hint.trim()).collect();
    if hints.len() < 3 || hints.contains("") {
        fault(
            "it has fewer than three hints".into(),
            "write a nudge, the approach, nearly the code".into(),
        );
    }
    let section = &exercise.section;
    match pages.headings(&course.root, &exercise.chapter) {
        None => fault(
            format!("{} cannot be read", page(&exercise.chapter)),
            "mend `chapter`".into(),
        ),
        Some(headings) if !headings.contains(section) => fault(
            format!("{} has no heading {section:?}", page(&exercise.chapter)),
            "mend `section`, to the letter".into(),
        ),
        Some(_) => {}
    }
    for (kind, points) in [
        ("tests", &exercise.points.tests),
        ("cases", &exercise.points.cases),
    ] {
        if points.is_empty() {
            fault(
                format!("no points for {kind}"),
                format!("fill [exercise.points.{kind}]"),
            );
        }
        for (name, _) in points.iter().filter(|(_, points)| **points == 0) {
            fault(
                format!("{name} has 0 points"),
                "give it one at least".into(),
            );
        }
    }
    faults.extend(cases(course, exercise));
    faults.extend(tests(course, exercise));
    faults
}

/// Each file of `grading/` has points, and each name that has points is a file.
fn cases(course: &Course, exercise: &Exercise) -> Vec<Fault> {
    let id = &exercise.id;
    let folder = exercise.folder(&course.root).join("grading");
    let files = files_below(&folder).unwrap_or_default();
    let there: BTreeSet<String> = files
        .iter()
        .filter(|file| file.components().count() == 1)
        .filter(|file| {
            file.extension()
                .is_some_and(|kind| kind == "trycmd" || kind == "toml")
        })
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect();
    let mut faults = Vec::new();
    for name in exercise
        .points
        .cases
        .keys()
        .filter(|name| !there.contains(*name))
    {
        let what = format!("the case {name} has points, and no file in grading/");
        let remedy = format!("write grading/{name}.trycmd, or take its points away");
        faults.push(Fault::new(id, what, remedy));
    }
    for name in there
        .iter()
        .filter(|name| !exercise.points.cases.contains_key(*name))
    {
        let what = format!("the case {name} has no points");
        faults.push(Fault::new(
            id,
            what,
            "give it some in [exercise.points.cases]",
        ));
    }
    faults
}

/// The form of the tests' source.
fn tests(course: &Course, exercise: &Exercise) -> Vec<Fault> {
    let id = &exercise.id;
    let folder = exercise.folder(&course.root).join("tests");
    let mut faults = Vec::new();
    for file in files_below(&folder).unwrap_or_default() {
        if file.extension().is_none_or(|kind| kind != "rs") {
            continue;
        }
        let shown = format!("tests/{}", slashes(&file));
        let Ok(text) = fs::read_to_string(folder.join(&file)) else {
            let what = format!("{shown} cannot be read");
            faults.push(Fault::new(id, what, "mend it"));
            continue;
        };
        for (line, what, remedy) in source::faults(&text) {
            faults.push(Fault::new(id, format!("{shown}:{line}: {what}"), remedy));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_taken_as_written_and_not_from_fences() {
        let page = "# A\n\n## What does `stop` stop?\n\n```python\n# no heading\n```\n### C #3\n";
        assert_eq!(headings(page), ["A", "What does `stop` stop?", "C #3"]);
    }
}
