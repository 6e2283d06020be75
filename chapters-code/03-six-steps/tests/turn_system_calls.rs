//! The system calls of a turn, counted by strace: the program is `examples/one_call_a_turn.rs`.
//! Where strace is missing or may not trace, the tests say so and count nothing.
#![cfg(target_os = "linux")]

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What strace saw of one run of the program.
struct Trace {
    turns: u64,
    lines: Vec<String>,
}

impl Trace {
    /// How many calls of this name touched something of this kind; an empty kind is anything.
    fn count(&self, name: &str, kind: &str) -> u64 {
        let call = format!("{name}(");
        let matching = |line: &&String| line.contains(&call) && line.contains(kind);
        self.lines.iter().filter(matching).count() as u64
    }

    fn polls(&self) -> u64 {
        self.count("epoll_pwait2", "")
    }

    /// Writes that wake the loop.
    fn rings(&self) -> u64 {
        self.count("write", "[eventfd]")
    }
}

/// The example, built in the ordinary profile whatever the tests are built in.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--message-format=json"])
            .args(["--package", "six-steps", "--example", "one_call_a_turn"])
            .output()
            .unwrap();
        assert!(build.status.success(), "the example does not build");
        let messages = String::from_utf8(build.stdout).unwrap();
        let key = r#""executable":""#;
        let at = messages.rfind(key).expect("cargo built an executable") + key.len();
        let path = messages[at..].split('"').next().unwrap();
        PathBuf::from(path)
    })
}

fn strace_works() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-o", "/dev/null", "true"]);
    strace.stderr(Stdio::null());
    strace.status().is_ok_and(|status| status.success())
}

/// Runs `one_call_a_turn MODE N` under strace, from the loop's first turn to its last.
fn trace(mode: &str, n: u64) -> Option<Trace> {
    if !strace_works() {
        eprintln!("skipped: strace is not installed, or may not trace; nothing was counted");
        return None;
    }
    let n = n.to_string();
    // Under strace, -o's file must not be shared by two runs.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("trace");
    let run = Command::new("strace")
        .args(["-f", "-y", "-qq", "-o"])
        .arg(&file)
        .arg(program())
        .args([mode, &n])
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let out = String::from_utf8(run.stdout).unwrap();
    let turns = out.trim().strip_suffix(" turns").unwrap().parse().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(str::to_owned).collect();
    Some(Trace { turns, lines })
}

/// How many system calls a run of 1,000 turns makes more than one of 100 turns.
fn growth(mode: &str) -> Option<i64> {
    let (short, long) = (trace(mode, 100)?, trace(mode, 1_000)?);
    assert_eq!((short.turns, long.turns), (100, 1_000));
    let [short, long] = [short, long].map(|trace| i64::try_from(trace.lines.len()).unwrap());
    Some(long - short)
}

/// Starting a program costs a call more or less from one run to the next.
const NOTHING: RangeInclusive<i64> = -3..=3;

#[test]
fn a_turn_in_which_nothing_can_be_ready_makes_no_system_call() {
    let Some(growth) = growth("lone") else { return };
    assert!(NOTHING.contains(&growth), "{growth} calls in 900 turns");
    let polls = trace("lone", 1_000).map_or(0, |trace| trace.polls());
    assert_eq!(polls, 0);
}

#[test]
fn a_turn_with_a_descriptor_registered_makes_one() {
    let Some(trace) = trace("idle", 1_000) else {
        return;
    };
    assert_eq!((trace.turns, trace.polls()), (1_000, 1_000));
    let more = growth("idle").unwrap() - 900;
    assert!(NOTHING.contains(&more), "{more} calls besides 900 selects");
}

/// Fewer than one a turn if the machine is so busy that a deadline has passed before its turn
/// asks how long to sleep; never more.
#[test]
fn a_turn_that_sleeps_makes_one() {
    let (Some(short), Some(long)) = (trace("sleep", 100), trace("sleep", 1_000)) else {
        return;
    };
    assert!((1..=100).contains(&short.polls()), "{}", short.polls());
    assert!((1..=1_000).contains(&long.polls()), "{}", long.polls());
    let others = |trace: &Trace| trace.lines.len() as u64 - trace.polls();
    let more = others(&long).cast_signed() - others(&short).cast_signed();
    assert!(NOTHING.contains(&more), "{more} calls besides the sleeps");
}

#[test]
fn a_burst_of_posts_wakes_the_loop_once() {
    let Some(trace) = trace("post", 10_000) else {
        return;
    };
    assert_eq!(trace.rings(), 1, "10,000 posts");
}
