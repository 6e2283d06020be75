//! What reaches the program, and what happens when the guard's own processes are killed.

use std::env::current_exe;
use std::fs;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use guard::{End, Guard, GuardError, Job, Protection as P};

use crate::trials::{Meeting, has_ended, job, run};
use crate::{Case, MISBEHAVE};

pub(crate) const CASES: &[Case] = &[
    ("only_named_variables_pass", only_named_variables_pass, None),
    ("standard_input_is_empty", standard_input_is_empty, None),
    (
        "standard_input_is_what_was_given",
        standard_input_is_what_was_given,
        None,
    ),
    ("no_descriptor_leaks", no_descriptor_leaks, Some(P::Watch)),
    (
        "a_killed_keeper_is_no_pass",
        a_killed_keeper_is_no_pass,
        None,
    ),
    (
        "a_killed_guard_takes_all_along",
        a_killed_guard_takes_all_along,
        Some(P::Watch),
    ),
    (
        "a_killed_caller_takes_all_along",
        a_killed_caller_takes_all_along,
        None,
    ),
    (
        "what_is_missing_is_an_error",
        what_is_missing_is_an_error,
        None,
    ),
];

fn only_named_variables_pass(guard: &Guard) {
    let job = job(&["environment"]).env("HOME", "/tmp").env("NAME", "a b");
    let verdict = job.run(guard).expect("a verdict");
    let mut lines: Vec<_> = verdict.stdout.text().lines().map(String::from).collect();
    // bubblewrap tells its own child where it is; the keeper clears that too.
    lines.sort();
    assert_eq!(lines, ["HOME=/tmp", "NAME=a b"]);
}

fn standard_input_is_empty(guard: &Guard) {
    assert_eq!(run(guard, &["stdin"]).stdout.text(), "0 bytes\n");
}

fn standard_input_is_what_was_given(guard: &Guard) {
    let given = |bytes: usize| {
        let verdict = job(&["stdin"]).stdin(vec![b'x'; bytes]).run(guard);
        verdict.expect("a verdict").stdout.text().into_owned()
    };
    assert_eq!(given(5), "5 bytes\n");
    assert_eq!(given(300_000), "300000 bytes\n");
    // Nobody reads it: that holds nobody up.
    let unread = job(&["environment"]).stdin(vec![b'x'; 300_000]);
    assert_eq!(unread.run(guard).expect("a verdict").end, End::Exited(0));
}

fn no_descriptor_leaks(guard: &Guard) {
    let leaked = UnixStream::pair().expect("a pair").0;
    rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).expect("a leak");
    let verdict = run(guard, &["list", "/proc/self/fd"]);
    let mut open: Vec<_> = verdict.stdout.text().lines().map(String::from).collect();
    open.sort();
    // The fourth is the listing's own.
    assert_eq!(open, ["0", "1", "2", "3"]);
}

fn a_killed_keeper_is_no_pass(guard: &Guard) {
    let meeting = Meeting::new();
    let verdict = meeting.job(&["kill-keeper"]).run(guard);
    assert_eq!(verdict.expect("a verdict").end, End::Signalled(9));
    meeting.all_have_ended();
}

/// A caller in a process of its own, and the connection of the program under its guard.
fn called(guard: &Guard) -> (Child, UnixStream, Meeting) {
    let meeting = Meeting::new();
    let kind = if guard.is_sandboxed() {
        "sandbox"
    } else {
        "bare"
    };
    let caller = Command::new(current_exe().expect("a path"))
        .args([MISBEHAVE, "call", kind, &meeting.socket()])
        .stderr(Stdio::piped())
        .spawn()
        .expect("a caller");
    let (program, _) = meeting.accept();
    (caller, program, meeting)
}

fn a_killed_guard_takes_all_along(guard: &Guard) {
    let (caller, program, _meeting) = called(guard);
    let parent = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok())
    };
    let names = fs::read_dir("/proc").expect("/proc").flatten();
    let mut pids = names.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let pid = pids
        .find(|pid| parent(pid) == Some(caller.id()))
        .expect("the guard");
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
    let said = caller.wait_with_output().expect("an end");
    assert!(has_ended(&program));
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("has not passed"), "{said}");
}

fn a_killed_caller_takes_all_along(guard: &Guard) {
    let (mut caller, program, _meeting) = called(guard);
    caller.kill().expect("killed");
    caller.wait().expect("an end");
    assert!(has_ended(&program));
}

fn what_is_missing_is_an_error(guard: &Guard) {
    let error = |job: Job| job.run(guard).expect_err("no verdict");
    assert!(matches!(
        error(Job::new("no-such-program")),
        GuardError::NoProgram { .. }
    ));
    let missing = Job::new("sh").current_dir("/no/such/folder");
    assert!(matches!(error(missing), GuardError::NoFolder { .. }));
    // A file that is no program: only starting it tells.
    let text = Job::new("/etc/hostname").current_dir("/");
    assert!(matches!(error(text), GuardError::NotStarted(_)));
}
