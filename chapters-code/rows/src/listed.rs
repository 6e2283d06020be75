//! What `rows.toml` lists, as far as a bench has to agree with it.

use std::collections::BTreeSet;

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Listed {
    row: Vec<Row>,
}

/// One row. What else stands there is for the command that measures.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// The run that this row is a figure of, where it is not its own.
    sample: Option<String>,
    sides: Vec<String>,
}

impl Listed {
    pub(crate) fn read(toml: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(toml)
    }

    /// Whether a row of this id is listed.
    pub(crate) fn has(&self, row: &str) -> bool {
        self.row.iter().any(|listed| listed.id == row)
    }

    /// The names that a bench must have: a sample for each side that is written in Rust.
    fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for row in &self.row {
            let run = row.sample.as_ref().unwrap_or(&row.id);
            for side in &row.sides {
                if let Some(name) = name_of(run, side) {
                    names.insert(name);
                }
            }
        }
        names
    }

    /// Refuses a bench that has other rows than the list.
    pub(crate) fn agrees_with<'a>(&self, rows: impl Iterator<Item = &'a str>) {
        let ours: BTreeSet<String> = rows.map(str::to_owned).collect();
        let names = self.names();
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> Vec<String> {
            a.difference(b).cloned().collect()
        };
        let (bench, list) = (only(&ours, &names), only(&names, &ours));
        assert!(
            bench.is_empty() && list.is_empty(),
            "the bench and rows.toml differ: only the bench has {bench:?}, only the list {list:?}"
        );
    }
}

/// What the bench calls a side of a run: `create` and `ours/static` give `create/static`. Sides
/// that are not written in this bench have no name.
fn name_of(run: &str, side: &str) -> Option<String> {
    let (side, variant) = side
        .split_once('/')
        .map_or((side, None), |(a, b)| (a, Some(b)));
    match (side, variant) {
        ("ours", None) => Some(run.to_owned()),
        ("ours", Some(variant)) => Some(format!("{run}/{variant}")),
        ("by-hand", None) => Some(format!("{run}/by-hand")),
        ("by-hand", Some(variant)) => Some(format!("{run}/by-hand-{variant}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "[[row]]\nid = 'a'\nsides = ['ours/static', 'by-hand', 'by-hand/boxed', \
                        'cpython']\n[[row]]\nid = 'a-turns'\nsample = 'b'\nsides = ['ours']";

    #[test]
    fn a_bench_has_a_name_for_each_side_in_rust() {
        let listed = Listed::read(LIST).unwrap();
        let names: Vec<_> = listed.names().into_iter().collect();
        assert_eq!(names, ["a/by-hand", "a/by-hand-boxed", "a/static", "b"]);
        listed.agrees_with(names.iter().map(String::as_str));
        assert!(listed.has("a-turns") && !listed.has("b"));
    }

    #[test]
    #[should_panic(expected = "only the bench has [\"c\"], only the list [\"a/by-hand\",")]
    fn a_bench_with_other_rows_is_refused() {
        Listed::read(LIST)
            .unwrap()
            .agrees_with(["b", "c"].into_iter());
    }
}
