//! What became of the pulse in each cell of the grid, packed small.

use film::{Millis, Run};
use serde_json::{Value, json};

use super::grid::{CHUNKS, KINDS, PERIODS, Place, TASKS, WORK};
use crate::run::RunError;

/// The whole grid as one file.
///
/// # Errors
/// As [`run`](crate::run).
pub fn responsiveness() -> Result<Value, RunError> {
    let mut names = Names::default();
    let mut cells = Vec::new();
    let mut first = 0;
    for place in Place::all() {
        let run = super::film(&place.program())?;
        first = falls_asleep(&run) + 1;
        cells.push(cell(&place, &run, &mut names));
    }
    Ok(json!({
        "format": "loop-grid/1", "work": WORK, "chunks": CHUNKS, "periods": PERIODS,
        "tasks": TASKS, "kinds": KINDS, "first": first, "names": names.0, "cells": cells,
    }))
}

/// The names of handles, by number.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn number(&mut self, name: String) -> usize {
        let known = self.0.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        })
    }
}

fn cell(place: &Place, run: &Run, names: &mut Names) -> Value {
    let ticks: Vec<f64> = ticks(run).collect();
    let before = [0.0].iter().chain(&ticks);
    let gaps = in_runs(
        ticks
            .iter()
            .zip(before)
            .map(|(tick, before)| Millis(tick - before)),
    );
    // The pulse ends with the work.
    let end = run.turns.iter().filter(|turn| turn.phase == "run:main");
    let end = end.map(|turn| turn.end.0).fold(0.0, f64::max);
    let wanted = whole(end) / place.period;
    let had = u64::try_from(ticks.len()).unwrap_or(u64::MAX);
    json!({
        "end": Millis(end),
        "ticks": had,
        "missed": wanted.saturating_sub(had),
        "gaps": gaps,
        "longest": run.totals.longest_turn,
        "busy": busy(run),
        "one": first_tick(run, names),
    })
}

/// A list with each value once and the number of times that it comes in a row.
fn in_runs(values: impl Iterator<Item = Millis>) -> Vec<(Millis, usize)> {
    let mut runs: Vec<(Millis, usize)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((known, count)) if *known == value => *count += 1,
            _ => runs.push((value, 1)),
        }
    }
    runs
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the grid's times are whole and short"
)]
fn whole(millis: f64) -> u64 {
    millis as u64
}

/// When the pulse ticked: its steps that said so.
fn ticks(run: &Run) -> impl Iterator<Item = f64> {
    let tick = json!(["pulse", "log", "tick"]);
    let ran = run.turns.iter().flat_map(|turn| &turn.ran);
    ran.filter(move |ran| ran.did.log.contains(&tick))
        .map(|ran| ran.t.0)
}

/// Where a handle held the thread: `[start, length, count]`, one after another.
fn busy(run: &Run) -> Vec<(Millis, Millis, usize)> {
    let mut stretches: Vec<(Millis, Millis, usize)> = Vec::new();
    let mut until = 0.0;
    for ran in run.turns.iter().flat_map(|turn| &turn.ran) {
        let length = Millis(ran.end.0 - ran.t.0);
        if length.0 <= 0.0 {
            continue;
        }
        match stretches.last_mut() {
            #[expect(clippy::float_cmp, reason = "whole milliseconds of a virtual clock")]
            Some((_, known, count)) if *known == length && ran.t.0 == until => *count += 1,
            _ => stretches.push((ran.t, length, 1)),
        }
        until = ran.end.0;
    }
    stretches
}

/// The index of the turn in which the pulse falls asleep for the first time.
fn falls_asleep(run: &Run) -> usize {
    let step = |turn: &film::Turn| {
        let mut ran = turn.ran.iter();
        ran.any(|ran| run.handles[ran.h].name == "step:pulse")
    };
    run.turns.iter().position(step).unwrap_or_default()
}

/// The turns of the first tick, from the one in which the pulse fell asleep to the one in which it
/// ticked: `[t, woke, end, [[name, end], …]]`, where a name is its number in the list.
fn first_tick(run: &Run, names: &mut Names) -> Vec<Value> {
    let mut turns = Vec::new();
    for turn in &run.turns[falls_asleep(run)..] {
        let mut ticked = false;
        let mut ran = Vec::new();
        for handle in &turn.ran {
            let name = name(run, handle.h);
            ticked |= name == "wakeup:pulse";
            ran.push((names.number(name), handle.end));
        }
        turns.push(json!([turn.t, turn.woke, turn.end, ran]));
        if ticked {
            break;
        }
    }
    turns
}

/// A handle's name, with whose it is where it is one of many.
fn name(run: &Run, id: usize) -> String {
    let handle = &run.handles[id];
    match handle.task {
        Some(task) if handle.name == "sleep" => format!("sleep of {}", run.tasks[task]),
        _ => handle.name.clone(),
    }
}
