//! The first difference between two traces in words: the turn, what CPython does in it, what your loop
//! does, and the rule that parts them. A turn is gone through in the order of its steps.

use lesson::Rule;
use scenario::Difference;
use scenario::candidate::End;
use serde_json::Value;

use super::about::About;
use super::rules::{
    ALL, CANCEL, CANCELLED, COUNT, DUE, FAILED, FUTURE, NTODO, STEP, STEPS, STOP, SWEEP, TIES,
    TIMEOUT, WATCH,
};

type Explained = (String, Rule);

/// The first turn in which the traces part. The last turn of a loop that did not end may be cut short,
/// so nothing is missed in it.
pub(super) fn in_a_turn(
    expected: &Value,
    got: &Value,
    end: &End,
    about: &About,
) -> Option<Explained> {
    let none = Vec::new();
    let theirs = expected["turns"].as_array().unwrap_or(&none);
    let ours = got["turns"].as_array().unwrap_or(&none);
    let last = matches!(end, End::Panicked { .. } | End::Busy { .. }).then(|| ours.len());
    for (index, theirs) in theirs.iter().enumerate() {
        match ours.get(index) {
            Some(ours) if Some(index + 1) == last => return cut_short(theirs, ours, about),
            Some(ours) if theirs == ours => {}
            Some(ours) => return Some(entry(theirs, ours, about)),
            None if last.is_some() => return None,
            None => {
                let what = match theirs.get("turn") {
                    Some(turn) => format!(
                        "turn {turn}: CPython takes this turn and runs {}; your loop has ended",
                        list(&theirs["ran"])
                    ),
                    None => format!("CPython records {} here", list(&theirs["outside"])),
                };
                return Some((what, STOP));
            }
        }
    }
    let extra = ours.get(theirs.len()).filter(|_| last.is_none())?;
    let what = match extra.get("turn") {
        Some(turn) => format!(
            "turn {turn}: CPython's loop has ended after the turn before; yours takes another and runs {}",
            list(&extra["ran"])
        ),
        None => format!(
            "your loop records {} where CPython has ended",
            list(&extra["outside"])
        ),
    };
    Some((what, STOP))
}

/// A turn that a panic or the limit ended: only what is there can be wrong.
fn cut_short(theirs: &Value, ours: &Value, about: &About) -> Option<Explained> {
    let empty = Vec::new();
    let rans = [theirs, ours].map(|entry| entry["ran"].as_array().unwrap_or(&empty));
    let (turn, ran) = (&theirs["turn"], rans[1]);
    let parted = rans[0].iter().zip(ran).position(|(a, b)| a != b);
    if parted.is_some() || ran.len() > rans[0].len() {
        return Some(handles(turn, rans[0], ran, about));
    }
    None
}

fn entry(theirs: &Value, ours: &Value, about: &About) -> Explained {
    let (Some(turn), Some(_)) = (theirs.get("turn"), ours.get("turn")) else {
        return outside(theirs, ours);
    };
    let differs = |key: &str| theirs.get(key) != ours.get(key);
    // The tasks that are left are cancelled, and waited for.
    let at_the_end = theirs["phase"] == "cancel";
    for key in ["phase", "t"] {
        if differs(key) {
            let what = format!(
                "turn {turn}: {key} is {} with CPython and {} with your loop",
                theirs[key], ours[key]
            );
            return (what, if key == "t" { STEPS } else { STOP });
        }
    }
    for (key, what, rule) in [
        ("heap", "timers on the heap", SWEEP),
        ("ccount", "cancelled timers in the count", COUNT),
    ] {
        if differs(key) {
            let (theirs, ours) = (&theirs[key], &ours[key]);
            let what = format!(
                "turn {turn}, step 1: CPython has {} {what} before it and {} after it, your loop {} and {}",
                theirs[0], theirs[1], ours[0], ours[1]
            );
            let before = theirs[0] != ours[0];
            return (what, if before { rule } else { SWEEP });
        }
    }
    if differs("timeout") {
        if let Some((what, rule)) = not_queued(turn, theirs, ours, about) {
            return (what, if at_the_end { CANCEL } else { rule });
        }
        let what = format!(
            "turn {turn}, step 2: CPython asks select to wait {}, your loop {}",
            wait(&theirs["timeout"]),
            wait(&ours["timeout"])
        );
        return (what, TIMEOUT);
    }
    if differs("woke") {
        let woke = |entry: &Value| {
            entry
                .get("woke")
                .map_or("never".to_owned(), |at| format!("at {at} ms"))
        };
        let what = format!(
            "turn {turn}, step 3: CPython's select returns {}, yours {}",
            woke(theirs),
            woke(ours)
        );
        return (what, WATCH);
    }
    if differs("ran") {
        let empty = Vec::new();
        let rans = [theirs, ours].map(|entry| entry["ran"].as_array().unwrap_or(&empty));
        let (what, rule) = handles(turn, rans[0], rans[1], about);
        if at_the_end {
            return (what, CANCEL);
        }
        return (what, if differs("raised") { FAILED } else { rule });
    }
    let what = format!(
        "turn {turn}, step 6: CPython records {}{}, your loop {}{}",
        list(&theirs["log"]),
        left(theirs),
        list(&ours["log"]),
        left(ours)
    );
    let unhandled = |entry: &Value| entry["log"].to_string().contains("unhandled");
    let of_exceptions = differs("raised") || unhandled(theirs) != unhandled(ours);
    if of_exceptions {
        return (what, FAILED);
    }
    let rule = about.or_of_its_cancellations(FUTURE);
    (what, if at_the_end { CANCEL } else { rule })
}

