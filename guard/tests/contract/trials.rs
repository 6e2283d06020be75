//! What must hold, with and without a sandbox, and what only a sandbox gives.

use std::env::current_exe;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use guard::{End, Guard, GuardError, Job, Limits, Protection, Verdict};
use tempfile::TempDir;

use crate::{Case, MISBEHAVE};

pub(crate) fn all() -> Vec<Case> {
    use Protection as P;
    vec![
        ("exit_codes_are_told", exit_codes_are_told, None),
        (
            "the_guard_program_does_it_too",
            the_guard_program_does_it_too,
            None,
        ),
        ("a_signal_is_told", a_signal_is_told, None),
        ("an_endless_loop_ends", an_endless_loop_ends, None),
        ("a_sleeper_ends", a_sleeper_ends, None),
        (
            "a_child_that_holds_the_pipe_ends",
            a_child_that_holds_the_pipe_ends,
            None,
        ),
        ("a_daemon_ends", a_daemon_ends, None),
        ("a_fork_bomb_ends", a_fork_bomb_ends, Some(P::Watch)),
        (
            "a_fork_bomb_ends_at_the_wall",
            a_fork_bomb_ends_at_the_wall,
            None,
        ),
        ("much_output_is_cut", much_output_is_cut, None),
        ("endless_output_ends", endless_output_ends, None),
        (
            "a_huge_allocation_is_named",
            a_huge_allocation_is_named,
            Some(P::MemoryLimit),
        ),
        (
            "memory_counts_together",
            memory_counts_together,
            Some(P::Watch),
        ),
        ("a_huge_file_ends", a_huge_file_ends, Some(P::FileSizeLimit)),
        ("only_named_variables_pass", only_named_variables_pass, None),
        ("standard_input_is_empty", standard_input_is_empty, None),
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
        (
            "the_network_is_closed",
            the_network_is_closed,
            Some(P::NoNetwork),
        ),
        (
            "only_writable_folders_are",
            only_writable_folders_are,
            Some(P::ReadOnlyFiles),
        ),
        (
            "kernel_settings_stand",
            kernel_settings_stand,
            Some(P::ReadOnlyFiles),
        ),
        (
            "hidden_folders_are_empty",
            hidden_folders_are_empty,
            Some(P::PrivateFolders),
        ),
        (
            "the_keeper_is_unreadable",
            the_keeper_is_unreadable,
            Some(P::NoCapabilities),
        ),
        ("tmp_has_a_size", tmp_has_a_size, Some(P::TmpSizeLimit)),
    ]
}

/// Limits that no test of another limit meets.
pub(crate) fn plenty() -> Limits {
    Limits {
        wall: Duration::from_mins(1),
        cpu: Duration::from_secs(40),
        ..Limits::test()
    }
}

fn job(args: &[&str]) -> Job {
    let this = current_exe().expect("a path");
    Job::new(this)
        .arg(MISBEHAVE)
        .args(args.iter().copied())
        .current_dir("/")
        .limits(plenty())
}

fn run(guard: &Guard, args: &[&str]) -> Verdict {
    job(args).run(guard).expect("a verdict")
}

/// Where processes under the guard report to: a connection ends with the process that made it.
struct Meeting {
    folder: TempDir,
    listener: UnixListener,
}

impl Meeting {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let listener = UnixListener::bind(folder.path().join("socket")).expect("a socket");
        Self { folder, listener }
    }

    fn socket(&self) -> String {
        self.folder
            .path()
            .join("socket")
            .to_str()
            .expect("UTF-8")
            .into()
    }

    fn accept(&self) -> (UnixStream, [u8; 2]) {
        let (mut one, _) = self.listener.accept().expect("a connection");
        one.set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        let mut word = [0; 2];
        one.read_exact(&mut word).expect("a word");
        (one, word)
    }

    /// Whoever came before the job's end has ended.
    fn all_have_ended(&self) {
        self.listener.set_nonblocking(true).expect("no waiting");
        let mut met = 0;
        while let Ok((mut process, _)) = self.listener.accept() {
            process.set_nonblocking(false).expect("waiting");
            process
                .set_read_timeout(Some(Duration::from_secs(20)))
                .expect("a timeout");
            process
                .read_to_end(&mut Vec::new())
                .expect("the end of the process");
            met += 1;
        }
        assert!(met > 0, "nobody came");
    }

    fn job(&self, args: &[&str]) -> Job {
        job(&[args, &[&self.socket()]].concat()).writable(self.folder.path())
    }
}

