//! How a job ends, whatever the program does: with and without a sandbox.

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use guard::{End, Guard, GuardError, Limits, Protection as P};
use tempfile::TempDir;

use crate::Case;
use crate::trials::{Meeting, has_ended, job, plenty, run};

pub(crate) const CASES: &[Case] = &[
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
];

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
