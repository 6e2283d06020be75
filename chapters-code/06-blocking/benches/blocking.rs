//! What it costs to have a job done on another thread, and what blocking costs everybody else on
//! the loop. The rows are those of `rows.toml`.
//!
//! `bare` is the least that can hand a job over; `jobs` times hand-overs, `held` makes whole runs
//! in which somebody holds the loop's thread.

mod bare;
mod held;
mod jobs;

use blocking::Manner;
use rows::Rows;

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    let mut rows = Rows::new("blocking", include_str!("../rows.toml"))
        .batched("round-trip", jobs::TRIPS, jobs::round_trip)
        .batched("round-trip/by-hand", jobs::TRIPS, jobs::round_trip_by_hand)
        .batched("thousand-jobs", 1_000, jobs::thousand)
        .timed("fifty-virtual-blocking", || jobs::fifty(Manner::Rude))
        .timed("fifty-virtual-waiting", || jobs::fifty(Manner::Cooperative));
    for (name, manner) in [("blocking", Manner::Rude), ("waiting", Manner::Cooperative)] {
        for n in [1, 2, 5, 10, 20, 50] {
            let row = format!("{name}-{n}");
            rows = rows.whole(&row.clone(), move |scale| {
                held::tasks(&row, manner, n, scale)
            });
        }
    }
    for (name, manner) in [
        ("rude", Manner::Rude),
        ("yielding", Manner::Yielding),
        ("waiting", Manner::Cooperative),
        ("offloaded", Manner::Offloaded),
    ] {
        let row = format!("pulse-{name}");
        rows = rows.whole(&row.clone(), move |scale| held::pulse(&row, manner, scale));
    }
    for (name, manner) in [
        ("rude", Manner::Rude),
        ("polite", Manner::Cooperative),
        ("offloaded", Manner::Offloaded),
    ] {
        let row = format!("gap-{name}");
        rows = rows.whole(&row.clone(), move |scale| {
            held::heartbeat(&row, manner, scale)
        });
    }
    rows
}

fn main() {
    rows().main();
}
