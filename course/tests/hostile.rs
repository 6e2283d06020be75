//! Submissions that mean harm, each a folder of `tests/hostile/`: none passes a check that it did not
//! earn, none hangs, none leaves a process or a file behind, and the next one has its points.
//!
//! What no repository should hold, a link or a bomb, is made from `expected.toml`. A plain `cargo test`
//! tries one of each kind; all the others, some of which need minutes and gigabytes, run with
//! `--ignored`, as CI does.

#[allow(dead_code, reason = "each test program uses its own part")]
mod graded;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use graded::{Desk, root};
use serde::Deserialize;
use serde_json::Value;

/// A case: what it does, and what has to come of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// What it tries, for whoever reads the folder.
    why: String,
    #[serde(default)]
    heavy: bool,
    /// How far the exercise comes, in the words of report.json, or `not-graded`.
    state: Option<String>,
    /// The same where the machine decides.
    #[serde(default)]
    states: Vec<String>,
    points: u64,
    /// What the report says of it, somewhere.
    says: Vec<String>,
    /// How checks end, by name.
    #[serde(default)]
    ends: BTreeMap<String, String>,
    /// What was not looked at.
    #[serde(default)]
    ignored: Vec<String>,
    #[serde(default)]
    make: Vec<Make>,
}

/// A file that is made, not stored.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Make {
    path: String,
    link: Option<PathBuf>,
    before: String,
    repeat: String,
    times: usize,
    zip: bool,
    tar: bool,
    broken: bool,
    entries: BTreeMap<String, String>,
}

struct Case {
    name: String,
    folder: PathBuf,
    expected: Expected,
}

/// Which of the cases are handed in together.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// One of each kind, which take seconds.
    First,
    /// The others.
    Others,
    /// Those that take minutes and gigabytes.
    Heavy,
}

/// One of each kind: an end that is no pass, a forged summary, what is handed in besides, a text that
/// is refused, an endless one, what prints for ever, a stray process, a link, archives.
const FIRST: [&str; 14] = [
    "allow-the-check",
    "broken-zip",
    "changed-signature",
    "endless-loop",
    "endless-output",
    "exit-0",
    "fake-summary",
    "include-passwd",
    "link-to-passwd",
    "not-utf-8",
    "own-configuration",
    "own-tests",
    "static-constructor",
    "zip-traversal",
];

fn cases(which: Which) -> Vec<Case> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut cases = Vec::new();
    for entry in fs::read_dir(all).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        let expected: Expected =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(expected.why.ends_with('.'), "{name}: why?");
        let of = if expected.heavy {
            Which::Heavy
        } else if FIRST.contains(&name.as_str()) {
            Which::First
        } else {
            Which::Others
        };
        // The good neighbour comes with all of them, and last.
        if of == which || name == "zz-good" {
            cases.push(Case {
                name,
                folder,
                expected,
            });
        }
    }
    cases.sort_by(|left, right| left.name.cmp(&right.name));
    cases
}

/// Lays a case out as a learner would hand it in.
fn hand_in(case: &Case, class: &Path) {
    let stored = case.folder.join("submission");
    let zip = case.expected.make.iter().any(|make| make.zip);
    let tar = case.expected.make.iter().any(|make| make.tar);
    if zip {
        return write_zip(case, &stored, &class.join(format!("{}.zip", case.name)));
    }
    if tar {
        return write_tar(
            &case.expected.make[0],
            &class.join(format!("{}.tar.gz", case.name)),
        );
    }
    let folder = class.join(&case.name);
    fs::create_dir_all(&folder).unwrap();
    copy(&stored, &folder);
    for make in &case.expected.make {
        let path = folder.join(&make.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match &make.link {
            Some(to) => symlink(to, path).unwrap(),
            None => fs::write(path, make.text()).unwrap(),
        }
    }
    if has_neighbour(case) {
        let solution = root().join("solutions").join(NEIGHBOUR);
        let text = fs::read_to_string(solution).unwrap();
        let path = folder.join("exercises").join(NEIGHBOUR);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Another text each time: a known one would not be built.
        fs::write(path, format!("{text}// beside {}\n", case.name)).unwrap();
    }
}

/// What is good in a submission stays so beside what is not: their tests share a binary.
const NEIGHBOUR: &str = "01-counter/the-alarm/src/lib.rs";

/// Whether the solution of another exercise is handed in as well.
fn has_neighbour(case: &Case) -> bool {
    let plain = |make: &Make| make.link.is_none() && !make.zip && !make.tar;
    case.expected.make.iter().all(plain)
}

impl Make {
    fn text(&self) -> String {
        self.before.clone() + &self.repeat.repeat(self.times)
    }
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(&file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(from.join(file), target).unwrap();
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder).into_iter().flatten();
    let files = all.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned())
        .collect()
}

fn write_zip(case: &Case, stored: &Path, path: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let mut put = |name: &str, bytes: &[u8]| {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(bytes).unwrap();
    };
    for file in files(stored) {
        put(
            file.to_str().unwrap(),
            &fs::read(stored.join(&file)).unwrap(),
        );
    }
    for make in &case.expected.make {
        if !make.path.is_empty() {
            put(&make.path, make.text().as_bytes());
        }
        for (name, text) in &make.entries {
            put(name, text.as_bytes());
        }
    }
    zip.finish().unwrap();
    if case.expected.make.iter().any(|make| make.broken) {
        fs::write(path, "PK and no more").unwrap();
    }
}

