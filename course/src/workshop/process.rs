//! A program that may hang, print without end or leave children behind: run in a process group of
//! its own, with a limit of time and of output, and killed whole at the end, however it ended.

use std::collections::BTreeSet;
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How long the pipes of a dead group may stay open before its output is taken as it is.
const GRACE: Duration = Duration::from_secs(2);

/// The groups that run now.
static LIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// How long a program may run, and how much it may print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The time on the wall.
    pub(crate) wall: Duration,
    /// The most bytes of each of its two streams.
    pub(crate) output: usize,
}

/// Why a program is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It ended by itself, or by a signal of somebody else.
    Exited(ExitStatus),
    /// Its time was over.
    OutOfTime,
    /// It printed more than it may.
    TooMuchOutput,
}

/// A program that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Why it ended.
    pub(crate) end: End,
    /// What it wrote to its standard output, up to the limit.
    pub(crate) stdout: Vec<u8>,
    /// What it wrote to its standard error, up to the limit.
    pub(crate) stderr: Vec<u8>,
}

/// What runs a command with this input: [`run`], or one that puts a guard around it.
pub(crate) type Run<'a> = dyn Fn(Command, &[u8]) -> io::Result<Ended> + Sync + 'a;

enum Event {
    Exited(io::Result<ExitStatus>),
    Full,
    Closed,
}

/// Runs a program to its end.
///
/// # Errors
/// It cannot be started, or waiting for it fails.
pub(crate) fn run(mut command: Command, input: &[u8], limits: Limits) -> io::Result<Ended> {
    let mut child = command
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let group = Group::of(&child);
    if let Some(mut stdin) = child.stdin.take() {
        // A word or a line fits into the pipe; a program that does not read it is no fault.
        let _ = stdin.write_all(input);
    }
    let (tell, events) = mpsc::channel();
    let stdout = child
        .stdout
        .take()
        .map(|pipe| read(pipe, limits.output, tell.clone()));
    let stderr = child
        .stderr
        .take()
        .map(|pipe| read(pipe, limits.output, tell.clone()));
    thread::spawn(move || tell.send(Event::Exited(child.wait())));

    let end = wait(&events, &group, limits.wall)?;
    let taken = |buffer: Option<Arc<Mutex<Vec<u8>>>>| {
        buffer.map_or_else(Vec::new, |buffer| {
            std::mem::take(&mut *buffer.lock().unwrap_or_else(PoisonError::into_inner))
        })
    };
    Ok(Ended {
        end,
        stdout: taken(stdout),
        stderr: taken(stderr),
    })
}

fn wait(events: &Receiver<Event>, group: &Group, wall: Duration) -> io::Result<End> {
    let deadline = Instant::now() + wall;
    let (mut end, mut status, mut open) = (None, None, 2);
    while status.is_none() {
        let left = deadline.saturating_duration_since(Instant::now());
        // Once it is killed, its end is a matter of the kernel's.
        let event = match end {
            None => events.recv_timeout(left),
            Some(_) => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(Event::Exited(exit)) => status = Some(exit?),
            Ok(Event::Closed) => open -= 1,
            Ok(Event::Full) => {
                end.get_or_insert(End::TooMuchOutput);
                group.kill();
            }
            Err(_) => {
                end.get_or_insert(End::OutOfTime);
                group.kill();
            }
        }
    }
    // Whatever it left behind holds the pipes, and goes with it.
    group.kill();
    while open > 0 {
        match events.recv_timeout(GRACE) {
            Ok(Event::Closed) => open -= 1,
            Ok(Event::Full) => _ = end.get_or_insert(End::TooMuchOutput),
            Ok(Event::Exited(_)) => {}
            Err(_) => break,
        }
    }
    Ok(end.unwrap_or(End::Exited(
        status.unwrap_or_else(|| ExitStatus::from_raw(0)),
    )))
}

