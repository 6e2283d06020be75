//! The sources of programs: the Python of every program compiles, and that of the gallery prints what
//! its trace says; the Rust of the gallery is compiled with this test.

#[path = "sources/gallery/mod.rs"]
#[rustfmt::skip]
#[expect(dead_code, clippy::pedantic, reason = "shown to readers, and only compiled here")]
mod gallery;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scenario::{Program, Run, Shown, cases, film};
use serde_json::{Value, json};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shown() -> Vec<Shown> {
    let text = fs::read_to_string(here().join("../../book/runs/programs.json")).unwrap();
    scenario::gallery(&text).unwrap()
}

/// Every program of the corpus, filmed.
fn corpus() -> impl Iterator<Item = Run> {
    (1..=scenario::LEVEL).flat_map(|level| {
        let file = here().join(format!("corpus/open/level{level}.jsonl"));
        let cases = cases(&fs::read_to_string(file).unwrap()).unwrap();
        cases
            .into_iter()
            .map(|case| film(&Program::from_json(&case.program).unwrap()).unwrap())
    })
}

/// A CPython from 3.11 on: `PYTHON` names it, or it is on the path.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let known = ["python3.13", "python3.12", "python3.11", "python3"].map(PathBuf::from);
    named.into_iter().chain(known).find(|python| {
        let script = "import sys; print(sys.version_info >= (3, 11))";
        let output = Command::new(python).args(["-c", script]).output();
        output.is_ok_and(|output| output.stdout.starts_with(b"True"))
    })
}

/// What Python says of the sources, line for line.
fn ask(python: &Path, runs: &[(Run, bool)]) -> Vec<Value> {
    let mut child = Command::new(python)
        .arg(here().join("cpython/sources.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = runs
        .iter()
        .map(|(run, execute)| {
            let lines = &run.source.as_ref().unwrap().python;
            json!({"name": run.name, "lines": lines, "run": execute}).to_string()
        })
        .collect();
    let writer = std::thread::spawn(move || writeln!(input, "{}", lines.join("\n")));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{}", python.display());
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_python_of_every_program_compiles() {
    let Some(python) = python() else {
        println!("skipped: no CPython from 3.11 on is on the path, and PYTHON names none");
        return;
    };
    let runs: Vec<(Run, bool)> = corpus().map(|run| (run, false)).collect();
    let said = ask(&python, &runs);
    assert_eq!(said.len(), 137 + 138 + 145);
    let wrong: Vec<String> = said
        .iter()
        .filter(|said| said.get("error").is_some())
        .map(Value::to_string)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_python_of_the_gallery_prints_what_the_traces_say() {
    let Some(python) = python() else {
        println!("skipped: no CPython from 3.11 on is on the path, and PYTHON names none");
        return;
    };
    let runs: Vec<(Run, bool)> = shown()
        .iter()
        .map(|shown| (shown.film().unwrap(), true))
        .collect();
    for ((run, _), said) in runs.iter().zip(ask(&python, &runs)) {
        let ran = run.turns.iter().flat_map(|turn| &turn.ran);
        let events = ran.flat_map(|ran| &ran.did.log);
        let logged = events.filter(|event| event[1] == "log");
        let logged: Vec<&str> = logged.map(|event| event[2].as_str().unwrap()).collect();
        assert_eq!(said.get("error"), None, "{}", run.name);
        assert_eq!(said["printed"], json!(logged), "{}", run.name);
    }
}

#[test]
fn the_rust_of_the_gallery_is_what_is_compiled_here() {
    let folder = here().join("tests/sources/gallery");
    for (name, text) in scenario::rust_of(&shown()).unwrap() {
        let known = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(
            known == text,
            "tests/sources/gallery/{name} is not the gallery's Rust any more; write it anew with\n    \
             cargo run -p scenario --example run_files -- --rust chapters-code/scenario/tests/sources/gallery"
        );
    }
}

/// Every op of every program has lines, and the lines of what ran lie within the source.
#[test]
fn lines_that_ran_stand_in_the_source() {
    for run in corpus() {
        let source = run.source.as_ref().unwrap();
        for ran in run.turns.iter().flat_map(|turn| &turn.ran) {
            let name = &run.handles[ran.h].name;
            let own = ["call:", "done:", "io:"]
                .iter()
                .any(|kind| name.starts_with(kind));
            assert!(
                !own || ran.skipped || ran.lines.is_some(),
                "{}: {name}",
                run.name
            );
            if let Some(lines) = ran.lines {
                let [from, to] = lines.python;
                assert!(
                    from <= to && to < source.python.len(),
                    "{}: {name}",
                    run.name
                );
                let [from, to] = lines.rust;
                assert!(from <= to && to < source.rust.len(), "{}: {name}", run.name);
            }
        }
    }
}

/// A task goes on at the line where it stopped.
#[test]
fn a_task_resumes_where_it_stopped() {
    let all = shown();
    let sleep = all
        .iter()
        .find(|shown| shown.program.name == "sleep")
        .unwrap();
    let run = sleep.film().unwrap();
    let source = run.source.as_ref().unwrap();
    let of = |name: &str| {
        let mut ran = run.turns.iter().flat_map(|turn| &turn.ran);
        let ran = ran.find(|ran| run.handles[ran.h].name == name).unwrap();
        let [from, to] = ran.lines.unwrap().python;
        source.python[from..=to]
            .iter()
            .map(|line| line.trim())
            .collect::<Vec<_>>()
    };
    let step = [
        "async def main():",
        "print(\"before\")",
        "await asyncio.sleep(0.01)",
    ];
    assert_eq!(of("step:main"), step);
    assert_eq!(
        of("wakeup:main"),
        ["await asyncio.sleep(0.01)", "print(\"after\")"]
    );
}