fn write_tar(make: &Make, path: &Path) {
    let file = fs::File::create(path).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(0);
    header.set_entry_type(tar::EntryType::Symlink);
    tar.append_link(&mut header, &make.path, make.link.as_ref().unwrap())
        .unwrap();
    tar.into_inner().unwrap().finish().unwrap();
}

/// What is wrong with a case's report; empty if nothing is.
fn faults(case: &Case, desk: &Desk, graded: &Value) -> Vec<String> {
    let expected = &case.expected;
    let mut faults = Vec::new();
    let exercise = &graded["exercises"][0];
    let state = exercise["state"]["state"].as_str().unwrap_or("not-graded");
    if expected
        .state
        .iter()
        .chain(&expected.states)
        .all(|wanted| wanted != state)
    {
        faults.push(format!("its state is {state}"));
    }
    let mut points = 0;
    for check in exercise["checks"].as_array().into_iter().flatten() {
        let end = check["end"].as_str().unwrap();
        if end == "passed" {
            points += check["most"].as_u64().unwrap();
        }
        let wanted = expected.ends.get(check["name"].as_str().unwrap());
        if wanted.is_some_and(|wanted| wanted != end) {
            faults.push(format!("{} is {end}", check["name"]));
        }
    }
    if points != expected.points {
        faults.push(format!("it has {points} points"));
    }
    let lost = |check: &&Value| check["end"] != "passed";
    let neighbour = &graded["exercises"][1];
    let lost = neighbour["checks"]
        .as_array()
        .into_iter()
        .flatten()
        .find(lost);
    if let (true, Some(lost)) = (has_neighbour(case), lost) {
        faults.push(format!("its neighbour is {}: {lost}", neighbour["state"]));
    }
    let report = graded.to_string();
    for said in &expected.says {
        if !report.contains(&**said) {
            faults.push(format!("nothing says {said:?}"));
        }
    }
    for path in &expected.ignored {
        let all = graded["ignored"].as_array().unwrap();
        if all.iter().all(|ignored| ignored["path"] != **path) {
            faults.push(format!("{path} is not named as ignored"));
        }
    }
    for name in ["student.md", "staff.md", "student.html"] {
        let page = desk.read(&format!("out/submissions/{}/{name}", case.name));
        let bad = |sign: char| sign.is_control() && !"\n\t".contains(sign);
        if page.contains(bad) || page.contains(['\u{202e}', '\u{fffe}']) {
            faults.push(format!("{name} holds a control character"));
        }
        if page.contains("root:x:0:0") {
            faults.push(format!("{name} holds a file of the system"));
        }
        if name != "staff.md" && page.contains("A B C D E (5)") {
            faults.push(format!("{name} shows a hidden case"));
        }
    }
    if !faults.is_empty() {
        faults.push(format!("{} {exercise:#}", graded["failure"]));
    }
    faults
}

fn grade(which: Which, limits: &[&str]) {
    let desk = Desk::new();
    let cases = cases(which);
    fs::create_dir_all(desk.path("class")).unwrap();
    for case in &cases {
        hand_in(case, &desk.path("class"));
    }
    let hidden = root().join("course/sample/cases").display().to_string();
    let mut arguments = vec![
        "{}/class",
        "--out",
        "{}/out",
        "--only",
        "the-round",
        "--only",
        "the-alarm",
        "--cases",
        &hidden,
    ];
    arguments.extend(limits);
    let said = desk.grade(&arguments);
    let report = desk.report("out/report.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let graded = report["submissions"].as_array().unwrap().iter();
        let graded = graded
            .filter(|graded| graded["name"] == *case.name)
            .collect::<Vec<_>>();
        assert_eq!(graded.len(), 1, "{}", case.name);
        for fault in faults(case, &desk, graded[0]) {
            wrong.push(format!("{}: {fault}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), said.stderr);
    // One archive among the first is broken.
    assert_eq!(
        said.code,
        if which == Which::First { 2 } else { 0 },
        "{}{}",
        said.stdout,
        said.stderr
    );
    desk.is_clean();
    for trace in [
        "hostile-build-script",
        "hostile-write",
        "hostile-append",
        "hostile-zip",
    ] {
        assert!(!Path::new("/tmp").join(trace).exists(), "{trace}");
    }
    let mut junit = Vec::new();
    for suite in quick_junit::Report::deserialize_from_str(&desk.read("out/junit.xml"))
        .unwrap()
        .test_suites
    {
        junit.push(suite.name.to_string());
    }
    // One for each exercise, and one for the archive that is broken.
    assert_eq!(
        junit.len(),
        2 * cases.len() - usize::from(which == Which::First)
    );
}

#[test]
fn none_earns_what_it_did_not() {
    let all = [Which::First, Which::Others, Which::Heavy].map(|which| cases(which).len());
    assert_eq!(all[0], FIRST.len() + 1);
    assert!(all.iter().sum::<usize>() > 50);
    grade(Which::First, &["--test-limit", "4"]);
}

#[test]
#[ignore = "it needs minutes"]
fn none_of_the_others_does() {
    grade(Which::Others, &["--test-limit", "4"]);
}

#[test]
#[ignore = "it needs minutes and gigabytes"]
fn none_that_is_heavy_does_either() {
    grade(Which::Heavy, &["--build-limit", "30"]);
}
