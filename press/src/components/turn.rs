//! The still of a stepper: one turn as a table of its six steps.

use scenario::Run;

use super::table::{escaped, ms};

/// The six steps of a turn, from 1.
pub(super) fn of_run(run: &Run, number: usize) -> String {
    let Some(turn) = run.turns.get(number.saturating_sub(1)) else {
        return String::new();
    };
    let names = |ids: &[usize]| {
        let names = ids
            .iter()
            .map(|id| format!("<code>{}</code>", escaped(&run.handles[*id].name)));
        match ids {
            [] => "nothing".to_owned(),
            _ => names.collect::<Vec<_>>().join(", "),
        }
    };
    let [before, after] = turn.heap;
    let timeout = match turn.timeout {
        None => "without end".to_owned(),
        Some(timeout) => ms(timeout.0),
    };
    let woke = match turn.woke {
        Some(woke) => format!("from {} to {}", ms(turn.t.0), ms(woke.0)),
        None => "it fails".to_owned(),
    };
    let ran: Vec<usize> = turn.ran.iter().map(|ran| ran.h).collect();
    let rows = [
        (
            "sweep cancelled timers",
            format!("heap {before} to {after}; {} leaves", names(&turn.swept)),
        ),
        ("how long may we sleep?", timeout),
        ("select", woke),
        (
            "ready descriptors",
            format!("{} becomes ready", names(&turn.events)),
        ),
        ("due timers", format!("{} becomes ready", names(&turn.due))),
        ("run", names(&ran)),
    ];
    let rows: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(index, (step, here))| {
            format!(
                "<tr><td>{}</td><td>{step}</td><td>{here}</td></tr>\n",
                index + 1
            )
        })
        .collect();
    let rows = rows.concat();
    format!(
        "<figure class=\"still diagram\">\n<div class=\"table-wrapper\"><table class=\"turns\">\n<caption>Turn {number} of \
         “{}”</caption>\n<thead><tr><th>step</th><th>what it does</th><th>in this turn</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(&run.title),
        escaped(&run.text),
    )
}
