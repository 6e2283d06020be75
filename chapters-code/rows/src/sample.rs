//! One sample: a row measured once, in a process of its own.

use std::time::Duration;

use crate::{Figure, Rows, Scale, Work};

/// How long the measured part of a sample takes, about.
const BUDGET: Duration = Duration::from_millis(40);

/// The sample that the command line asks for.
pub(crate) struct Asked {
    name: String,
    budget: Duration,
}

/// Reads `--sample ROW` and `--budget MILLISECONDS`.
pub(crate) fn asked() -> Option<Asked> {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1)
    };
    let budget = after("--budget").and_then(|millis| millis.parse().ok());
    Some(Asked {
        name: after("--sample")?.clone(),
        budget: budget.map_or(BUDGET, Duration::from_millis),
    })
}

pub(crate) fn take(rows: Rows, asked: &Asked) -> Result<Vec<Figure>, String> {
    let known: Vec<String> = rows.all.iter().map(|row| row.name.clone()).collect();
    let row = rows.all.into_iter().find(|row| row.name == asked.name);
    let unknown = || {
        format!(
            "no row {:?} in {}: {}",
            asked.name,
            rows.chapter,
            known.join(", ")
        )
    };
    let figures = match row.ok_or_else(unknown)?.work {
        Work::Timed { batch, start } => {
            let id = asked.name.split('/').next().unwrap_or_default();
            vec![Figure::new(
                id,
                sample(&mut *start(), batch, asked.budget),
                "ns",
            )]
        }
        Work::Whole(mut run) => run(Scale::Full),
    };
    match figures.iter().find(|figure| !rows.listed.has(figure.row())) {
        Some(figure) => Err(format!("rows.toml has no {}", figure.row())),
        None => Ok(figures),
    }
}

/// Nanoseconds an operation: first so many batches that it takes a part of the budget, which warms
/// up too, then as many as fill it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are far below 2^52, and never negative"
)]
fn sample(work: &mut dyn FnMut(u64) -> Duration, batch: u64, budget: Duration) -> f64 {
    let mut batches = 1;
    let took = loop {
        let took = work(batches);
        if took >= budget / 4 {
            break took;
        }
        // A clock that stands still tells nothing; a first look is slower than the rest.
        let factor = (budget.as_secs_f64() / 2.0 / took.as_secs_f64().max(1e-9)).clamp(2.0, 64.0);
        batches = (to_f64(batches) * factor).ceil() as u64;
    };
    let fill = to_f64(batches) * budget.as_secs_f64() / took.as_secs_f64();
    let batches = (fill as u64).max(1);
    work(batches).as_secs_f64() * 1e9 / to_f64(batches * batch)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn to_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work whose time is known: a microsecond a batch, after a slow start.
    #[test]
    fn a_sample_fills_its_budget_and_does_not_count_the_start() {
        let mut asked = Vec::new();
        let mut work = |batches: u64| {
            let start = if asked.is_empty() { 1_000 } else { 0 };
            asked.push(batches);
            Duration::from_micros(batches + start)
        };
        let each = sample(&mut work, 10, Duration::from_millis(40));
        assert!((each - 100.0).abs() < 1e-6, "{each}");
        assert_eq!(asked.last(), Some(&40_000));
    }

    #[test]
    fn work_that_takes_longer_than_the_budget_is_done_once_more() {
        let mut asked = Vec::new();
        let mut work = |batches: u64| {
            asked.push(batches);
            Duration::from_secs(batches)
        };
        let each = sample(&mut work, 1, Duration::from_millis(40));
        assert!((each - 1e9).abs() < 1e-3, "{each}");
        assert_eq!(asked, [1, 1]);
    }
}
