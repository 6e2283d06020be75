//! Cuts an excerpt out of a source file: by anchor, by lines or whole; without the anchors' marker
//! lines, without blank lines at its ends, moved to the left margin.

use std::sync::LazyLock;

use regex::Regex;

use super::include::Part;

/// The lines of an excerpt and where they stand in their file.
#[derive(Debug, PartialEq)]
pub(crate) struct Excerpt {
    pub(crate) lines: Vec<String>,
    /// First and last line in the file, from 1; `None` for a whole file.
    pub(crate) span: Option<(usize, usize)>,
}

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"ANCHOR(?P<end>_END)?:\s*(?P<name>[\w-]+)").expect("the pattern is fixed")
});

/// The anchor that `line` opens (`true`) or closes (`false`).
fn marker(line: &str) -> Option<(bool, &str)> {
    let found = MARKER.captures(line)?;
    Some((found.name("end").is_none(), found.name("name")?.as_str()))
}

/// Takes `part` of the file's `text`.
///
/// # Errors
///
/// Says what is missing and what to do about it.
pub(crate) fn take(text: &str, part: &Part) -> Result<Excerpt, String> {
    let lines: Vec<&str> = text.lines().collect();
    let (first, last) = match part {
        Part::Whole => (1, lines.len()),
        Part::Lines(first, last) => {
            let last = last.unwrap_or(lines.len());
            if *first == 0 || *first > last || last > lines.len() {
                return Err(format!(
                    "has no lines {first} to {last}; it has {} lines, counted from 1",
                    lines.len()
                ));
            }
            (*first, last)
        }
        Part::Anchor(name) => anchored(&lines, name)?,
    };
    let mut kept: Vec<(usize, &str)> = (first..=last)
        .map(|number| (number, lines[number - 1]))
        .filter(|(_, line)| marker(line).is_none())
        .collect();
    while kept.last().is_some_and(|(_, line)| line.trim().is_empty()) {
        kept.pop();
    }
    let blank = kept
        .iter()
        .take_while(|(_, line)| line.trim().is_empty())
        .count();
    kept.drain(..blank);

    let (Some((first, _)), Some((last, _))) = (kept.first(), kept.last()) else {
        return Err("has no text there; move the anchor or the lines".to_owned());
    };
    let span = (*part != Part::Whole).then_some((*first, *last));
    let lines = dedent(kept.into_iter().map(|(_, line)| line));
    Ok(Excerpt { lines, span })
}

/// The lines between an anchor's two markers, from 1.
fn anchored(lines: &[&str], name: &str) -> Result<(usize, usize), String> {
    let Some(start) = lines
        .iter()
        .position(|line| marker(line) == Some((true, name)))
    else {
        let mut known: Vec<&str> = lines
            .iter()
            .filter_map(|line| marker(line))
            .filter(|m| m.0)
            .map(|m| m.1)
            .collect();
        known.sort_unstable();
        known.dedup();
        let known = match known.as_slice() {
            [] => "it has none".to_owned(),
            names => format!("it has {}", names.join(", ")),
        };
        return Err(format!(
            "has no anchor `{name}` ({known}); put `ANCHOR: {name}` and `ANCHOR_END: {name}` in \
             comments around the lines"
        ));
    };
    let length = lines[start..]
        .iter()
        .position(|line| marker(line) == Some((false, name)));
    match length {
        Some(length) => Ok((start + 2, start + length)),
        None => Err(format!(
            "opens the anchor `{name}` and never closes it; add `ANCHOR_END: {name}`"
        )),
    }
}

/// Removes the white space that all lines have in common at their beginning.
fn dedent<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let indent = |line: &'a str| &line[..line.len() - line.trim_start().len()];
    let common = lines
        .clone()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .reduce(|a, b| {
            let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
            &a[..same]
        })
        .unwrap_or("");
    lines
        .map(|line| line.strip_prefix(common).unwrap_or("").to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "use std;\n\nimpl Loop {\n    // ANCHOR: turn\n\n    fn turn() {\n\
                        \x20       // ANCHOR: step\n        a();\n\n        b();\n\
                        \x20       // ANCHOR_END: step\n    }\n    // ANCHOR_END: turn\n}\n";

    fn anchor(name: &str) -> Result<Excerpt, String> {
        take(FILE, &Part::Anchor(name.to_owned()))
    }

    #[test]
    fn an_anchor_is_dedented_and_loses_the_markers_inside_it() {
        let found = anchor("turn").unwrap();
        assert_eq!(
            found.lines,
            ["fn turn() {", "    a();", "", "    b();", "}"]
        );
        assert_eq!(found.span, Some((6, 12)));
    }

    #[test]
    fn a_nested_anchor_is_found() {
        let found = anchor("step").unwrap();
        assert_eq!(
            (found.lines.join("|"), found.span),
            ("a();||b();".to_owned(), Some((8, 10)))
        );
    }

    #[test]
    fn a_whole_file_has_no_markers_and_no_span() {
        let found = take(FILE, &Part::Whole).unwrap();
        assert!(found.lines.iter().all(|line| !line.contains("ANCHOR")));
        assert_eq!((found.lines.len(), found.span), (10, None));
    }

    #[test]
    fn lines_are_counted_from_one() {
        let found = take(FILE, &Part::Lines(8, Some(8))).unwrap();
        assert_eq!(
            (found.lines, found.span),
            (vec!["a();".to_owned()], Some((8, 8)))
        );
        for (first, last) in [(0, Some(1)), (3, Some(2)), (1, Some(99)), (99, None)] {
            let error = take(FILE, &Part::Lines(first, last)).unwrap_err();
            assert!(error.contains("14 lines"), "{error}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = anchor("trun").unwrap_err();
        assert!(
            error.contains("`trun`") && error.contains("it has step, turn"),
            "{error}"
        );
        let open = take("// ANCHOR: a\nx\n", &Part::Anchor("a".to_owned())).unwrap_err();
        assert!(open.contains("never closes"), "{open}");
        let empty = take(
            "// ANCHOR: a\n\n// ANCHOR_END: a\n",
            &Part::Anchor("a".to_owned()),
        );
        assert!(empty.unwrap_err().contains("no text"));
    }

    #[test]
    fn an_anchor_whose_name_only_begins_the_same_is_another_one() {
        let text = "// ANCHOR: run_once\na\n// ANCHOR_END: run_once\n// ANCHOR: run\nb\n// ANCHOR_END: run\n";
        assert_eq!(
            take(text, &Part::Anchor("run".to_owned())).unwrap().lines,
            ["b"]
        );
    }

    #[test]
    fn tabs_and_spaces_are_never_mixed_up() {
        assert_eq!(dedent(["\ta", "    b"].into_iter()), ["\ta", "    b"]);
        assert_eq!(dedent(["\t\ta", "", "\tb"].into_iter()), ["\ta", "", "b"]);
    }
}
