//! The table of a run's turns: what the picture shows, in words.

use std::fmt::Write as _;

use scenario::Run;
use serde_json::Value;

/// How many turns a still shows.
pub(super) const MOST: usize = 24;

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A number of milliseconds.
pub(super) fn ms(millis: f64) -> String {
    format!("{millis}\u{a0}ms")
}

/// The table, with its caption.
pub(super) fn of_run(run: &Run) -> String {
    let mut html = format!(
        "<div class=\"table-wrapper\"><table class=\"turns\">\n<caption>{}, turn by turn</caption>\n<thead><tr>\
         <th>turn</th><th>in</th><th>at</th><th>sleeps</th><th>runs</th><th>says</th></tr></thead>\n\
         <tbody>\n",
        escaped(&run.title)
    );
    for (index, turn) in run.turns.iter().take(MOST).enumerate() {
        let slept = turn.woke.map(|woke| woke.0 - turn.t.0);
        let sleeps = match slept {
            Some(slept) if slept > 0.0 => ms(slept),
            Some(_) => "–".to_owned(),
            None => "cannot".to_owned(),
        };
        let ran = turn.ran.iter().map(|ran| {
            let name = escaped(&run.handles[ran.h].name);
            let skipped = if ran.skipped {
                " (cancelled: skipped)"
            } else {
                ""
            };
            format!("<code>{name}</code>{skipped}")
        });
        let said = turn.ran.iter().flat_map(|ran| &ran.did.log);
        let said: Vec<String> = said.filter_map(said_in_words).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td>{sleeps}</td><td>{}</td>\
             <td>{}</td></tr>",
            index + 1,
            escaped(&turn.phase),
            ms(turn.t.0),
            ran.collect::<Vec<_>>().join(", "),
            said.join("; "),
        );
    }
    let more = run.turns.len().saturating_sub(MOST);
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        let _ = writeln!(
            html,
            "<tr><td colspan=\"6\">and {more} turn{plural} more</td></tr>"
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

/// What the program said, where it is for people.
fn said_in_words(event: &Value) -> Option<String> {
    let who = event[0].as_str()?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let words = match event[1].as_str()? {
        "log" => format!("{who}: {}", text(&event[2])),
        "caught" => format!("{who} catches {}", text(&event[2])),
        "cancel" => format!("{who} cancels {}", text(&event[2])),
        "slow" => text(&event[2]),
        _ => return None,
    };
    Some(escaped(&words))
}
