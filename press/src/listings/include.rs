//! The include directives of a page: `{{#include FILE}}`, with an anchor or with lines.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// One directive that reads a file into the page.
#[derive(Debug, PartialEq)]
pub(crate) struct Include {
    /// `include`, `rustdoc_include` or `playground`.
    pub(crate) verb: String,
    /// The file, as written: relative to the page's folder.
    pub(crate) path: String,
    /// What of the file.
    pub(crate) part: Part,
    /// Where the directive stands in the text.
    pub(crate) range: Range<usize>,
}

/// What of a file an include takes.
#[derive(Debug, PartialEq, Clone)]
pub(crate) enum Part {
    Whole,
    Anchor(String),
    /// First and last line, from 1; no last line means to the end.
    Lines(usize, Option<usize>),
}

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?P<escape>\\)?\{\{\s*#(?P<verb>include|rustdoc_include|playground)\s+(?P<target>[^\s}]+)[^}]*\}\}",
    )
    .expect("the pattern is fixed")
});

/// The directives in `text`; those behind a backslash are text, not directives.
pub(crate) fn all(text: &str) -> Vec<Include> {
    DIRECTIVE
        .captures_iter(text)
        .filter(|found| found.name("escape").is_none())
        .map(|found| {
            let (path, part) = target(&found["target"]);
            let range = found.get(0).expect("the whole match").range();
            Include {
                verb: found["verb"].to_owned(),
                path,
                part,
                range,
            }
        })
        .collect()
}

/// The directive that is the only content of `text`.
pub(crate) fn sole(text: &str) -> Option<Include> {
    let text = text.trim();
    all(text)
        .pop()
        .filter(|include| include.verb == "include" && include.range == (0..text.len()))
}

/// Splits `file.rs:anchor`, `file.rs:3`, `file.rs:3:`, `file.rs::7` and `file.rs:3:7`.
fn target(text: &str) -> (String, Part) {
    let mut words = text.splitn(3, ':');
    let path = words.next().unwrap_or("").to_owned();
    let (first, last) = (words.next(), words.next());
    let number = |word: &str| word.parse::<usize>().ok();
    let part = match (first, last) {
        (None, _) => Part::Whole,
        (Some(first), last) => match (number(first), last) {
            (Some(line), None) => Part::Lines(line, Some(line)),
            (Some(line), Some(last)) => Part::Lines(line, number(last)),
            (None, None) if first.is_empty() => Part::Whole,
            (None, Some(last)) if first.is_empty() => Part::Lines(1, number(last)),
            (None, _) => Part::Anchor(first.to_owned()),
        },
    };
    (path, part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_told_apart() {
        let part = |text| target(text).1;
        assert_eq!(part("a.rs"), Part::Whole);
        assert_eq!(part("a.rs:turn"), Part::Anchor("turn".to_owned()));
        assert_eq!(part("a.rs:3"), Part::Lines(3, Some(3)));
        assert_eq!(part("a.rs:3:"), Part::Lines(3, None));
        assert_eq!(part("a.rs::7"), Part::Lines(1, Some(7)));
        assert_eq!(part("a.rs:3:7"), Part::Lines(3, Some(7)));
    }

    #[test]
    fn only_a_lone_directive_is_sole() {
        assert!(sole("{{#include a.rs:x}}\n").is_some());
        assert_eq!(sole("{{#include a.rs:x}}\nmore"), None);
        assert_eq!(sole("\\{{#include a.rs:x}}"), None);
        assert_eq!(sole("{{#include a.rs}} {{#include b.rs}}"), None);
        assert_eq!(sole("{{#rustdoc_include a.rs}}"), None);
    }
}
