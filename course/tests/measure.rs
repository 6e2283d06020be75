//! `cargo course measure` on a course whose cargo, CPython and samples are shell scripts: nothing is
//! built and no time is measured, so that every figure is known.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

const ROWS: &str = r#"
chapter = "first"

[[row]]
id = "step"
title = "a `step`"
what = "One step."
unit = "ns"
per = "step"
article = 90.8
sides = ["ours/static", "ours/boxed", "by-hand", "cpython", "uvloop"]
claim = { text = "A step is cheap", sides = ["ours/static", "cpython"], at_most = 0.5 }

[[row]]
id = "nap"
title = "a nap"
what = "One nap."
unit = "ms"
per = "run"
sides = ["ours", "cpython"]
slow = 0.1

[[row]]
id = "nap-turns"
title = "turns of a nap"
what = "Its turns."
unit = "turns"
per = "run"
sample = "nap"
sides = ["ours", "cpython"]
counted = true
claim = { text = "As many turns as CPython", sides = ["ours", "cpython"], equal = true }
"#;

/// What takes our samples: `$1` is the chapter, `$3` the sample.
const SAMPLES: &str = r#"[ "$1 $2" = "first --sample" ] || exit 9
case $3 in
step/static) echo '{"row":"step","value":10,"unit":"ns"}' ;;
step/boxed) echo '{"row":"step","value":99,"unit":"ns"}' ;;
step/by-hand) echo '{"row":"step","value":10,"unit":"ns"}' ;;
nap) echo '{"row":"nap","value":100.5,"unit":"ms","values":[1,2,3]}'
     echo '{"row":"nap-turns","value":8,"unit":"turns"}' ;;
*) exit 8 ;;
esac
"#;

/// A CPython without uvloop: `$1` is its program, `$2` the sample.
const PYTHON: &str = r#"case "$*" in
*platform*) echo "CPython 3.13.9" ;;
*uvloop*) exit 1 ;;
*sysconfig*) printf -- '-O3, PGO, no LTO\npyenv\n' ;;
*"measure.py step"*) echo '{"row":"step","value":100,"unit":"ns"}' ;;
*"measure.py nap"*) echo '{"row":"nap","value":101,"unit":"ms"}'
     echo '{"row":"nap-turns","value":8,"unit":"turns"}' ;;
*) exit 7 ;;
esac
"#;

/// A course of shell scripts.
struct Course {
    folder: TempDir,
}