/// Reads a pipe on a thread of its own, and tells when it is full or closed.
fn read(
    mut pipe: impl Read + Send + 'static,
    most: usize,
    tell: Sender<Event>,
) -> Arc<Mutex<Vec<u8>>> {
    let buffer = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&buffer);
    thread::spawn(move || {
        let mut chunk = [0; 8192];
        // An error of the pipe is its end: there is nothing more to read.
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            let mut text = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let room = most.saturating_sub(text.len());
            text.extend_from_slice(&chunk[..length.min(room)]);
            drop(text);
            if length > room && tell.send(Event::Full).is_err() {
                return;
            }
        }
        // Nobody listens any more when the grace is over.
        let _ = tell.send(Event::Closed);
    });
    buffer
}

/// A process group that ends with this.
struct Group(Pid);

impl Group {
    fn of(child: &Child) -> Self {
        let pid = Pid::from_child(child);
        live().insert(pid.as_raw_nonzero().get());
        Self(pid)
    }

    fn kill(&self) {
        // Nobody in it is left: that is what was wanted.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        live().remove(&self.0.as_raw_nonzero().get());
    }
}

fn live() -> std::sync::MutexGuard<'static, BTreeSet<i32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kill_live() {
    for pid in live().iter().filter_map(|&pid| Pid::from_raw(pid)) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// From now on Ctrl-C ends the groups that run before it ends this program. Without it they would
/// go on alone: the terminal's signal does not reach them.
///
/// # Errors
/// The signal cannot be had.
pub(crate) fn end_groups_on_ctrl_c() -> io::Result<()> {
    end_groups_on_ctrl_c_and(|| ())
}

/// The same, with something to say or to put away between the two.
///
/// # Errors
/// The signal cannot be had.
pub(crate) fn end_groups_on_ctrl_c_and(last: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = signals()?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            kill_live();
            last();
            // Other threads may have gone on meanwhile.
            kill_live();
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// From now on Ctrl-C ends the groups that run and is remembered; only the second one ends this
/// program, which has something to keep.
///
/// # Errors
/// The signal cannot be had.
pub(crate) fn on_ctrl_c() -> io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let tell = Arc::clone(&asked);
    let mut signals = signals()?;
    thread::spawn(move || {
        for signal in &mut signals {
            let again = tell.swap(true, Ordering::Relaxed);
            kill_live();
            if again {
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(asked)
}

fn signals() -> io::Result<Signals> {
    Signals::new([SIGINT, SIGTERM])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        wall: Duration::from_mins(1),
        output: 10_000,
    };

    fn shell(script: &str, limits: Limits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, b"word\n", limits).unwrap()
    }

    #[test]
    fn a_program_reads_its_input_and_its_streams_are_kept_apart() {
        let ended = shell("read w; echo out $w; echo err >&2; exit 3", LIMITS);
        assert_eq!(ended.stdout, b"out word\n");
        assert_eq!(ended.stderr, b"err\n");
        let End::Exited(status) = ended.end else {
            panic!("{ended:?}");
        };
        assert_eq!(status.code(), Some(3));
    }

    #[test]
    fn what_never_ends_is_ended() {
        let limits = Limits {
            wall: Duration::ZERO,
            ..LIMITS
        };
        assert_eq!(shell("tail -f /dev/null", limits).end, End::OutOfTime);
    }

    #[test]
    fn endless_output_is_cut_at_the_limit() {
        let ended = shell("while :; do echo yes; done", LIMITS);
        assert_eq!(
            (ended.end, ended.stdout.len()),
            (End::TooMuchOutput, 10_000)
        );
    }

    #[test]
    fn a_grandchild_that_holds_the_pipe_goes_with_its_group() {
        let ended = shell("tail -f /dev/null & echo $!", LIMITS);
        assert!(
            matches!(ended.end, End::Exited(status) if status.success()),
            "{ended:?}"
        );
        let pid: i32 = String::from_utf8(ended.stdout)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let pid = Pid::from_raw(pid).unwrap();
        // Dead, and at most not yet collected by its new parent. The signal takes a moment.
        let gone = || {
            rustix::process::test_kill_process(pid).is_err()
                || std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()))
                    .is_ok_and(|stat| stat.contains(") Z "))
        };
        let gone = (0..1_000_000).any(|_| {
            thread::yield_now();
            gone()
        });
        assert!(gone, "{pid:?} is alive");
    }
}
