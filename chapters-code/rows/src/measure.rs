//! The two ways to measure, and the command line that chooses.

use std::time::Duration;

use criterion::{Criterion, Throughput};

use crate::{Figure, Row, Rows, Scale, Work};

/// How long the measured part of a sample takes, about.
const BUDGET: Duration = Duration::from_millis(40);

pub(crate) fn main(rows: Rows) {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).cloned()
    };
    let budget = after("--budget").map_or(BUDGET, |millis| {
        let millis = millis.parse().expect("--budget: milliseconds as a whole number");
        Duration::from_millis(millis)
    });
    if let Some(name) = after("--sample") {
        return one_sample(rows, &name, budget);
    }
    // `cargo test --benches` runs a bench without `--bench`.
    let test = arguments.iter().any(|a| a == "--test") || !arguments.iter().any(|a| a == "--bench");
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    let filter = arguments.iter().skip(1).find(|a| !a.starts_with('-')).cloned();
    for row in rows.rows {
        match row.work {
            Work::Timed { .. } => with_criterion(&mut criterion, rows.chapter, row),
            Work::Whole(mut run) => {
                if filter.as_ref().is_some_and(|filter| !row.name.contains(filter.as_str())) {
                    continue;
                }
                for figure in run(if test { Scale::Tiny } else { Scale::Full }) {
                    assert!(rows.listed.has(figure.row()), "rows.toml has no {}", figure.row());
                    if !test {
                        println!("{}", figure.shown());
                    }
                }
            }
        }
    }
    criterion.final_summary();
}

fn with_criterion(criterion: &mut Criterion, chapter: &str, row: Row) {
    let Work::Timed { batch, start } = row.work else { return };
    let mut group = criterion.benchmark_group(chapter);
    group.throughput(Throughput::Elements(1));
    group.bench_function(row.name, |bencher| {
        let mut work = start();
        bencher.iter_custom(|operations| {
            let batches = operations.div_ceil(batch);
            work(batches).mul_f64(to_f64(operations) / to_f64(batches * batch))
        });
    });
    group.finish();
}

fn one_sample(rows: Rows, name: &str, budget: Duration) {
    let known: Vec<String> = rows.rows.iter().map(|row| row.name.clone()).collect();
    let row = rows.rows.into_iter().find(|row| row.name == name);
    let Some(row) = row else {
        eprintln!("no row {name:?} in {}: {}", rows.chapter, known.join(", "));
        std::process::exit(2);
    };
    let figures = match row.work {
        Work::Timed { batch, start } => {
            let id = name.split('/').next().unwrap_or(name);
            let nanoseconds = sample(&mut *start(), batch, budget);
            vec![Figure::new(id, nanoseconds, "ns")]
        }
        Work::Whole(mut run) => run(Scale::Full),
    };
    for figure in figures {
        println!("{}", figure.line());
    }
}

/// Nanoseconds an operation: first so many batches that it takes a part of the budget, which warms
/// up too, then as many as fill it.
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
fn to_f64(count: u64) -> f64 {
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
