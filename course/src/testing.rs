//! Runs an exercise's tests, `cargo test -p NAME`, so that every run ends.
//!
//! Cargo, the compiler and the tests form a process group of their own. The clock starts when cargo
//! says that the build is done; what the tests print is bounded while it is read; and a run can be
//! stopped at any moment, by a signal or by a new save.

use std::io::{Read as _, pipe};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};

use crate::begin;
use crate::built::Build;
use crate::manifest::Exercise;
use crate::outcome::Report;

/// How long tests may run, in seconds, if nobody says otherwise.
pub(crate) const LIMIT: u64 = 15;
/// The most that tests may print, in bytes.
const MOST: usize = 1 << 20;
/// The most memory that a test program may map, in MiB. Tests of a loop need a few; the bound keeps
/// a loop that grows for ever from taking the whole machine.
const MEMORY: &str = "4096";

/// What a run waits for.
enum Piece {
    Bytes(Vec<u8>),
    End,
    Stop,
}

/// A run that has not begun.
pub(crate) struct Run {
    sender: SyncSender<Piece>,
    receiver: Receiver<Piece>,
}

/// Stops a run.
#[derive(Clone)]
pub(crate) struct Stop(SyncSender<Piece>);

impl Stop {
    /// Stops the run; one that is over does not mind.
    pub(crate) fn stop(&self) {
        let _ = self.0.send(Piece::Stop);
    }
}

/// What is run, and how.
pub(crate) struct Order<'a> {
    /// The root of the course.
    pub(crate) root: &'a Path,
    /// The exercise whose tests run.
    pub(crate) exercise: &'a Exercise,
    /// How long the tests may run, without the build.
    pub(crate) limit: Duration,
    /// Whether rustc's messages are coloured.
    pub(crate) colour: bool,
}

/// The processes of a run; when it is dropped, none is left.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.0.id().cast_signed()) {
            // After an orderly end there may be nobody to end.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

impl Run {
    /// A run, and what stops it.
    pub(crate) fn new() -> (Self, Stop) {
        // A bound: a program that prints faster than it is read has to wait.
        let (sender, receiver) = sync_channel(16);
        let stop = Stop(sender.clone());
        (Self { sender, receiver }, stop)
    }

    /// Builds, tests, and says what came of it. `built` is called between the two.
    ///
    /// # Errors
    /// No cargo on PATH, or no process can be started.
    pub(crate) fn go(self, order: &Order<'_>, built: impl FnOnce()) -> Result<Report> {
        let untouched = begin::untouched(order.root, order.exercise);
        let (mut reader, writer) = pipe().context("no pipe can be made")?;
        let mut command = command(order)?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn().context("cargo cannot be started")?;
        // The writing ends that the command holds would keep the pipe open.
        drop(command);
        let mut group = Group(child);
        let sender = self.sender;
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            // Interrupted reads are repeated by `Read` for whole reads only.
            while let Ok(length) = reader.read(&mut buffer) {
                let piece = if length == 0 {
                    Piece::End
                } else {
                    Piece::Bytes(buffer[..length].to_vec())
                };
                if sender.send(piece).is_err() || length == 0 {
                    return;
                }
            }
            let _ = sender.send(Piece::End);
        });
        let mut build = Build::default();
        let mut built = Some(built);
        let mut output = Vec::new();
        let mut deadline: Option<Instant> = None;
        let end = loop {
            let wait = deadline.map_or(Duration::MAX, |at| {
                at.saturating_duration_since(Instant::now())
            });
            match self.receiver.recv_timeout(wait) {
                Ok(Piece::Bytes(bytes)) if build.is_done() => output.extend(bytes),
                Ok(Piece::Bytes(bytes)) => output.extend(build.take(&bytes)),
                Ok(Piece::Stop) => break End::Stopped,
                Err(RecvTimeoutError::Timeout) => break End::Late(group.busy(order.limit)),
                Ok(Piece::End) | Err(RecvTimeoutError::Disconnected) => {
                    break End::Over(group.0.wait().context("cargo cannot be waited for")?);
                }
            }
            if build.is_done() && deadline.is_none() {
                deadline = Some(Instant::now() + order.limit);
                if let Some(built) = built.take() {
                    built();
                }
            }
            if output.len() > MOST {
                output.truncate(MOST);
                break End::Flood;
            }
        };
        drop(group);
        Ok(Report::new(
            order,
            build,
            &String::from_utf8_lossy(&output),
            end,
            untouched,
        ))
    }
}

/// How the processes of a run came to their end.
pub(crate) enum End {
    /// By themselves.
    Over(ExitStatus),
    /// Somebody asked for it.
    Stopped,
    /// They ran longer than allowed; whether they computed, where that is known.
    Late(Option<bool>),
    /// They printed more than allowed.
    Flood,
}

impl Group {
    /// Whether the group's processes compute, now or for a quarter of the time. A busy machine
    /// gives a loop that never ends less than all of it, but never lets it sleep. Cargo waits
    /// meanwhile.
    #[cfg(target_os = "linux")]
    fn busy(&self, time: Duration) -> Option<bool> {
        let group = self.0.id().cast_signed();
        let processes = procfs::process::all_processes().ok()?;
        let mut ticks = 0;
        for process in processes.flatten() {
            let Ok(stat) = process.stat() else { continue };
            if stat.pgrp != group || stat.pid == group {
                continue;
            }
            let threads = process.tasks().into_iter().flatten().flatten();
            if threads
                .flat_map(|thread| thread.stat())
                .any(|stat| stat.state == 'R')
            {
                return Some(true);
            }
            ticks += stat.utime + stat.stime;
        }
        Some(ticks / procfs::ticks_per_second() > time.as_secs() / 4)
    }

    #[cfg(not(target_os = "linux"))]
    fn busy(&self, _time: Duration) -> Option<bool> {
        None
    }
}

/// Cargo: the one that runs this command, else the one on PATH.
///
/// # Errors
/// There is none.
pub(crate) fn cargo() -> Result<PathBuf> {
    let named = std::env::var_os("CARGO").map(PathBuf::from);
    if let Some(cargo) = named.filter(|cargo| cargo.is_file()) {
        return Ok(cargo);
    }
    which::which("cargo").map_err(|_| {
        anyhow!("no cargo on PATH: install Rust from https://rustup.rs, or open a new terminal if you have")
    })
}

/// `cargo test -p NAME` behind the fence, its tests behind one of their own.
fn command(order: &Order<'_>) -> Result<Command> {
    let fence = std::env::current_exe().context("this program does not know where it lies")?;
    let fence = fence
        .to_str()
        .context("the path of this program is no Unicode")?;
    // After a build the running program's file has been replaced by one that does the same.
    let fence = fence.strip_suffix(" (deleted)").unwrap_or(fence);
    let runner = toml::Value::from(vec![fence, "run-fenced", "--memory", MEMORY]);
    let format = if order.colour {
        "json-diagnostic-rendered-ansi"
    } else {
        "json"
    };
    let mut command = Command::new(fence);
    command
        .arg("run-fenced")
        .arg(cargo()?)
        .args(["test", "--no-fail-fast", "-p", &order.exercise.id])
        .args(["--message-format", format])
        .arg("--config")
        .arg(format!("target.'cfg(all())'.runner = {runner}"))
        .args(["--", "--nocapture", "--test-threads=1"])
        .current_dir(order.root)
        .env("RUST_BACKTRACE", "0")
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("RUST_TEST_THREADS")
        .env_remove("LESSON_TOKEN")
        .stdin(Stdio::null())
        .process_group(0);
    Ok(command)
}
