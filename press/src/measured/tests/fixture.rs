//! A record of three rows, and a book that has it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::Measured;
use crate::fault::Fault;

pub(super) fn side(name: &str, samples: &[f64]) -> Value {
    let (side, variant) = name
        .split_once('/')
        .map_or((name, None), |(a, b)| (a, Some(b)));
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    json!({
        "side": side, "variant": variant, "n": samples.len(), "samples": samples, "mad": 0.0,
        "median": sorted.get(samples.len() / 2), "min": sorted.first(), "p90": sorted.last(),
        "missing": samples.is_empty().then_some("no uvloop was found"),
    })
}

pub(super) fn row(id: &str, sides: &[Value], ratios: Value, more: Value) -> Value {
    let mut row = json!({
        "id": id, "title": format!("`{id}` <row>"), "what": "What it does.", "unit": "ns", "article": null,
        "per": "await", "counted": false, "sides": sides, "ratios": ratios, "claim": null,
    });
    for (key, value) in more.as_object().unwrap() {
        row[key] = value.clone();
    }
    row
}

pub(super) fn ratio(of: &str, to: &str, [low, median, high]: [f64; 3]) -> Value {
    json!({ "of": of, "to": to, "low": low, "median": median, "high": high, "verdict": "lower" })
}

pub(super) fn record() -> Value {
    json!({
        "format": "six-steps record 1", "chapter": "first", "when": "2026-11-30T10:00:00Z", "took_s": 1,
        "command": "cargo course measure", "quick": false, "commit": "abcdef1", "dirty": false,
        "machine": { "cpu": "A CPU", "cores": 2, "memory_mib": 1, "kernel": "Linux 6", "os": "Debian",
            "governor": null, "virtual": null, "load_before": [0.0], "load_after": [0.0] },
        "versions": { "rustc": "rustc 1.95.0 (x)", "profile": "release", "crates": { "tokio": "1.2.3" },
            "python": { "version": "3.13.0", "build": "-O3", "path_kind": "pyenv" }, "uvloop": null },
        "noise": ["load 12 on 2 cores"], "missing": [],
        "rows": [
            row(
                "wide",
                &[
                    side("ours/static", &[1.0, 1.1, 1.2]),
                    side("ours/boxed", &[10.0, 11.0, 12.0]),
                    side("cpython", &[90.0, 91.4, 95.5]),
                    side("uvloop", &[]),
                ],
                json!([
                    ratio("ours/static", "cpython", [0.009, 0.01, 0.02]),
                    ratio("ours/boxed", "cpython", [0.1, 0.12, 0.13]),
                ]),
                json!({ "article": 90.8, "claim": { "text": "Ours is less", "holds": "yes", "found": "9 times" } }),
            ),
            row(
                "near",
                &[side("ours", &[10.5, 11.5, 12.5]), side("tokio", &[11.5, 12.5, 10.5])],
                json!([ratio("ours", "tokio", [0.9, 1.0, 1.1])]),
                json!({}),
            ),
            row(
                "turns",
                &[side("ours", &[6.0, 6.0]), side("cpython", &[6.0, 6.0])],
                json!([]),
                json!({ "unit": "turns", "counted": true, "title": "turns: empty",
                    "claim": { "text": "As many", "holds": "yes", "found": "6 and 6 turns" } }),
            ),
        ],
    })
}

/// A book with this record, and perhaps with one of the reader's.
pub(super) fn book(record: &Value, own: Option<&Value>) -> (TempDir, Result<Measured, Vec<Fault>>) {
    let root = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "book/measured/first.json",
        &serde_json::to_string_pretty(record).unwrap(),
    );
    write("chapters-code/01-first/rows.toml", "chapter = 'first'\n");
    write("chapters-code/01-first/cpython/measure.py", "");
    if let Some(own) = own {
        write("target/measured/first.json", &own.to_string());
    }
    let measured = Measured::read(
        root.path(),
        Path::new("book"),
        Some("https://x.y/z/"),
        own.is_some(),
    );
    (root, measured)
}
