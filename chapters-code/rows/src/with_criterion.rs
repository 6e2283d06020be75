//! All rows, with criterion; whole runs once each, without it.

use std::time::Duration;

use criterion::{Criterion, Throughput};

use crate::sample::to_f64;
use crate::{Row, Rows, Scale, Work};

pub(crate) fn main(rows: Rows) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo test --benches` runs a bench without `--bench`.
    let test = has("--test") || !has("--bench");
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for row in rows.all {
        let Work::Whole(mut run) = row.work else {
            timed(&mut criterion, rows.chapter, row);
            continue;
        };
        if filter.is_some_and(|filter| !row.name.contains(filter.as_str())) {
            continue;
        }
        for figure in run(if test { Scale::Tiny } else { Scale::Full }) {
            assert!(
                rows.listed.has(figure.row()),
                "rows.toml has no {}",
                figure.row()
            );
            if !test {
                println!("{}", figure.shown());
            }
        }
    }
    criterion.final_summary();
}

fn timed(criterion: &mut Criterion, chapter: &str, row: Row) {
    let Work::Timed { batch, start } = row.work else {
        return;
    };
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
