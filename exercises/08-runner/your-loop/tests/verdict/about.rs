//! What a program is about: two traces alone do not tell which rule parts them.

use lesson::Rule;
use scenario::Case;
use serde_json::Value;

use super::rules::{CANCEL, OWN_CANCEL};
use super::uses;

/// What the explanation asks of a program.
pub(super) struct About {
    // The rule of its cancellations, if it asks for one.
    cancels: Option<Rule>,
    // The callbacks of its timers, as a trace calls them.
    timers: Vec<String>,
}

impl About {
    pub(super) fn of(case: &Case) -> Self {
        let mut timers = vec!["sleep".to_owned()];
        collect_timers(&case.program["script"], &mut timers);
        let of_itself = case.program["script"].to_string();
        let cancels = if of_itself.contains(r#"["cancel","self"]"#) {
            Some(OWN_CANCEL)
        } else {
            uses(case, &["cancel"]).then_some(CANCEL)
        };
        Self { cancels, timers }
    }

    /// The rule for a difference in what tasks and futures do: in a program that cancels some, the
    /// one of cancellations.
    pub(super) fn or_of_its_cancellations(&self, rule: Rule) -> Rule {
        self.cancels.unwrap_or(rule)
    }

    /// Whether a handle of this name is a timer.
    pub(super) fn is_timer(&self, name: &str) -> bool {
        self.timers.iter().any(|timer| timer == name)
    }
}

fn collect_timers(op: &Value, timers: &mut Vec<String>) {
    let Some(list) = op.as_array() else {
        return;
    };
    if let [Value::String(name), _, Value::String(label), ..] = list.as_slice()
        && ["call_later", "call_at"].contains(&name.as_str())
    {
        timers.push(format!("call:{label}"));
    }
    for inner in list {
        collect_timers(inner, timers);
    }
}
