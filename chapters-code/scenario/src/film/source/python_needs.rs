//! What a Python function needs before its first op: a loop at hand, its globals, the program's start.

use super::cast::binds;
use super::plan::{Plan, children};
use crate::op::{Name, Op};

/// Whether an op, or one in any of its bodies, is such a one.
pub(super) fn anywhere(ops: &[Op], such: fn(&Op) -> bool) -> bool {
    ops.iter()
        .any(|op| such(op) || children(op).iter().any(|(.., body)| anywhere(body, such)))
}

/// The same within one function.
pub(super) fn inline(ops: &[Op], such: fn(&Op) -> bool) -> bool {
    ops.iter().any(|op| {
        let bodies = children(op);
        let mut bodies = bodies.iter().filter(|(part, ..)| part.is_none());
        such(op) || bodies.any(|(.., body)| inline(body, such))
    })
}

pub(super) fn tells_moments(op: &Op) -> bool {
    anywhere(std::slice::from_ref(op), |op| {
        matches!(op, Op::CallAt(..) | Op::Io(..))
    })
}

pub(super) fn needs_loop(op: &Op) -> bool {
    matches!(
        op,
        Op::Time
            | Op::CallSoon(..)
            | Op::CallLater(..)
            | Op::CallAt(..)
            | Op::Io(..)
            | Op::Stop
            | Op::Future(_)
            | Op::SetDebug(_)
            | Op::SetSlow(_)
    )
}

pub(super) fn bindings<'a>(ops: &'a [Op], bound: &mut Vec<&'a Name>) {
    for op in ops {
        bound.extend(binds(op).map(|(name, _)| name));
        for (part, _, body) in children(op) {
            if part.is_none() {
                bindings(body, bound);
            }
        }
    }
}

pub(super) fn readers(ops: &[Op], plan: &Plan, doors: &mut Vec<String>) {
    for op in ops {
        if let Op::Io(_, _, body) = op
            && let Some(function) = plan.function(body)
        {
            doors.push(format!("{}_door", function.name));
        }
        for (part, _, body) in children(op) {
            if part.is_none() {
                readers(body, plan, doors);
            }
        }
    }
}
