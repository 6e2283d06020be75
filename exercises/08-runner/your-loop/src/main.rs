//! Runs one program on your loop and prints its turns. The program is a name in the corpus, a file, or
//! a script in the judge's own notation:
//!
//! ```console
//! $ your-loop 1-at-ties-4
//! $ your-loop program.json
//! $ your-loop '[["call_soon", "a", [["stop"]]], ["run_forever"]]'
//! ```

use std::fmt::Write as _;
use std::process::ExitCode;

use scenario::candidate::{End, attempt};
use scenario::{Case, Program, Strictness, cases, compare};
use serde_json::{Value, json};
use your_loop::Loop;

const CORPUS: [&str; 3] = [
    include_str!("../../../../chapters-code/scenario/corpus/open/level1.jsonl"),
    include_str!("../../../../chapters-code/scenario/corpus/open/level2.jsonl"),
    include_str!("../tests/more.jsonl"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shown = match arguments.as_slice() {
        [program] => find(program).and_then(|case| show(&case)),
        _ => Err("give one program: a name such as 1-soon-fifo, a file, or a script".to_owned()),
    };
    match shown {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn find(argument: &str) -> Result<Case, String> {
    if argument.starts_with('[') {
        let script: Value = serde_json::from_str(argument)
            .map_err(|error| format!("the script is not JSON: {error}"))?;
        let (mode, level) = if script[0][0] == "run" {
            ("run", 2)
        } else {
            ("loop", 1)
        };
        return Ok(Case {
            line: 1,
            program: json!({"name": "script", "level": level, "mode": mode, "script": script}),
            trace: None,
        });
    }
    let of_corpus = CORPUS
        .iter()
        .flat_map(|text| cases(text).unwrap_or_default());
    if let Some(case) = of_corpus
        .into_iter()
        .find(|case| case.program["name"] == argument)
    {
        return Ok(case);
    }
    let text = std::fs::read_to_string(argument).map_err(|error| {
        format!("{argument} is no program of level 1 or 2, and cannot be read as a file: {error}")
    })?;
    let mut value: Value =
        serde_json::from_str(&text).map_err(|error| format!("{argument} is not JSON: {error}"))?;
    let trace = value.get_mut("trace").map(Value::take);
    let program = value.get_mut("program").map(Value::take).unwrap_or(value);
    Ok(Case {
        line: 1,
        program,
        trace,
    })
}

fn show(case: &Case) -> Result<String, String> {
    let program = Program::from_json(&case.program).map_err(|error| error.to_string())?;
    if program.level > 2 {
        return Err(format!(
            "{} is a program of level {}; your loop is judged by levels 1 and 2",
            program.name, program.level
        ));
    }
    let attempt = attempt::<Loop>(&program);
    let mut out = String::new();
    for turn in attempt.trace["turns"].as_array().into_iter().flatten() {
        entry(&mut out, turn);
    }
    match &attempt.end {
        End::Finished => {
            for outcome in attempt.trace["outcome"].as_array().into_iter().flatten() {
                let _ = writeln!(out, "outcome {}", words(outcome));
            }
        }
        End::Endless { turns } => {
            let _ = writeln!(out, "stopped after {turns} turns");
        }
        End::Busy { calls } => {
            let _ = writeln!(out, "stopped within a turn, after {calls} calls");
        }
        End::Panicked { message, place } => {
            let _ = writeln!(out, "panicked at {place}: {message}");
        }
    }
    if let Some(expected) = &case.trace {
        match compare(expected, &attempt.trace, Strictness::Strict) {
            None => out.push_str("CPython takes the same turns\n"),
            Some(difference) => {
                let _ = writeln!(out, "CPython differs in {difference}");
            }
        }
    }
    Ok(out)
}

/// A turn on one line, and what was recorded in it below.
fn entry(out: &mut String, turn: &Value) {
    if turn.get("turn").is_some() {
        let pair = |key: &str| format!("{} -> {}", turn[key][0], turn[key][1]);
        let _ = writeln!(
            out,
            "turn {}  t {}  heap {}  cancelled {}  select {}  ran {}",
            turn["turn"],
            turn["t"],
            pair("heap"),
            pair("ccount"),
            turn["timeout"],
            words(&turn["ran"]),
        );
    }
    for key in ["log", "outside"] {
        for event in turn[key].as_array().into_iter().flatten() {
            let _ = writeln!(out, "  {}", words(event));
        }
    }
    if let Some(raised) = turn.get("raised") {
        let _ = writeln!(out, "  left by {}", word(raised));
    }
}

fn words(list: &Value) -> String {
    let words: Vec<String> = list.as_array().into_iter().flatten().map(word).collect();
    if words.is_empty() {
        "nothing".to_owned()
    } else {
        words.join(" ")
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