/// The process at the other end has ended.
fn has_ended(mut process: &UnixStream) -> bool {
    matches!(process.read(&mut [0]), Ok(0))
}

fn exit_codes_are_told(guard: &Guard) {
    for code in [0, 1, 101, 139, 255] {
        let verdict = run(guard, &["exit", &code.to_string()]);
        assert_eq!(verdict.end, End::Exited(code));
        assert_eq!(verdict.strays, 0);
    }
}

fn the_guard_program_does_it_too(guard: &Guard) {
    let program = Guard::at(env!("CARGO_BIN_EXE_guard")).expect("a guard");
    assert_eq!(run(&program, &["exit", "7"]).end, End::Exited(7));
    assert!(program.is_sandboxed() || !guard.is_sandboxed());
    let other = Guard::at("/bin/sh").expect_err("no guard");
    assert!(matches!(other, GuardError::Lost(_)), "{other}");
}

fn a_signal_is_told(guard: &Guard) {
    assert_eq!(run(guard, &["abort"]).end, End::Signalled(6));
}

fn an_endless_loop_ends(guard: &Guard) {
    let limits = Limits {
        cpu: Duration::from_millis(300),
        ..plenty()
    };
    let verdict = job(&["loop"]).limits(limits).run(guard).expect("a verdict");
    assert_eq!(verdict.end, End::CpuLimit);
    let used = verdict.cpu.expect("Linux tells");
    assert!(used >= Duration::from_millis(300), "{used:?}");
}

fn a_sleeper_ends(guard: &Guard) {
    let meeting = Meeting::new();
    let limits = Limits {
        wall: Duration::from_secs(2),
        ..plenty()
    };
    let verdict = meeting
        .job(&["sleep"])
        .limits(limits)
        .run(guard)
        .expect("a verdict");
    assert_eq!(verdict.end, End::WallLimit);
    meeting.all_have_ended();
}

fn stays_behind(guard: &Guard, kind: &str) {
    let meeting = Meeting::new();
    let job = meeting.job(&["leave", kind]);
    let (verdict, stray) = std::thread::scope(|scope| {
        let verdict = scope.spawn(|| job.run(guard).expect("a verdict"));
        let mut met = [meeting.accept(), meeting.accept()];
        met.sort_by_key(|(_, word)| *word);
        let [(mut leaver, _), (stray, word)] = met;
        assert_eq!(&word, b"up");
        leaver.write_all(b"go").expect("it listens");
        (verdict.join().expect("a verdict"), stray)
    });
    assert_eq!(verdict.end, End::Exited(0));
    assert_eq!(verdict.strays, 1);
    assert!(has_ended(&stray));
}

fn a_child_that_holds_the_pipe_ends(guard: &Guard) {
    stays_behind(guard, "child");
}

fn a_daemon_ends(guard: &Guard) {
    stays_behind(guard, "daemon");
}

fn bomb(guard: &Guard, limits: Limits) -> End {
    let meeting = Meeting::new();
    let end = meeting
        .job(&["bomb", "6"])
        .limits(limits)
        .run(guard)
        .expect("a verdict")
        .end;
    meeting.all_have_ended();
    end
}

fn a_fork_bomb_ends(guard: &Guard) {
    assert_eq!(
        bomb(
            guard,
            Limits {
                processes: 20,
                ..plenty()
            }
        ),
        End::ProcessLimit
    );
}

fn a_fork_bomb_ends_at_the_wall(guard: &Guard) {
    let wall = Duration::from_secs(2);
    assert_eq!(
        bomb(
            guard,
            Limits {
                wall,
                processes: 500,
                ..plenty()
            }
        ),
        End::WallLimit
    );
}

fn much_output_is_cut(guard: &Guard) {
    let limits = Limits {
        output: 1000,
        ..plenty()
    };
    let verdict = job(&["print", "4000"])
        .limits(limits)
        .run(guard)
        .expect("a verdict");
    assert_eq!(verdict.end, End::Exited(0));
    assert_eq!(verdict.stdout.bytes, [b'x'; 1000]);
    assert!(verdict.stdout.truncated && !verdict.stderr.truncated);
}

fn endless_output_ends(guard: &Guard) {
    let verdict = run(guard, &["print", "0"]);
    assert_eq!(verdict.end, End::OutputLimit);
    assert_eq!(verdict.stdout.bytes.len(), plenty().output);
}

