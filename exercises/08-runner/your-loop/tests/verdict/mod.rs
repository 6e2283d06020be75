//! Runs a stage's programs on your loop, counts those that leave CPython's trace, and explains the
//! first that does not.

mod about;
mod explain;
mod rules;

use lesson::Rule;
use scenario::candidate::{End, attempt};
use scenario::{Case, Program, Strictness, compare};
use serde_json::Value;
use your_loop::Loop;

use about::About;
use rules::{BORROW, GOES_ON, ONE_BY_ONE, TURN};

/// A program whose trace is not CPython's.
struct Failure {
    program: Value,
    what: String,
    rule: Rule,
}

/// Runs the programs of a stage; `count` is how many they are.
pub(crate) fn judge<'a>(stage: impl Iterator<Item = &'a Case>, count: usize) {
    let cases: Vec<&Case> = stage.collect();
    assert_eq!(cases.len(), count, "the programs of this stage");
    let failures: Vec<Failure> = cases.iter().filter_map(|case| failure(case)).collect();
    let Some(first) = failures.first() else {
        return;
    };
    let name = first.program["name"].as_str().unwrap_or_default();
    let desc = match first.program["desc"].as_str() {
        None | Some("" | "random") => String::new(),
        Some(desc) => format!(" ({desc})"),
    };
    first.rule.broken(format_args!(
        "{} of {count} programs take CPython's turns. The first that does not: {name}{desc}\n\n\
         {}\n\n\
         Its turns on your loop: cargo run -q -p your-loop -- {name}",
        count - failures.len(),
        first.what
    ));
}

fn failure(case: &Case) -> Option<Failure> {
    let program = Program::from_json(&case.program).expect("the corpus holds programs");
    let expected = case.trace.as_ref().expect("a corpus line has a trace");
    let attempt = attempt::<Loop>(&program);
    let turns = attempt.trace["turns"].as_array();
    let last = turns.and_then(|turns| turns.iter().rev().find_map(|entry| entry.get("turn")));
    let at = last.map_or("before the first turn".to_owned(), |turn| {
        format!("turn {turn}")
    });
    let difference = compare(expected, &attempt.trace, Strictness::Strict)?;
    let early = explain::in_a_turn(expected, &attempt.trace, &attempt.end, &About::of(case));
    let (what, rule) = match (&attempt.end, early) {
        (_, Some(explained)) => explained,
        (End::Finished, None) => explain::after_the_turns(&difference),
        (End::Panicked { message, place }, None) => {
            let rule = match message.as_str() {
                text if text.contains("borrowed") => BORROW,
                text if text.contains("inside another callback") => ONE_BY_ONE,
                _ => TURN,
            };
            let what = match message.strip_prefix("not yet implemented: ") {
                Some(todo) => format!("{at}: not written yet, at {place}:\n  {todo}"),
                None => format!("{at}: your loop panicked at {place}:\n  {message}"),
            };
            (what, rule)
        }
        (End::Endless { turns }, None) => (
            format!("stopped after {turns} turns: it would go on for ever"),
            GOES_ON,
        ),
        (End::Busy { .. }, None) => (
            format!("{at}: stopped within it: it would go on for ever"),
            GOES_ON,
        ),
    };
    Some(Failure {
        program: case.program.clone(),
        what,
        rule,
    })
}

/// Whether a program has one of these ops anywhere.
pub(crate) fn uses(case: &Case, ops: &[&str]) -> bool {
    fn within(value: &Value, ops: &[&str]) -> bool {
        let Some(list) = value.as_array() else {
            return false;
        };
        let is_op = |op: &Value| op.as_str().is_some_and(|op| ops.contains(&op));
        list.first().is_some_and(is_op) || list.iter().any(|inner| within(inner, ops))
    }
    within(&case.program["script"], ops)
}

/// Whether something but `stop` ends one of its runs.
pub(crate) fn fails(case: &Case) -> bool {
    any(case, "outcome", |outcome| outcome[1] == "error")
}

/// Whether a timer is cancelled while it stands on the heap.
pub(crate) fn counts_cancelled_timers(case: &Case) -> bool {
    any(case, "turns", |turn| {
        turn["ccount"][0].as_u64().unwrap_or_default() > 0
    })
}

/// Whether tasks are left in the end, and cancelled.
pub(crate) fn cancels_at_the_end(case: &Case) -> bool {
    any(case, "turns", |turn| turn["phase"] == "cancel")
}

fn any(case: &Case, key: &str, holds: impl Fn(&Value) -> bool) -> bool {
    let list = case.trace.as_ref().and_then(|trace| trace[key].as_array());
    list.is_some_and(|list| list.iter().any(holds))
}
