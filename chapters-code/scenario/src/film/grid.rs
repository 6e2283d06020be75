//! The grid of the responsiveness view: a pulse beside workers, over chunk lengths, periods, numbers
//! of tasks and manners of working. Each cell is a program that was run, packed small.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use crate::op::Program;

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
}