fn a_huge_allocation_is_named(guard: &Guard) {
    assert_eq!(run(guard, &["allocate"]).end, End::MemoryLimit);
}

fn memory_counts_together(guard: &Guard) {
    let limits = Limits {
        memory: 160 << 20,
        ..plenty()
    };
    let verdict = job(&["eat", "5"])
        .limits(limits)
        .run(guard)
        .expect("a verdict");
    assert_eq!(verdict.end, End::MemoryLimit);
}

fn a_huge_file_ends(guard: &Guard) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("file");
    let limits = Limits {
        file_size: 1 << 20,
        ..plenty()
    };
    let job = job(&["fill", path.to_str().expect("UTF-8")]).writable(folder.path());
    assert_eq!(
        job.limits(limits).run(guard).expect("a verdict").end,
        End::FileLimit
    );
    assert_eq!(fs::metadata(path).expect("a file").len(), 1 << 20);
}

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
    assert_eq!(run(guard, &["kill-keeper"]).end, End::Signalled(9));
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

fn the_network_is_closed(guard: &Guard) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address").to_string();
    assert_eq!(run(guard, &["connect", &address]).end, End::Exited(3));
    let bare = guard.clone().without_sandbox().expect("a bare guard");
    assert_eq!(run(&bare, &["connect", &address]).end, End::Exited(0));
}

fn only_writable_folders_are(guard: &Guard) {
    let here = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let inside = here.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let write = |path: &std::path::Path| {
        let path = path.join("file");
        let job = job(&["write", path.to_str().expect("UTF-8")]).writable(&inside);
        (job.run(guard).expect("a verdict").end, path.exists())
    };
    assert_eq!(write(&inside), (End::Exited(0), true));
    assert_eq!(write(here.path()), (End::Exited(3), false));
    assert_eq!(write("/dev".as_ref()), (End::Exited(3), false));
    // Its own temporary folder, and what it writes there is gone.
    assert_eq!(write("/tmp".as_ref()), (End::Exited(0), false));
}

fn kernel_settings_stand(guard: &Guard) {
    // The file is opened, nothing is written.
    assert_eq!(
        run(guard, &["write", "/proc/sys/kernel/core_pattern"]).end,
        End::Exited(3)
    );
}

fn hidden_folders_are_empty(guard: &Guard) {
    let class = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    for name in ["ada", "bob"] {
        fs::create_dir(class.path().join(name)).expect("a folder");
        fs::write(class.path().join(name).join("answer"), "42").expect("a file");
    }
    let path = |name: &str| class.path().join(name).to_str().expect("UTF-8").to_owned();
    let ask = |args: &[&str]| {
        let job = job(args).hidden(class.path()).readable(path("ada"));
        job.hidden(path("ada/missing"))
            .run(guard)
            .expect("a verdict")
    };
    assert_eq!(ask(&["read", &path("ada/answer")]).end, End::Exited(0));
    assert_eq!(ask(&["read", &path("bob/answer")]).end, End::Exited(3));
    assert_eq!(ask(&["list", &path("")]).stdout.text(), "ada\n");
    assert_eq!(ask(&["write", &path("new")]).end, End::Exited(3));
    let hidden = path("bob/answer");
    let job = job(&["read", &hidden]).hidden(&hidden);
    assert_eq!(job.run(guard).expect("a verdict").end, End::Exited(3));
}

fn the_keeper_is_unreadable(guard: &Guard) {
    for what in ["mem", "environ", "fd/0", "fd/1"] {
        assert_eq!(run(guard, &["keeper", what]).end, End::Exited(3), "{what}");
    }
    assert_eq!(run(guard, &["keeper", "stat"]).end, End::Exited(0));
}

fn tmp_has_a_size(guard: &Guard) {
    let limits = Limits {
        file_size: 1 << 20,
        ..plenty()
    };
    // One file is cut by its limit, so two of them.
    let script = "head -c 700000 /dev/zero >/tmp/a && head -c 700000 /dev/zero >/tmp/b";
    let job = Job::new("/bin/sh")
        .args(["-c", script])
        .env("PATH", "/usr/bin:/bin");
    let verdict = job
        .current_dir("/")
        .limits(limits)
        .run(guard)
        .expect("a verdict");
    assert!(
        matches!(verdict.end, End::Exited(code) if code != 0),
        "{verdict:?}"
    );
    assert!(
        verdict.stderr.text().contains("No space left"),
        "{verdict:?}"
    );
}
