//! Two traces side by side: equal, or where they first differ. How a difference is shown stands
//! in `difference.rs`.

use std::fmt;

use serde_json::Value;

use crate::difference::Difference;

/// How much of a trace has to be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// All of it.
    Strict,
    /// All but which handles ran and how the heap was kept: what a program can see.
    Visible,
}

impl fmt::Display for Strictness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strict => "strict",
            Self::Visible => "visible",
        })
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
    let turns = |trace: &Value| trace["turns"].as_array().cloned().unwrap_or_default();
    let (theirs, ours) = (turns(expected), turns(got));
    for index in 0..theirs.len().max(ours.len()) {
        let difference = turn(theirs.get(index), ours.get(index), strictness);
        if difference.is_some() {
            return difference;
        }
    }
    let keys = Keys {
        place: "after the turns",
        strictness,
    };
    keys.compare("", &without(expected, "turns"), &without(got, "turns"))
}

/// One entry of `turns`; where one trace has no more of them, the whole entry differs.
fn turn(
    expected: Option<&Value>,
    got: Option<&Value>,
    strictness: Strictness,
) -> Option<Difference> {
    let number = |entry: Option<&Value>| entry.and_then(|entry| entry.get("turn")).cloned();
    let place = match number(expected).or_else(|| number(got)) {
        Some(turn) => format!("turn {turn}"),
        None => "outside the loop".to_owned(),
    };
    let is_turn = |entry: &Value| entry.get("turn").is_some();
    match (expected, got) {
        (Some(expected), Some(got)) if is_turn(expected) == is_turn(got) => {
            let keys = Keys {
                place: &place,
                strictness,
            };
            keys.compare("", expected, got)
        }
        _ => Some(Difference {
            place,
            key: "the whole entry".to_owned(),
            expected: expected.cloned(),
            got: got.cloned(),
        }),
    }
}

fn without(trace: &Value, key: &str) -> Value {
    let mut rest = trace.clone();
    if let Some(map) = rest.as_object_mut() {
        map.remove(key);
    }
    rest
}

/// Compares objects key by key, in the order of the recorded one.
struct Keys<'a> {
    place: &'a str,
    strictness: Strictness,
}

impl Keys<'_> {
    fn compare(&self, path: &str, expected: &Value, got: &Value) -> Option<Difference> {
        let (Some(theirs), Some(ours)) = (expected.as_object(), got.as_object()) else {
            return (expected != got).then(|| self.difference(path, Some(expected), Some(got)));
        };
        let more = ours.keys().filter(|key| !theirs.contains_key(*key));
        theirs.keys().chain(more).find_map(|key| {
            let path = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            if self.hides(&path) {
                return None;
            }
            match (theirs.get(key), ours.get(key)) {
                (Some(expected), Some(got)) => self.compare(&path, expected, got),
                (expected, got) => Some(self.difference(&path, expected, got)),
            }
        })
    }

    fn hides(&self, path: &str) -> bool {
        self.strictness == Strictness::Visible
            && matches!(path, "ran" | "heap" | "ccount" | "totals.handles")
    }

    fn difference(&self, path: &str, expected: Option<&Value>, got: Option<&Value>) -> Difference {
        Difference {
            place: self.place.to_owned(),
            key: path.to_owned(),
            expected: expected.cloned(),
            got: got.cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn first(expected: Value, got: Value, strictness: Strictness) -> Option<(String, String)> {
        let difference = compare(&expected, &got, strictness)?;
        Some((difference.place, difference.key))
    }

    #[test]
    fn a_missing_or_additional_turn_differs() {
        let (one, two) = (
            json!({"turns": [{"turn": 1}]}),
            json!({"turns": [{"turn": 1}, {"turn": 2}]}),
        );
        let whole = Some(("turn 2".to_owned(), "the whole entry".to_owned()));
        assert_eq!(first(one.clone(), two.clone(), Strictness::Strict), whole);
        assert_eq!(first(two, one, Strictness::Visible), whole);
    }

    #[test]
    fn a_key_that_only_one_has_differs_even_if_it_is_null() {
        let (with, without) = (
            json!({"turns": [{"turn": 1, "timeout": null}]}),
            json!({"turns": [{"turn": 1}]}),
        );
        assert_eq!(
            first(with, without, Strictness::Visible),
            Some(("turn 1".to_owned(), "timeout".to_owned()))
        );
    }

    #[test]
    fn only_the_strict_comparison_counts_handles() {
        let trace = |handles: u32, end: u32| json!({"totals": {"handles": handles, "t_end": end}});
        let after = |key: &str| Some(("after the turns".to_owned(), key.to_owned()));
        assert_eq!(
            first(trace(1, 0), trace(2, 0), Strictness::Strict),
            after("totals.handles")
        );
        assert_eq!(first(trace(1, 0), trace(2, 0), Strictness::Visible), None);
        assert_eq!(
            first(trace(1, 0), trace(2, 5), Strictness::Visible),
            after("totals.t_end")
        );
    }
}
