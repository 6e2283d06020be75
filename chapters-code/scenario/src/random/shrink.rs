//! Smaller programs near a given one, for a driver that looks for the smallest that still fails.

use serde_json::Value;

use super::shape::{bodies, well_placed};

/// The programs one change away from `program` that are smaller, those that lose most first.
///
/// A change drops a setting, a run, ops or parts of a list, puts a body in the place of the op that
/// holds it, or lowers a number. Each candidate is a valid program. A driver takes the first that
/// still fails, and asks again from there until none does.
///
/// ```
/// use serde_json::json;
/// let program = json!({"name": "p", "mode": "loop", "script": [["repeat", 2, [["log", 1]]]]});
/// let smaller: Vec<_> = scenario::random::shrink(&program).map(|p| p["script"].clone()).collect();
/// assert_eq!(smaller[0], json!([]));
/// assert!(smaller.contains(&json!([["log", 1]])));
/// assert!(smaller.contains(&json!([["repeat", 1, [["log", 1]]]])));
/// ```
pub fn shrink(program: &Value) -> impl Iterator<Item = Value> + use<> {
    let mut edits: Vec<(usize, Edit)> = ["debug", "slow", "resolution", "eager_factory"]
        .into_iter()
        .filter(|key| program.get(key).is_some())
        .map(|key| (1, Edit::Setting(key)))
        .collect();
    if let Some(script) = program["script"].as_array() {
        ops_edits(script, &mut Vec::new(), &mut edits);
    }
    edits.sort_by_key(|&(loss, _)| std::cmp::Reverse(loss));
    let program = program.clone();
    edits
        .into_iter()
        .map(move |(_, edit)| edit.applied(program.clone()))
        .filter(well_placed)
}

/// A change, at a place given by the indices that lead there from the script.
enum Edit {
    Setting(&'static str),
    /// Takes `count` elements out of a list from `first` on.
    Remove {
        list: Vec<usize>,
        first: usize,
        count: usize,
    },
    /// Puts the list at `part` of an op in the place of the op.
    Unwrap {
        op: Vec<usize>,
        part: Vec<usize>,
    },
    Lower {
        number: Vec<usize>,
        to: i64,
    },
}

impl Edit {
    fn applied(self, mut program: Value) -> Value {
        match self {
            Self::Setting(key) => {
                if let Some(settings) = program.as_object_mut() {
                    settings.shift_remove(key);
                }
            }
            Self::Remove { list, first, count } => {
                if let Value::Array(items) = at(&mut program["script"], &list) {
                    items.drain(first..first + count);
                }
            }
            Self::Unwrap { mut op, part } => {
                let index = op.pop().unwrap_or_default();
                if let Value::Array(ops) = at(&mut program["script"], &op)
                    && let Value::Array(body) = at(&mut ops[index], &part).take()
                {
                    ops.splice(index..=index, body);
                }
            }
            Self::Lower { number, to } => *at(&mut program["script"], &number) = to.into(),
        }
        program
    }
}

fn at<'v>(value: &'v mut Value, path: &[usize]) -> &'v mut Value {
    path.iter().fold(value, |value, &index| &mut value[index])
}

fn joined(path: &[usize], more: &[usize]) -> Vec<usize> {
    [path, more].concat()
}

/// How many values there are in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(items) => 1 + items.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// The changes of a list of ops (or clauses, or items) and of all that is in it.
fn ops_edits(ops: &[Value], path: &mut Vec<usize>, edits: &mut Vec<(usize, Edit)>) {
    list_edits(ops, path, edits);
    for (index, op) in ops.iter().enumerate() {
        path.push(index);
        op_edits(op, path, edits);
        path.pop();
    }
}

/// Halves, quarters and so on down to single elements, taken out.
fn list_edits(items: &[Value], path: &[usize], edits: &mut Vec<(usize, Edit)>) {
    let mut count = items.len();
    while count > 0 {
        for first in (0..items.len()).step_by(count) {
            let count = count.min(items.len() - first);
            let loss = items[first..first + count].iter().map(size).sum();
            edits.push((
                loss,
                Edit::Remove {
                    list: path.to_vec(),
                    first,
                    count,
                },
            ));
        }
        count /= 2;
    }
}

fn op_edits(op: &Value, path: &[usize], edits: &mut Vec<(usize, Edit)>) {
    let Some(parts) = op.as_array() else { return };
    let name = op[0].as_str().unwrap_or_default();
    for (part, _) in bodies(op) {
        let mut body = joined(path, &part);
        let ops = part.iter().fold(op, |value, &index| &value[index]);
        if name != "run" {
            let loss = size(op) - size(ops);
            edits.push((
                loss,
                Edit::Unwrap {
                    op: path.to_vec(),
                    part,
                },
            ));
        }
        ops_edits(ops.as_array().map_or(&[], Vec::as_slice), &mut body, edits);
    }
    if let Some(list) = lists(name) {
        let items = parts[list].as_array().map_or(&[][..], Vec::as_slice);
        list_edits(items, &joined(path, &[list]), edits);
    }
    // What may be left out stands last: a final, options.
    if name == "try" && parts.len() == 4 || parts.last().is_some_and(Value::is_object) {
        let first = parts.len() - 1;
        edits.push((
            size(&parts[first]),
            Edit::Remove {
                list: path.to_vec(),
                first,
                count: 1,
            },
        ));
    }
    let least = i64::from(name == "barrier");
    for (index, part) in parts.iter().enumerate() {
        if let Some(number) = part.as_i64().filter(|&number| number > least) {
            for to in [least, number / 2, number - 1] {
                if (least..number).contains(&to) {
                    edits.push((
                        0,
                        Edit::Lower {
                            number: joined(path, &[index]),
                            to,
                        },
                    ));
                }
            }
        }
    }
}

/// Which part of an op is a list whose elements may be dropped one by one.
fn lists(op: &str) -> Option<usize> {
    match op {
        "gather" | "try" => Some(2),
        "wait" | "as_completed" => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use serde_json::json;

    use super::*;
    use crate::random::program;

    #[test]
    fn candidates_are_smaller_and_well_placed() {
        for level in 1..=5 {
            for seed in 0..12 {
                let program = program(level, &mut Rng::with_seed(seed));
                for candidate in shrink(&program) {
                    assert!(well_placed(&candidate), "{candidate}");
                    let (before, after) = (program.to_string(), candidate.to_string());
                    assert!(
                        size(&candidate) < size(&program) || sum(&candidate) < sum(&program),
                        "{before}\n{after}"
                    );
                }
            }
        }
    }

    /// The sum of the numbers above 0, which a lowered number brings down.
    fn sum(value: &Value) -> i64 {
        match value {
            Value::Array(items) => items.iter().map(sum).sum(),
            Value::Object(items) => items.values().map(sum).sum(),
            number => number.as_i64().unwrap_or(0).max(0),
        }
    }

    #[test]
    fn a_failure_shrinks_to_the_op_that_causes_it() {
        let fails = |program: &Value| program["script"].to_string().contains(r#"["gather""#);
        let mut shrunk = 0;
        for seed in 0..60 {
            let mut program = program(3, &mut Rng::with_seed(seed));
            if !fails(&program) {
                continue;
            }
            while let Some(smaller) = shrink(&program).find(fails) {
                program = smaller;
            }
            let script = &program["script"];
            assert_eq!(script.as_array().unwrap().len(), 1, "{script}");
            let gather = &script[0][2][0];
            assert_eq!(*gather, json!(["gather", gather[1], []]), "{script}");
            shrunk += 1;
        }
        assert!(shrunk > 20, "only {shrunk} programs held a gather");
    }
}
