//! The bodies of each op, and what may stand in them.

use serde_json::Value;

use super::ops::SUSPENDING;

/// What a body of an op is, as far as it decides which ops may stand there.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Callback,
    Coroutine,
    /// Of the same callback or coroutine as the op.
    Inline,
    Clause,
    Final,
    Generator,
}

/// The bodies of an op: where each is, counted from the op, and what it is.
pub(super) fn bodies(op: &Value) -> Vec<(Vec<usize>, Place)> {
    let single = |index, place| vec![(vec![index], place)];
    let items = |list: usize| {
        let items = op[list].as_array().map_or(&[][..], Vec::as_slice);
        let bodies = items.iter().enumerate().filter(|(_, item)| item.is_array());
        bodies
            .map(|(index, _)| (vec![list, index], Place::Coroutine))
            .collect()
    };
    let found = match op[0].as_str().unwrap_or_default() {
        "call_soon" => single(2, Place::Callback),
        "call_later" | "call_at" | "io" | "on_done" => single(3, Place::Callback),
        "run" | "task" | "shield" => single(2, Place::Coroutine),
        "nest" | "wait_for" => single(1, Place::Coroutine),
        "gather" => items(2),
        "as_completed" => items(1),
        "agen" => single(2, Place::Generator),
        "repeat" | "taskgroup" | "with" => single(2, Place::Inline),
        "timeout" => single(3, Place::Inline),
        "try" => {
            let clauses = op[2].as_array().map_or(0, Vec::len);
            let mut found = single(1, Place::Inline);
            found.extend((0..clauses).map(|clause| (vec![2, clause, 1], Place::Clause)));
            found.extend(single(3, Place::Final));
            found
        }
        _ => Vec::new(),
    };
    let is_list = |part: &[usize]| {
        part.iter()
            .try_fold(op, |value, &index| value.get(index))
            .is_some_and(Value::is_array)
    };
    found
        .into_iter()
        .filter(|(part, _)| is_list(part))
        .collect()
}

/// Whether each op of a program stands where it may.
pub(super) fn well_placed(program: &Value) -> bool {
    ops_well_placed(&program["script"], Allowed::default())
}

/// What a body allows besides the ops that may stand anywhere.
#[derive(Clone, Copy, Default)]
struct Allowed {
    suspending: bool,
    returns: bool,
    reraise: bool,
}

fn ops_well_placed(ops: &Value, allowed: Allowed) -> bool {
    ops.as_array()
        .is_none_or(|ops| ops.iter().all(|op| op_well_placed(op, allowed)))
}

fn op_well_placed(op: &Value, allowed: Allowed) -> bool {
    let stands = match op[0].as_str().unwrap_or_default() {
        "return" => allowed.returns,
        "reraise" => allowed.reraise,
        name => allowed.suspending || !SUSPENDING.contains(&name),
    };
    let callback = Allowed {
        returns: true,
        ..Allowed::default()
    };
    stands
        && bodies(op).into_iter().all(|(part, place)| {
            let body = part.iter().fold(op, |value, &index| &value[index]);
            let inside = match place {
                Place::Callback => callback,
                Place::Coroutine => Allowed {
                    suspending: true,
                    ..callback
                },
                Place::Generator => Allowed {
                    suspending: true,
                    ..Allowed::default()
                },
                Place::Inline => allowed,
                Place::Clause => Allowed {
                    reraise: true,
                    ..allowed
                },
                Place::Final => Allowed {
                    returns: false,
                    ..allowed
                },
            };
            ops_well_placed(body, inside)
        })
}