/// CPython does not sleep, since a handle is ready that your loop has not queued: the timeout follows
/// from that.
fn not_queued(turn: &Value, theirs: &Value, ours: &Value, about: &About) -> Option<Explained> {
    if theirs["timeout"] != 0 || ours["timeout"] == 0 {
        return None;
    }
    let taken = ours["ran"].as_array()?;
    let ran = theirs["ran"].as_array()?;
    let missing = ran.iter().find(|name| !taken.contains(name))?.as_str()?;
    let rule = match kind(missing) {
        "cancelled" => CANCELLED,
        "step" | "wakeup" => about.or_of_its_cancellations(STEP),
        "done" | "gather_cb" | "run_done" => about.or_of_its_cancellations(FUTURE),
        _ => return None,
    };
    let what = format!(
        "turn {turn}, step 2: CPython does not sleep, since {missing} is ready; your loop has not \
         queued it, and asks select to wait {}",
        wait(&ours["timeout"])
    );
    Some((what, rule))
}

/// The handles of a turn.
fn handles(turn: &Value, theirs: &[Value], ours: &[Value], about: &About) -> Explained {
    let what = format!(
        "turn {turn}, step 6: CPython takes {}, your loop {}",
        list(&theirs.into()),
        list(&ours.into())
    );
    let parted = theirs.iter().zip(ours).position(|(a, b)| a != b);
    let at = parted.unwrap_or(theirs.len().min(ours.len()));
    let text = |list: &[Value]| {
        list.get(at)
            .and_then(Value::as_str)
            .unwrap_or("")
            .to_owned()
    };
    let (expected, got) = (text(theirs), text(ours));
    let sorted = |list: &[Value]| {
        let mut names: Vec<String> = list.iter().map(Value::to_string).collect();
        names.sort();
        names
    };
    let too_many = theirs.len() < ours.len() && ours.starts_with(theirs);
    let rule = if too_many && got == "cancelled" {
        // What CPython does not take stands on its heap still.
        DUE
    } else if expected == "cancelled" || got == "cancelled" {
        CANCELLED
    } else if sorted(theirs) == sorted(ours) {
        if kind(&expected) == kind(&got) {
            TIES
        } else {
            STEPS
        }
    } else if too_many {
        if step(&got) {
            about.or_of_its_cancellations(STEP)
        } else if about.is_timer(&got) {
            DUE
        } else {
            NTODO
        }
    } else if !ours.is_empty() && theirs.starts_with(ours) {
        ALL
    } else if step(&expected) || step(&got) {
        about.or_of_its_cancellations(STEP)
    } else if kind(&expected) == "done" || kind(&got) == "done" {
        about.or_of_its_cancellations(FUTURE)
    } else {
        STEPS
    };
    (what, rule)
}

fn step(name: &str) -> bool {
    name.starts_with("step:") || name.starts_with("wakeup:")
}

fn kind(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// What a program records while the loop does not run.
fn outside(theirs: &Value, ours: &Value) -> Explained {
    let name = |entry: &Value| match entry.get("turn") {
        Some(turn) => format!("turn {turn}, which runs {}", list(&entry["ran"])),
        None => list(&entry["outside"]),
    };
    let what = format!(
        "outside the loop: CPython has {}, your loop {}",
        name(theirs),
        name(ours)
    );
    (what, STOP)
}

/// The turns are the same, and what follows is not.
pub(super) fn after_the_turns(difference: &Difference) -> Explained {
    let rows = difference.rows();
    let what = format!(
        "after the last turn, {}: CPython has {}, your loop {}",
        difference.key, rows.expected, rows.got
    );
    let rule = match difference.key.as_str() {
        "late" => CANCEL,
        "outcome" => FAILED,
        _ => STEPS,
    };
    (what, rule)
}

fn left(entry: &Value) -> String {
    match entry.get("raised") {
        Some(raised) => format!(" and is left by {raised}"),
        None => String::new(),
    }
}

fn wait(timeout: &Value) -> String {
    match timeout.as_f64() {
        None => "without end".to_owned(),
        Some(millis) => format!("{} s", millis / 1000.0),
    }
}

/// A list as words; of a long one, its beginning.
fn list(values: &Value) -> String {
    const SHOWN: usize = 12;
    let none = Vec::new();
    let all = values.as_array().unwrap_or(&none);
    let mut words: Vec<String> = all
        .iter()
        .take(SHOWN)
        .map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
        .collect();
    if all.len() > SHOWN {
        words.push(format!("and {} more", all.len() - SHOWN));
    }
    if words.is_empty() {
        return "nothing".to_owned();
    }
    words.join(" ")
}