impl Course {
    fn new() -> Self {
        let course = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        course.write("chapters-code/01-first/rows.toml", ROWS);
        course.write("chapters-code/01-first/cpython/measure.py", "");
        course.write("Cargo.toml", "[profile.bench]\nlto = 'thin'\n");
        course.write(
            "Cargo.lock",
            "[[package]]\nname = 'tokio'\nversion = '1.2.3'\n",
        );
        course.script("samples", SAMPLES);
        course.script("python", PYTHON);
        course.cargo("samples");
        // What stands in for every CPython on PATH.
        for name in ["python3.14", "python3.13", "python3.12", "python3"] {
            course.script(&format!("bin/{name}"), "echo CPython 3.11.7\n");
        }
        course
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn script(&self, file: &str, text: &str) {
        self.write(file, &format!("#!/bin/sh\n{text}"));
        fs::set_permissions(self.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A cargo that has built this.
    fn cargo(&self, built: &str) {
        let message = serde_json::json!({
            "reason": "compiler-artifact",
            "target": { "kind": ["bin"], "name": built },
            "executable": self.path("samples"),
        });
        self.script("cargo", &format!("echo '{message}'\n"));
    }

    fn command(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(cargo_bin!("course"));
        command
            .arg("measure")
            .args(line.split_whitespace())
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("CARGO", self.path("cargo"))
            .env("NO_COLOR", "1")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs the command: exit code, output, errors.
    fn run(&self, line: &str) -> (i32, String, String) {
        let output = self.command(line).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap_or(-1),
            text(output.stdout),
            text(output.stderr),
        )
    }

    fn record(&self) -> Value {
        let text = fs::read_to_string(self.path("target/measured/first.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn a_run_prints_a_table_and_keeps_a_record() {
    let course = Course::new();
    let (code, out, errors) = course.run("first --quick --save --python ./python");
    assert_eq!(code, 0, "{out}{errors}");
    holds(
        &out,
        &[
            "\nfirst\n",
            "CPython 3.13.9 (-O3, PGO, no LTO) | a quick look\n",
            "  a step, ns a step\n",
            "    the article                     90.8\n",
            "    ours, static                      10  10 to 10\n",
            "    CPython                          100  100 to 100              static 0.10 of it (0.10 to 0.10); boxed 0.99 of it (0.99 to 0.99)\n",
            "    by hand                           10  10 to 10                static 1 of it (1 to 1), undecided; boxed 9.90 of it (9.90 to 9.90)\n",
            "    uvloop                             -  uvloop is not installed beside this CPython\n",
            "    holds here: A step is cheap: 0.10 times\n",
            "    turns of a nap                                      ours 8, CPython 8       holds here\n",
            "2 claims: 2 hold here, 0 do not, 0 undecided, 0 not measured.\n",
        ],
    );
    holds(
        &errors,
        &["first, round 1 of 3; about", "kept 1 record in "],
    );

    let record = course.record();
    assert_eq!(record["format"], "six-steps record 1");
    assert_eq!(record["chapter"], "first");
    assert_eq!(record["command"], "cargo course measure first --quick");
    assert_eq!(record["quick"], true);
    assert_eq!(record["versions"]["profile"], "bench, thin LTO");
    assert_eq!(record["versions"]["crates"]["tokio"], "1.2.3");
    assert_eq!(record["versions"]["python"]["path_kind"], "pyenv");
    assert_eq!(
        record["missing"][0],
        "uvloop is not installed beside this CPython"
    );
    let step = &record["rows"][0];
    assert_eq!(
        (&step["article"], &step["unit"]),
        (&90.8.into(), &"ns".into())
    );
    assert_eq!(step["sides"][0]["variant"], "static");
    assert_eq!(
        (&step["sides"][0]["n"], &step["sides"][0]["median"]),
        (&3.into(), &10.0.into())
    );
    assert_eq!(step["ratios"][0]["of"], "ours/static");
    let to_cpython = step["ratios"].as_array().unwrap();
    let to_cpython = to_cpython.iter().find(|it| it["to"] == "cpython").unwrap();
    assert_eq!(
        (&to_cpython["median"], &to_cpython["verdict"]),
        (&0.1.into(), &"lower".into())
    );
    assert_eq!(step["claim"]["holds"], "yes");
    assert_eq!(record["rows"][1]["sides"][0]["distribution"]["p50"], 2.0);
    assert_eq!(record["rows"][1]["sides"][0]["distribution"]["n"], 9);
    assert_eq!(record["rows"][2]["sides"][1]["median"], 8.0);

    let (code, shown, _) = course.run("first --show");
    assert_eq!(code, 0);
    holds(
        &shown,
        &["a step, ns a step", "holds here: A step is cheap"],
    );
}

#[test]
fn without_a_cpython_ours_is_measured_alone() {
    let course = Course::new();
    let (code, out, errors) = course.run("--quick --json");
    assert_eq!(code, 0, "{errors}");
    let why = "no CPython 3.12 or newer on PATH (python3.14 is CPython 3.11.7, python3.13 is CPython \
               3.11.7, python3.12 is CPython 3.11.7, python3 is CPython 3.11.7); name one with \
               --python PATH";
    holds(&errors, &[&format!("missing: {why}\n")]);
    let records: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(records[0]["missing"], serde_json::json!([why]));
    assert_eq!(records[0]["versions"]["python"], Value::Null);
    let step = &records[0]["rows"][0];
    assert_eq!(step["sides"][0]["median"], 10.0);
    assert_eq!(
        step["sides"][3]["missing"],
        "no CPython 3.12 or newer was found"
    );
    assert_eq!(step["claim"]["holds"], "not measured");
    assert!(!course.path("target").exists());
}

#[test]
fn a_cpython_that_is_named_has_to_be_one() {
    let course = Course::new();
    let (code, _, errors) = course.run("--python /no/such/python");
    assert_eq!(code, 1);
    holds(
        &errors,
        &[
            "error: /no/such/python cannot be run: ",
            "; a CPython 3.12 or newer is needed",
        ],
    );
    let (code, _, errors) = course.run("--python bin/python3");
    assert_eq!(code, 1);
    holds(
        &errors,
        &["bin/python3 is CPython 3.11.7; a CPython 3.12 or newer is needed\n"],
    );
}

#[test]
fn what_fails_midway_is_named_and_the_rest_is_kept() {
    let course = Course::new();
    // Its second sample of the boxed variant is the last one that works.
    let broken = "step/boxed) [ -f count ] && { echo 'no memory' >&2; exit 3; }; touch count; \
                  echo '{\"row\":\"step\",\"value\":99,\"unit\":\"ns\"}' ;;";
    let line = SAMPLES
        .lines()
        .find(|line| line.starts_with("step/boxed"))
        .unwrap();
    course.script("samples", &SAMPLES.replace(line, broken));
    let (code, out, errors) = course.run("--quick --save --python ./python");
    assert_eq!(code, 1, "{errors}");
    let why = "in round 2, it failed (exit status: 3): no memory";
    holds(
        &out,
        &[
            &format!("  missing: step, ours/boxed: {why}\n"),
            "holds here: A step is cheap",
        ],
    );
    let step = &course.record()["rows"][0];
    assert_eq!(
        (&step["sides"][1]["n"], &step["sides"][1]["missing"]),
        (&1.into(), &why.into())
    );
    assert_eq!(step["sides"][0]["n"], 3);
}

#[test]
fn programs_that_do_not_compile_leave_cpython() {
    let course = Course::new();
    course.cargo("something-else");
    let (code, out, _) = course.run("--quick --python ./python");
    assert_eq!(code, 1);
    let why = "samples was not built: what cargo says stands above";
    holds(
        &out,
        &[
            &format!("  missing: {why}\n"),
            "    CPython                          100  100 to 100\n",
        ],
    );
}

#[test]
fn a_folder_that_takes_no_files_is_named_and_the_figures_are_shown() {
    let course = Course::new();
    let (code, out, errors) =
        course.run("--quick --python ./python --save --to Cargo.toml/records");
    assert_eq!(code, 1);
    holds(
        &errors,
        &[
            "error: Cargo.toml/records cannot be written to (",
            "figures are shown, and not kept\n",
        ],
    );
    holds(&out, &["holds here: A step is cheap"]);
}

#[test]
fn a_record_of_another_format_is_not_read() {
    let course = Course::new();
    course.write(
        "target/measured/first.json",
        r#"{"format": "six-steps record 0"}"#,
    );
    let (code, _, errors) = course.run("--show");
    assert_eq!(code, 1);
    holds(
        &errors,
        &[
            "target/measured/first.json: is in the format \"six-steps record 0\", and this course \
             reads \"six-steps record 1\": measure it again with `cargo course measure",
        ],
    );
    course.write("target/measured/first.json", "{");
    holds(&course.run("--show").2, &["first.json: is no record"]);
    fs::remove_file(course.path("target/measured/first.json")).unwrap();
    let (code, _, errors) = course.run("--show");
    assert_eq!(code, 1);
    holds(
        &errors,
        &["no record of first: make one with `cargo course measure first --save`"],
    );
}

#[test]
fn what_was_measured_before_ctrl_c_is_kept() {
    let course = Course::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // The nap says that it runs, and then never ends.
    let hung = format!("nap) exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}; read -r <&3' ;;");
    let line = SAMPLES
        .lines()
        .find(|line| line.starts_with("nap)"))
        .unwrap();
    let next = SAMPLES
        .lines()
        .find(|line| line.contains("nap-turns"))
        .unwrap();
    course.script(
        "samples",
        &SAMPLES.replace(&format!("{line}\n{next}"), &hung),
    );
    let mut child = course
        .command("--quick --save --python ./python")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _here = listener.accept().unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    holds(
        &lines.join("\n"),
        &["stopped after 1 of 3 rounds", "a step, ns a step"],
    );
    let record = course.record();
    assert_eq!(record["rows"][0]["sides"][0]["n"], 1);
    assert_eq!(
        record["rows"][1]["sides"][0]["missing"],
        "stopped after 0 of 3 rounds"
    );
}

#[test]
fn a_chapter_that_measures_nothing_is_a_mistake() {
    let course = Course::new();
    let (code, _, errors) = course.run("frist");
    assert_eq!(code, 1);
    assert_eq!(
        errors,
        "error: nothing is measured in \"frist\"; did you mean first?\n"
    );
    course.write(
        "chapters-code/02-second/rows.toml",
        "chapter = 'second'\n[[row]]\nid = 1\n",
    );
    holds(
        &course.run("first").2,
        &["chapters-code/02-second/rows.toml: "],
    );
    let elsewhere = tempfile::tempdir().unwrap();
    let output = course
        .command("")
        .current_dir(elsewhere.path())
        .output()
        .unwrap();
    holds(
        &String::from_utf8(output.stderr).unwrap(),
        &["error: no chapters-code/ here: go to the course's folder\n"],
    );
}

/// Every `rows.toml` of the course can be read, and every row of it says what it is.
#[test]
fn the_rows_of_the_course_are_sound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut chapters = 0;
    for entry in fs::read_dir(root.join("chapters-code")).unwrap() {
        let path = entry.unwrap().path().join("rows.toml");
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        chapters += 1;
        let rows: toml::Table = text.parse().unwrap();
        for row in rows["row"].as_array().unwrap() {
            for key in ["title", "what", "unit", "per"] {
                let said = row[key].as_str().unwrap_or_default();
                assert!(!said.is_empty(), "{}: a row without {key}", path.display());
            }
        }
        let name = rows["chapter"].as_str().unwrap();
        let output = Command::new(cargo_bin!("course"))
            .args(["measure", name, "--show"])
            .current_dir(root)
            .output()
            .unwrap();
        // With or without a record, the rows are read; a broken list would say so first.
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!errors.contains("rows.toml"), "{errors}");
    }
    assert_eq!(chapters, 9);
}
