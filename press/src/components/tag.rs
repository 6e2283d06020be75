//! The tags of components in a page. Each stands on a line by itself, open and closed, with its
//! attributes in double quotes; any other element with a hyphen in its name is a mistake.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::fences;

/// A component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    RecordedRun,
    TurnStepper,
    LoopMap,
    ResponsivenessLab,
    WatchItRun,
    LoopRoom,
}

const ALL: [(Name, &str, &[&str]); 6] = [
    (Name::RecordedRun, "recorded-run", &["program", "at"]),
    (Name::TurnStepper, "turn-stepper", &["program", "turn"]),
    (Name::LoopMap, "loop-map", &[]),
    (
        Name::ResponsivenessLab,
        "responsiveness-lab",
        &["kind", "chunk", "tasks", "period"],
    ),
    (Name::WatchItRun, "watch-it-run", &["program"]),
    (Name::LoopRoom, "loop-room", &[]),
];

impl Name {
    fn of(text: &str) -> Option<Self> {
        ALL.iter()
            .find(|(_, tag, _)| *tag == text)
            .map(|(name, ..)| *name)
    }

    fn row(self) -> &'static (Name, &'static str, &'static [&'static str]) {
        let found = ALL.iter().find(|(name, ..)| *name == self);
        found.expect("every component has its row")
    }

    /// The attributes it may have.
    pub(super) fn attributes(self) -> &'static [&'static str] {
        self.row().2
    }

    /// How many programs it shows.
    pub(super) fn needs(self) -> usize {
        match self {
            Self::RecordedRun | Self::TurnStepper => 1,
            Self::WatchItRun => 3,
            Self::LoopMap | Self::ResponsivenessLab | Self::LoopRoom => 0,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().1)
    }
}

/// A tag as it is written.
#[derive(Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) name: Name,
    pub(super) attributes: Vec<(String, String)>,
    /// Where it stands in the page.
    pub(super) range: Range<usize>,
}

impl Tag {
    fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The programs it names.
    pub(super) fn programs(&self) -> impl Iterator<Item = &str> {
        self.attribute("program")
            .unwrap_or_default()
            .split_whitespace()
    }

    /// The turn it begins with, from 1.
    pub(super) fn turn(&self) -> usize {
        let turn = self.attribute("turn").and_then(|turn| turn.parse().ok());
        turn.unwrap_or(1)
    }
}

/// What was found in a page.
pub(super) enum Found {
    Tag(Tag),
    Wrong {
        at: usize,
        what: String,
        remedy: String,
    },
}

impl Found {
    pub(super) fn at(&self) -> usize {
        match self {
            Self::Tag(tag) => tag.range.start,
            Self::Wrong { at, .. } => *at,
        }
    }
}

static ELEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<([a-z]+(?:-[a-z]+)+)\b").expect("the pattern is fixed"));
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^<([a-z-]+)((?:\s+[a-z-]+="[^"]*")*)\s*></([a-z-]+)>\s*$"#)
        .expect("the pattern is fixed")
});
static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"([a-z-]+)="([^"]*)""#).expect("the pattern is fixed"));

/// Every component of a page, in order, outside of code.
pub(super) fn all(text: &str) -> Vec<Found> {
    let fences = fences::of(text);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (at, length) = (start, line.len());
        start += length;
        let Some(element) = ELEMENT.captures(line) else {
            continue;
        };
        let begins = element.get(0).map_or(0, |whole| whole.start());
        let in_code = line[..begins].matches('`').count() % 2 == 1;
        if in_code || fences.iter().any(|fence| fence.range.contains(&at)) {
            continue;
        }
        found.push(judge(line, at, &element[1]));
    }
    found
}

fn judge(line: &str, at: usize, element: &str) -> Found {
    let known: Vec<&str> = ALL.iter().map(|(_, tag, _)| *tag).collect();
    let Some(name) = Name::of(element) else {
        return Found::Wrong {
            at,
            what: format!("there is no component <{element}>"),
            remedy: format!("write one of {}", known.join(", ")),
        };
    };
    match WHOLE.captures(line) {
        Some(whole) if whole[1] == whole[3] => {
            let attributes = ATTRIBUTE.captures_iter(&whole[2]);
            Found::Tag(Tag {
                name,
                attributes: attributes
                    .map(|pair| (pair[1].to_owned(), pair[2].to_owned()))
                    .collect(),
                range: at..at + line.trim_end().len(),
            })
        }
        _ => Found::Wrong {
            at,
            what: format!("<{element}> is not written as a component is"),
            remedy: format!(
                "write it at the beginning of a line of its own, with nothing in it: \
                 <{element} …=\"…\"></{element}>"
            ),
        },
    }
}
