//! The grid of the responsiveness view: a pulse beside workers, over chunk lengths, periods, numbers
//! of tasks and manners of working. Each cell is a program that was run, packed small.

use std::fmt;

use film::{Millis, Run};
use serde::Serialize;
use serde_json::{Value, json};

use crate::op::Program;
use crate::run::RunError;

/// How long each worker works in all, in milliseconds.
pub const WORK: u64 = 1_000;
/// The lengths of a chunk of work, in milliseconds.
pub const CHUNKS: [u64; 5] = [10, 20, 50, 100, 200];
/// The periods of the pulse, in milliseconds.
pub const PERIODS: [u64; 4] = [5, 10, 20, 50];
/// The numbers of workers.
pub const TASKS: [u64; 3] = [1, 2, 5];

/// How a worker works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It keeps the thread until all chunks are done.
    Blocking,
    /// It waits for each chunk without the thread.
    Cooperative,
    /// It keeps the thread for a chunk, and lets the others in after each.
    Yielding,
    /// Each chunk is done on another thread, for which a timer stands.
    Offloaded,
}

/// All of them.
pub const KINDS: [Kind; 4] = [
    Kind::Blocking,
    Kind::Cooperative,
    Kind::Yielding,
    Kind::Offloaded,
];

/// A place in the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The length of a chunk.
    pub chunk: u64,
    /// The period of the pulse.
    pub period: u64,
    /// How many workers there are.
    pub tasks: u64,
    /// How they work.
    pub kind: Kind,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            chunk,
            period,
            tasks,
            kind,
        } = self;
        write!(
            f,
            "{tasks} x {kind:?}, chunks of {chunk} ms beside a pulse of {period} ms"
        )
    }
}

impl Place {
    /// Every place, in the order of the file: by chunk, then period, tasks and kind.
    pub fn all() -> impl Iterator<Item = Self> {
        CHUNKS.into_iter().flat_map(|chunk| {
            PERIODS.into_iter().flat_map(move |period| {
                TASKS.into_iter().flat_map(move |tasks| {
                    KINDS.into_iter().map(move |kind| Self {
                        chunk,
                        period,
                        tasks,
                        kind,
                    })
                })
            })
        })
    }

    /// Its program: the pulse beats until the workers are done, and has one last tick if it is due
    /// by then.
    ///
    /// ```
    /// let place = scenario::Place::all().next().unwrap();
    /// assert_eq!(place.program().level, 3);
    /// ```
    ///
    /// # Panics
    /// Never: its programs are well formed.
    pub fn program(&self) -> Program {
        let Self { chunk, period, .. } = self;
        let beat = json!([["repeat", 1000, [["sleep", period], ["log", "tick"]]]]);
        let mut main = vec![json!(["task", "pulse", beat])];
        let names: Vec<String> = match self.tasks {
            1 => vec!["worker".to_owned()],
            many => (1..=many).map(|number| format!("worker{number}")).collect(),
        };
        for (index, name) in names.iter().enumerate() {
            let number = if names.len() == 1 {
                String::new()
            } else {
                (index + 1).to_string()
            };
            let work = self.one_chunk(&number, *chunk);
            main.push(json!(["task", name, [["repeat", WORK / chunk, work]]]));
        }
        main.extend(names.iter().map(|name| json!(["await", name])));
        let gone = json!(["try", [["await", "pulse"]], [["CancelledError", []]]]);
        main.extend([
            json!(["yield"]),
            json!(["yield"]),
            json!(["cancel", "pulse"]),
            gone,
        ]);
        let program = json!({
            "name": "responsiveness", "level": 3, "mode": "run", "desc": self.to_string(),
            "script": [["run", "main", main]],
        });
        Program::from_json(&program).expect("a program of the grid is well formed")
    }

    fn one_chunk(&self, number: &str, chunk: u64) -> Value {
        let (thread, result) = (format!("thread{number} ends"), format!("result{number}"));
        match self.kind {
            Kind::Blocking => json!([["block", chunk]]),
            Kind::Yielding => json!([["block", chunk], ["yield"]]),
            Kind::Cooperative => json!([["sleep", chunk]]),
            Kind::Offloaded => json!([
                ["future", result],
                ["call_later", chunk, thread, [["set_result", result, null]]],
                ["await", result],
            ]),
        }
    }

    /// What became of the pulse.
    fn cell(&self, run: &Run, names: &mut Vec<String>) -> Value {
        let ticks: Vec<f64> = ticks(run).collect();
        let mut gaps: Vec<(Millis, usize)> = Vec::new();
        let mut before = 0.0;
        for tick in &ticks {
            let gap = Millis(tick - before);
            before = *tick;
            match gaps.last_mut() {
                Some((known, count)) if *known == gap => *count += 1,
                _ => gaps.push((gap, 1)),
            }
        }
        // The pulse ends with the work.
        let end = run.turns.iter().filter(|turn| turn.phase == "run:main");
        let end = end.map(|turn| turn.end.0).fold(0.0, f64::max);
        let wanted = number(end) / self.period;
        let had = u64::try_from(ticks.len()).unwrap_or(u64::MAX);
        json!({
            "end": Millis(end),
            "ticks": had,
            "missed": wanted.saturating_sub(had),
            "gaps": gaps,
            "longest": run.totals.longest_turn,
            "one": first_tick(run, names),
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the grid's times are whole and short"
)]
fn number(millis: f64) -> u64 {
    millis as u64
}

/// When the pulse ticked: its steps that said so.
fn ticks(run: &Run) -> impl Iterator<Item = f64> {
    let tick = json!(["pulse", "log", "tick"]);
    let ran = run.turns.iter().flat_map(|turn| &turn.ran);
    ran.filter(move |ran| ran.did.log.contains(&tick))
        .map(|ran| ran.t.0)
}

/// The turns of the first tick, from the one in which the pulse fell asleep to the one in which it
/// ticked: `[t, woke, end, [name, …]]`, where a name is its number in the list.
fn first_tick(run: &Run, names: &mut Vec<String>) -> Vec<Value> {
    let mut turns = Vec::new();
    for turn in &run.turns {
        let ran = turn.ran.iter().map(|ran| &run.handles[ran.h].name);
        let ran: Vec<&String> = ran.collect();
        if turns.is_empty() && !ran.iter().any(|name| *name == "step:pulse") {
            continue;
        }
        let ticked = ran.iter().any(|name| *name == "wakeup:pulse");
        let numbers: Vec<usize> = ran.into_iter().map(|name| place_of(name, names)).collect();
        turns.push(json!([turn.t, turn.woke, turn.end, numbers]));
        if ticked {
            break;
        }
    }
    turns
}

fn place_of(name: &str, names: &mut Vec<String>) -> usize {
    names
        .iter()
        .position(|known| known == name)
        .unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        })
}

/// The whole grid as one file.
///
/// # Errors
/// As [`run`](crate::run).
pub fn responsiveness() -> Result<Value, RunError> {
    let mut names = Vec::new();
    let mut cells = Vec::new();
    for place in Place::all() {
        let run = super::film(&place.program())?;
        cells.push(place.cell(&run, &mut names));
    }
    Ok(json!({
        "format": "loop-grid/1", "work": WORK, "chunks": CHUNKS, "periods": PERIODS,
        "tasks": TASKS, "kinds": KINDS, "names": names, "cells": cells,
    }))
}
