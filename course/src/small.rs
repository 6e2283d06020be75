//! A failing program made small: the least that a reader has to understand.

use anyhow::{Result, bail};
use scenario::Strictness;
use scenario::random::shrink;
use serde_json::Value;

use crate::python::{Answer, Recorder};
use crate::verdict::{Failure, Verdict, judge, trace};

/// A failing program, as small as it could be made.
pub(crate) struct Small {
    pub(crate) seed: u64,
    pub(crate) program: Value,
    verdict: Verdict,
}

impl Small {
    /// Takes the first smaller program that fails, and goes on from it.
    pub(crate) fn find(
        seed: u64,
        mut program: Value,
        mut recorder: Recorder,
        strictness: Strictness,
    ) -> Result<Self> {
        let mut verdict_on = |program: &Value| -> Result<Verdict> {
            recorder.send(program)?;
            // First the recorder: it gives up on a program that does not end, the loop would not.
            Ok(match recorder.answer()? {
                Answer::NoTrace(_) => Verdict::Equal,
                Answer::Trace(theirs) => judge(trace(program), &theirs, strictness),
            })
        };
        let mut verdict = verdict_on(&program)?;
        if matches!(verdict, Verdict::Equal) {
            bail!("the program of seed {seed} failed, and passes when it is run again");
        }
        'smaller: loop {
            for candidate in shrink(&program) {
                let found = verdict_on(&candidate)?;
                if !matches!(found, Verdict::Equal) {
                    (program, verdict) = (candidate, found);
                    continue 'smaller;
                }
            }
            return Ok(Self {
                seed,
                program,
                verdict,
            });
        }
    }

    /// What two programs have in common that fail for one reason: where they differ, and the ops.
    pub(crate) fn cause(&self) -> (Option<&str>, Vec<&str>) {
        let key = match &self.verdict {
            Verdict::Different(difference) => Some(difference.key.as_str()),
            _ => None,
        };
        let mut ops = Vec::new();
        collect_ops(&self.program["script"], &mut ops);
        (key, ops)
    }

    /// For showing it; `repeat` is the command that compares the whole program again.
    pub(crate) fn failure(&self, repeat: &str) -> Failure<'_> {
        Failure {
            place: format!("seed {}", self.seed),
            program: &self.program,
            verdict: &self.verdict,
            notes: vec![
                format!("the smallest that differs: {}", self.program),
                format!("again: {repeat}"),
            ],
        }
    }
}

fn collect_ops<'a>(value: &'a Value, ops: &mut Vec<&'a str>) {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    ops.extend(items.first().and_then(Value::as_str));
    for item in items {
        collect_ops(item, ops);
    }
}
