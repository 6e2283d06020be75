//! The directives of a page that stand for what was measured:
//! `{{#measured CHAPTER rows="…" sides="…"}}` on a line by itself, and within a sentence
//! `{{#figure CHAPTER/ROW/SIDE}}` and `{{#ratio CHAPTER/ROW/SIDE CHAPTER/ROW/SIDE}}`.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::fences;

/// What is wrong with a directive, and what to do.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) what: String,
    pub(super) remedy: String,
}

impl Wrong {
    pub(super) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

/// A side of a row of a chapter: `suspension/create/ours/static`.
#[derive(Debug, PartialEq, Clone)]
pub(super) struct Place {
    pub(super) chapter: String,
    pub(super) row: String,
    /// With its variant, if it has one.
    pub(super) side: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chapter, row, side } = self;
        write!(f, "{chapter}/{row}/{side}")
    }
}

#[derive(Debug, PartialEq)]
pub(super) enum Directive {
    /// Plots and tables of these rows, or of all.
    Measured {
        chapter: String,
        rows: Vec<String>,
        /// The columns, or none for all.
        sides: Vec<String>,
    },
    /// A median with its unit.
    Figure(Place),
    /// How many times of the second the first is.
    Ratio { of: Place, to: Place },
}

/// A directive, or what is wrong with it.
pub(super) struct Found {
    pub(super) what: Result<Directive, Wrong>,
    /// Where it stands in the page.
    pub(super) range: Range<usize>,
}

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?P<escape>\\)?\{\{\s*#(?P<verb>\w+)\s*(?P<rest>[^}]*)\}\}")
        .expect("the pattern is fixed")
});

static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?P<name>\w+)="(?P<value>[^"]*)"\s*"#).expect("the pattern is fixed")
});

/// Those that mdBook and the listings know.
const OF_OTHERS: [&str; 5] = [
    "include",
    "rustdoc_include",
    "playground",
    "playpen",
    "title",
];

/// The directives of a page, in order; those in code are code.
pub(super) fn all(text: &str) -> Vec<Found> {
    let fences = fences::of(text);
    let is_code = |at: usize| {
        fences
            .iter()
            .any(|fence| fence.range.contains(&at) && fence.language() != "admonish")
    };
    DIRECTIVE
        .captures_iter(text)
        .filter(|found| found.name("escape").is_none() && !OF_OTHERS.contains(&&found["verb"]))
        .map(|found| {
            let range = found.get(0).expect("the whole match").range();
            Found {
                what: parse(text, &range, &found["verb"], found["rest"].trim()),
                range,
            }
        })
        .filter(|found| !is_code(found.range.start))
        .collect()
}

fn parse(text: &str, range: &Range<usize>, verb: &str, rest: &str) -> Result<Directive, Wrong> {
    match verb {
        "measured" => {
            let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[range.end..]
                .find('\n')
                .map_or(text.len(), |at| range.end + at);
            let alone =
                [line..range.start, range.end..end].map(|part| text[part].trim().is_empty());
            if alone != [true, true] {
                return Err(Wrong::new(
                    "{{#measured …}} does not stand on a line by itself",
                    "put it between two empty lines; a number in a sentence is {{#figure …}}",
                ));
            }
            measured(rest)
        }
        "figure" => Ok(Directive::Figure(place(rest)?)),
        "ratio" => match rest.split_whitespace().collect::<Vec<_>>()[..] {
            [of, to] => Ok(Directive::Ratio {
                of: place(of)?,
                to: place(to)?,
            }),
            _ => Err(Wrong::new(
                format!("{{{{#ratio {rest}}}}} does not name two sides"),
                "write {{#ratio CHAPTER/ROW/SIDE CHAPTER/ROW/SIDE}}: the first in terms of the second",
            )),
        },
        other => Err(Wrong::new(
            format!("{{{{#{other} …}}}} is unknown"),
            "write measured, figure, ratio or include; a backslash before it makes it text",
        )),
    }
}

fn measured(rest: &str) -> Result<Directive, Wrong> {
    let (chapter, mut rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if chapter.is_empty() || chapter.contains('=') {
        return Err(Wrong::new(
            "{{#measured …}} names no chapter",
            "write {{#measured CHAPTER}}, with rows=\"…\" and sides=\"…\" where you want not all",
        ));
    }
    let (mut rows, mut sides) = (Vec::new(), Vec::new());
    rest = rest.trim_start();
    while !rest.is_empty() {
        let words = |found: &str| found.split_whitespace().map(str::to_owned).collect();
        let found = ATTRIBUTE.captures(rest);
        let end = match found
            .as_ref()
            .map(|found| (&found["name"], &found["value"]))
        {
            Some(("rows", value)) => {
                rows = words(value);
                found.as_ref().map_or(0, |found| found[0].len())
            }
            Some(("sides", value)) => {
                sides = words(value);
                found.as_ref().map_or(0, |found| found[0].len())
            }
            _ => {
                return Err(Wrong::new(
                    format!("{{{{#measured …}}}} cannot read `{rest}`"),
                    "after the chapter it may have rows=\"…\" and sides=\"…\"",
                ));
            }
        };
        rest = &rest[end..];
    }
    Ok(Directive::Measured {
        chapter: chapter.to_owned(),
        rows,
        sides,
    })
}

fn place(text: &str) -> Result<Place, Wrong> {
    match text.splitn(3, '/').collect::<Vec<_>>()[..] {
        [chapter, row, side] if ![chapter, row, side].contains(&"") => Ok(Place {
            chapter: chapter.to_owned(),
            row: row.to_owned(),
            side: side.to_owned(),
        }),
        _ => Err(Wrong::new(
            format!("`{text}` names no side of a row"),
            "write CHAPTER/ROW/SIDE, such as suspension/create/ours/static",
        )),
    }
}
