//! Two traces side by side: equal, or where they first differ.

use std::fmt;

use serde_json::Value;

/// How much of a trace has to be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// All of it.
    Strict,
    /// All but which handles ran and how the heap was kept: what a program can see.
    Visible,
}

/// The first place in which two traces differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where: the turn, or the part after the turns.
    pub place: String,
    /// The key that differs there.
    pub key: String,
    /// What CPython recorded.
    pub expected: Value,
    /// What the loop did.
    pub got: Value,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Value| {
            if value.is_null() {
                "nothing".to_owned()
            } else {
                value.to_string()
            }
        };
        writeln!(f, "{}, {}:", self.place, self.key)?;
        writeln!(f, "  CPython  {}", show(&self.expected))?;
        write!(f, "  the loop {}", show(&self.got))
    }
}

/// The first difference between the recorded trace and ours, or `None` if they are equal.
///
/// ```
/// use scenario::{Strictness, compare};
/// use serde_json::json;
///
/// let expected = json!({"turns": [{"turn": 1, "ran": ["call:a"]}]});
/// let got = json!({"turns": [{"turn": 1, "ran": ["call:b"]}]});
/// let difference = compare(&expected, &got, Strictness::Strict).unwrap();
/// assert_eq!((difference.place.as_str(), difference.key.as_str()), ("turn 1", "ran"));
/// assert!(compare(&expected, &got, Strictness::Visible).is_none());
/// ```
pub fn compare(expected: &Value, got: &Value, strictness: Strictness) -> Option<Difference> {
    let entries = |trace: &Value| trace["turns"].as_array().cloned().unwrap_or_default();
    let (expected_turns, got_turns) = (entries(expected), entries(got));
    let nothing = Value::Null;
    for index in 0..expected_turns.len().max(got_turns.len()) {
        let theirs = expected_turns.get(index).unwrap_or(&nothing);
        let ours = got_turns.get(index).unwrap_or(&nothing);
        let named = if theirs.is_null() { ours } else { theirs };
        let place = match named.get("turn") {
            Some(turn) => format!("turn {turn}"),
            None => "outside the loop".to_owned(),
        };
        if theirs.is_null() || ours.is_null() {
            let (expected, got) = (theirs.clone(), ours.clone());
            return Some(Difference {
                place,
                key: "the whole turn".to_owned(),
                expected,
                got,
            });
        }
        if let Some(difference) = differing_key(theirs, ours, strictness, &place) {
            return Some(difference);
        }
    }
    let rest = |trace: &Value| {
        let mut rest = trace.clone();
        if let Some(map) = rest.as_object_mut() {
            map.remove("turns");
        }
        if strictness == Strictness::Visible
            && let Some(totals) = rest.get_mut("totals").and_then(Value::as_object_mut)
        {
            totals.remove("handles");
        }
        rest
    };
    differing_key(&rest(expected), &rest(got), strictness, "after the turns")
}

fn differing_key(
    expected: &Value,
    got: &Value,
    strictness: Strictness,
    place: &str,
) -> Option<Difference> {
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default()
    };
    let mut all = keys(expected);
    all.extend(
        keys(got)
            .into_iter()
            .filter(|key| expected.get(key).is_none()),
    );
    for key in all {
        let hidden = matches!(key.as_str(), "ran" | "heap" | "ccount");
        if hidden && strictness == Strictness::Visible {
            continue;
        }
        let (theirs, ours) = (expected.get(&key), got.get(&key));
        if theirs != ours {
            return Some(Difference {
                place: place.to_owned(),
                key,
                expected: theirs.cloned().unwrap_or_default(),
                got: ours.cloned().unwrap_or_default(),
            });
        }
    }
    None
}
