//! The grid of the responsiveness view, and what stands in its place where no script runs: one choice
//! of chunk, period and tasks, and the turns of its first tick.

use std::fmt::Write as _;
use std::sync::OnceLock;

use serde_json::Value;

use super::table::{escaped, ms};

/// The grid, made once in a process: it depends on nothing but the loop.
pub(super) fn once() -> Result<Value, &'static String> {
    static GRID: OnceLock<Result<Value, String>> = OnceLock::new();
    let made = GRID.get_or_init(|| scenario::responsiveness().map_err(|error| error.to_string()));
    made.as_ref().cloned()
}

/// What is wrong with a choice.
pub(super) fn judge(grid: &Value, attribute: &str, value: &str) -> Option<(String, String)> {
    let offered = list(grid, attribute);
    (!offered.iter().any(|known| known == value)).then(|| {
        (
            format!("<responsiveness-lab> has {attribute}=\"{value}\", which is not in the grid"),
            format!("write one of {}", offered.join(", ")),
        )
    })
}

/// What the grid offers for an attribute of the tag.
fn list(grid: &Value, attribute: &str) -> Vec<String> {
    let key = match attribute {
        "tasks" => "tasks".to_owned(),
        other => format!("{other}s"),
    };
    let values = grid[key.as_str()].as_array();
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    values.into_iter().flatten().map(text).collect()
}

/// What the reader finds chosen at first; `components/responsiveness-lab.js` has the same.
fn chosen<'a>(attributes: &'a [(String, String)], name: &str) -> &'a str {
    let found = attributes.iter().find(|(known, _)| known == name);
    found.map_or_else(
        || match name {
            "kind" => "yielding",
            "chunk" => "100",
            "tasks" => "1",
            _ => "10",
        },
        |(_, value)| value,
    )
}

fn cell<'a>(grid: &'a Value, [chunk, period, tasks, kind]: [&str; 4]) -> &'a Value {
    let mut index = 0;
    for (attribute, value) in [
        ("chunk", chunk),
        ("period", period),
        ("tasks", tasks),
        ("kind", kind),
    ] {
        let offered = list(grid, attribute);
        let at = offered.iter().position(|known| known == value);
        index = index * offered.len() + at.unwrap_or_default();
    }
    &grid["cells"][index]
}

/// The four kinds of worker beside the pulse, and the turns of the first tick of the chosen one.
pub(super) fn still(grid: &Value, attributes: &[(String, String)]) -> String {
    let [chunk, period, tasks, kind] =
        ["chunk", "period", "tasks", "kind"].map(|name| chosen(attributes, name));
    let mut html = format!(
        "<figure class=\"still diagram\">\n<div class=\"table-wrapper\"><table class=\"turns\">\n<caption>A pulse every \
         {period} ms beside {tasks} × 1 s of work in chunks of {chunk} ms</caption>\n<thead><tr>\
         <th>worker</th><th>ticks</th><th>missed</th><th>gaps between ticks</th></tr></thead>\n<tbody>\n"
    );
    for each in list(grid, "kind") {
        let cell = cell(grid, [chunk, period, tasks, &each]);
        let gaps = cell["gaps"].as_array().into_iter().flatten();
        let gaps: Vec<String> = gaps
            .map(|gap| format!("{} × {} ms", gap[1], gap[0]))
            .collect();
        let (ticks, missed) = (&cell["ticks"], &cell["missed"]);
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{ticks}</td><td>{missed}</td><td>{}</td></tr>",
            in_words(&each),
            gaps.join(", ")
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    html.push_str(&one_tick(
        grid,
        cell(grid, [chunk, period, tasks, kind]),
        kind,
    ));
    html.push_str(
        "<figcaption>Each turn lasts as long as what blocks in it, and a tick takes several turns: the \
         timer is set in one, runs in another, and the wakeup comes one turn later still.</figcaption>\n\
         </figure>\n",
    );
    html
}

fn one_tick(grid: &Value, cell: &Value, kind: &str) -> String {
    let mut html = format!(
        "<div class=\"table-wrapper\"><table class=\"turns\">\n<caption>The turns of the first tick, beside a worker that \
         {}</caption>\n<thead><tr><th>turn</th><th>begins</th><th>wakes</th><th>ends</th><th>runs</th>\
         </tr></thead>\n<tbody>\n",
        in_words(kind)
    );
    let first = grid["first"].as_u64().unwrap_or(1);
    let time = |value: &Value| ms(value.as_f64().unwrap_or_default());
    let turns = cell["one"].as_array().into_iter().flatten();
    for (number, turn) in (first..).zip(turns) {
        let name = |ran: &Value| {
            let index = usize::try_from(ran[0].as_u64()?).ok()?;
            let name = grid["names"][index].as_str()?;
            Some(format!("<code>{}</code>", escaped(name)))
        };
        let ran = turn[3].as_array().into_iter().flatten().filter_map(name);
        let ran: Vec<String> = ran.collect();
        let _ = writeln!(
            html,
            "<tr><td>{number}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            time(&turn[0]),
            time(&turn[1]),
            time(&turn[2]),
            ran.join(", ")
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

/// What a worker of a kind does.
fn in_words(kind: &str) -> &'static str {
    match kind {
        "blocking" => "blocks and never yields",
        "yielding" => "blocks and yields after each chunk",
        "cooperative" => "waits for each chunk",
        _ => "blocks on another thread",
    }
}
